import { commandId } from '../../../src/views/commands/commands.ts';
import { pageSize } from '../../../src/views/tickets/tree/ticketList.ts';
import { type Measurement, median } from '../measurement.ts';
import { type BenchEditor, type BenchWindow, ticketCount } from './benchEditor.ts';
import { type ProbeAnswer, probeViews } from './probe/probeWords.ts';
import { timeToRows } from './timeToRows.ts';

/**
 * What our view shows at first, by column: the ticket that waits for a person, and the first page of drafts
 * with the row that loads more.
 */
export const shownRows: readonly number[] = [1, pageSize + 1];

/** A median of a few windows would be a matter of luck, and so would the second worst. */
const windowsPerSample = 3;

/**
 * What every new window costs, each sample in a window of its own that has started up and is idle.
 *
 * `activation-p50`, `activation-p95`: loading our main file and `activate` until it has resolved, by the
 * marks that VS Code's extension host itself makes: what its list of running extensions shows. Between the
 * two it opens an extension's storage, which is its own work for any extension, and is noted. What wakes us
 * is the command *Refresh*, which then loads what answers, opens the repository and reads its tickets; that
 * isn't counted, and what of it is loading is noted.
 *
 * `first-page`: what our tree provider takes of the extension host for the first page of 10,000 tickets,
 * already read: all calls of `getChildren` and `getTreeItem` until the view stands.
 *
 * `first-page-shown`: from the click on our icon, the tickets already read, until the last row that there is
 * room for is in the document ÷ the same for an extension that shows as many rows with nothing but a label.
 * The two are shown in turn, the first one changing, after a third that warms up the editor's own part; the
 * medians of both sides are compared.
 */
export async function measureWindows(
  editor: BenchEditor,
  samples: number,
  say: (text: string) => void,
): Promise<readonly Measurement[]> {
  const found: WindowTimes[] = [];
  const count = samples * windowsPerSample;
  for (let at = 1; at <= count; at++) {
    const window = await editor.openWindow();
    const times = await timesOf(window, at % 2 === 0);
    await window.end();
    found.push(times);
    say(`window ${String(at)} of ${String(count)}: ${textOf(times)}`);
  }
  const activations = found.map(({ activation }) => activation.loadMs + activation.activateMs);
  const typical = (pick: (activation: ProbeAnswer<'activation'>) => number): string =>
    ms(median(found.map(({ activation }) => pick(activation))));
  const [ours, empty] = [
    median(found.map((times) => times.oursMs)),
    median(found.map((times) => times.emptyMs)),
  ];
  return [
    {
      name: 'activation-p50',
      unit: 'ms',
      bound: { atMost: 50 },
      samples: activations,
      notes: [
        `loading ${typical(({ loadMs }) => loadMs)} (${typical(({ processorMs }) => processorMs)} of processor time), activate ${typical(({ activateMs }) => activateMs)}`,
        `the editor's own preparation in between, not counted: ${typical(({ prepareMs }) => prepareMs)}, for an empty extension ${typical(({ ownPrepareMs }) => ownPrepareMs)}`,
        `what answers is loaded with the first call, with ${typical(({ laterMs }) => laterMs)} of processor time`,
      ],
    },
    { name: 'activation-p95', unit: 'ms', bound: { atMost: 150 }, samples: activations, quantile: 0.95 },
    {
      name: 'first-page',
      unit: 'ms',
      bound: { atMost: 20 },
      samples: found.map(({ provider }) => provider.ms),
      notes: [`${String(found[0]?.provider.items)} rows of ${String(ticketCount)} tickets`],
    },
    {
      name: 'first-page-shown',
      unit: 'x',
      bound: { atMost: 1.5 },
      samples: found.map(({ oursMs }) => oursMs / empty),
      notes: [`ours ${ms(ours)}, an empty extension's ${ms(empty)}`],
    },
  ];
}

interface WindowTimes {
  readonly activation: ProbeAnswer<'activation'>;
  readonly provider: ProbeAnswer<'provider'>;
  readonly oursMs: number;
  readonly emptyMs: number;
}

async function timesOf(
  { workbench: { page }, probe }: BenchWindow,
  oursFirst: boolean,
): Promise<WindowTimes> {
  await probe.run(commandId('refresh'));
  const activation = await probe.ask('activation', {});
  const shows = (title: string): Promise<number> => timeToRows(page, title, new RegExp(`^${title} `));
  await shows(probeViews.warmUp);
  const before = oursFirst ? undefined : await shows(probeViews.empty);
  await probe.ask('provider', {});
  const oursMs = await timeToRows(page, 'Beadsmith', /^SAMPL-/);
  const provider = await probe.ask('provider', {});
  // A view that was shown before isn't asked again, and would look as fast as lightning.
  if (provider.items < pageSize) throw new Error(`The editor asked for ${String(provider.items)} rows.`);
  const emptyMs = before ?? (await shows(probeViews.empty));
  return { activation, provider, oursMs, emptyMs };
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

function textOf({ activation, provider, oursMs, emptyMs }: WindowTimes): string {
  const provided = `${provider.ms.toFixed(1)} ms for ${String(provider.items)} rows`;
  return `activation ${String(activation.loadMs + activation.activateMs)} ms, ${provided}, shown after ${oursMs.toFixed(0)} ms (empty ${emptyMs.toFixed(0)} ms)`;
}
