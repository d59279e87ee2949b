import { commandId } from '../../../src/views/commands/commands.ts';
import { pageSize } from '../../../src/views/tickets/tree/ticketList.ts';
import { type Measurement, median } from '../measurement.ts';
import { type BenchEditor, type BenchWindow, ticketCount } from './benchEditor.ts';
import { type ProbeAnswer, probeViews } from './probe/probeWords.ts';
import type { Page } from 'playwright-core';

/**
 * By column: the ticket that waits for a person, and the first page of drafts with the row that loads more.
 */
export const shownRows: readonly number[] = [1, pageSize + 1];

/** With a few windows, a median and a second worst are a matter of luck. */
const windowsPerSample = 3;

/**
 * Each sample in a new, idle window. `activation-p50`, `activation-p95`: loading our main file and
 * `activate`, by VS Code's own marks; the opening of our storage in between is noted, as is what the command
 * *Refresh* loads afterwards. `first-page`: all calls of our tree provider for the first page of 10,000
 * tickets. `first-page-shown`: from the click on our icon until the last visible row ÷ the same for an
 * extension with nothing but labels; shown in turn, after a third tree that warms up the editor.
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
  const oursMs = await timeToRows(page, 'Beadsmith', /SAMPL-\d/);
  const provider = await probe.ask('provider', {});
  // A view that was shown before isn't asked again.
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

/** As much of a browser's page as is used. */
interface Box {
  readonly textContent: string | null;
  click(): void;
  getBoundingClientRect(): { readonly top: number; readonly bottom: number; readonly height: number };
}
interface Browser {
  readonly document: { readonly body: unknown; querySelectorAll(selector: string): Iterable<Box> };
  readonly performance: { now(): number };
  readonly MutationObserver: new (seen: () => void) => {
    observe(node: unknown, what: object): void;
    disconnect(): void;
  };
}

const limitMs = 30_000;

/**
 * From the click on a view's icon until its tree fills the side bar, milliseconds in the page. `text`: what
 * rows begin with, as a regular expression.
 */
export async function timeToRows(page: Page, icon: string, text: RegExp): Promise<number> {
  const item = `.activitybar .action-item a[aria-label^="${icon}"]`;
  return Promise.race([
    page.evaluate(clickAndWatch, { item, text: text.source }),
    new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error(`${icon} shows no rows`)), limitMs).unref(),
    ),
  ]);
}

/** Runs in the page. */
function clickAndWatch(about: { readonly item: string; readonly text: string }): Promise<number> {
  const browser = globalThis as unknown as Browser;
  const text = new RegExp(about.text);
  const isFull = (): boolean => {
    const lists = [
      ...browser.document.querySelectorAll('.sidebar .pane-body .monaco-list .monaco-scrollable-element'),
    ];
    const bottom = Math.max(...lists.map((list) => list.getBoundingClientRect().bottom));
    const rows = [...browser.document.querySelectorAll('.sidebar .pane-body .monaco-list-row')];
    const last = rows.reduce<Box | undefined>(
      (lowest, row) => (lowest && below(lowest) > below(row) ? lowest : row),
      undefined,
    );
    return last !== undefined && text.test(last.textContent ?? '') && below(last) >= bottom;
  };
  const below = (box: Box): number => box.getBoundingClientRect().bottom;
  return new Promise((resolve) => {
    const start = browser.performance.now();
    const observer = new browser.MutationObserver(() => {
      if (!isFull()) return;
      observer.disconnect();
      resolve(browser.performance.now() - start);
    });
    observer.observe(browser.document.body, {
      childList: true,
      subtree: true,
      characterData: true,
      attributes: true,
    });
    for (const icon of browser.document.querySelectorAll(about.item)) icon.click();
  });
}
