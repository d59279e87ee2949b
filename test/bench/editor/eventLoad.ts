import { commandId } from '../../../src/views/commands/commands.ts';
import { until } from '../../support/until.ts';
import type { Measurement, MeasureOptions } from '../measurement.ts';
import type { BenchEditor, BenchWindow } from './benchEditor.ts';
import { timeOfPage } from './pageWatch.ts';
import type { ReplayServer } from './streams/replayServer.ts';

const streams = 10;
const perSecond = 2_000;
const secondsPerSample = 5;
/** What may be missing of the events for the load to count: a timer that is late sends more at once. */
const tolerance = 0.98;

/**
 * `event-loop-p99`: the delay of the extension host's event loop (as `monitorEventLoopDelay` has it, with its
 * own 10 ms in it), of 100 looks the second worst, while ten tickets are at work and OpenCode's event stream
 * brings 2,000 events a second of their sessions. The streams were recorded from the real OpenCode
 * (`streams/record.ts`) and come by a server that speaks its API, which the setting `beadsmith.opencode.url`
 * names; from there on everything is the product: adapter, engine, store, views. The view is open with ten
 * thousand tickets, and the page of one of the ten.
 */
export async function measureEventLoad(
  { workbench, probe }: BenchWindow,
  {
    editor,
    server,
    samples,
    say,
  }: { readonly editor: BenchEditor; readonly server: ReplayServer } & MeasureOptions,
): Promise<Measurement> {
  await workbench.showView();
  say('ten tickets are started …');
  for (let at = 0; at < streams; at++)
    await editor.cli(
      'start',
      `SAMPL-${String(at + 2)}`,
      '--model',
      'scripted/alpha',
      '--depth',
      'solo',
      '--no-wait',
    );
  await until(() => server.working === streams, 'ten sessions work', 120_000);
  // The page's watch has chosen another tab by then.
  await timeOfPage(workbench.page, () => probe.run(commandId('openTicket'), { ticket: 'SAMPL-2' }));
  const page = await workbench.openedPage('ticket');
  await page.getByRole('tab', { name: 'Overview', exact: true }).click();
  const activity = page.getByRole('log', { name: 'Live activity' });
  const ms = samples * secondsPerSample * 1_000;
  say(`${String(perSecond)} events a second for ${String(ms / 1_000)} s …`);
  const quiet = await probe.ask('loopDelay', { ms: 5_000 });
  let delay = { p50: Number.NaN, p99: Number.NaN, max: Number.NaN };
  let shown = 0;
  const reached = await server.playing(perSecond, async () => {
    // The first second isn't counted: everything is new then.
    await probe.ask('loopDelay', { ms: 1_000 });
    await activity.waitFor();
    const before = await activity.innerText();
    delay = await probe.ask('loopDelay', { ms });
    shown = (await activity.innerText()) === before ? 0 : 1;
  });
  if (reached < perSecond * tolerance)
    throw new Error(`Only ${reached.toFixed(0)} events a second were sent.`);
  if (server.waiting > 1_000_000)
    throw new Error(`The extension host is behind by ${String(server.waiting)} bytes.`);
  if (shown === 0) throw new Error('The page of a ticket at work showed nothing new.');
  const text = ({ p50, p99, max }: typeof delay): string =>
    `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, at most ${max.toFixed(1)} ms`;
  return {
    name: 'event-loop-p99',
    unit: 'ms',
    bound: { atMost: 50 },
    samples: [delay.p99],
    notes: [
      `${reached.toFixed(0)} events a second: ${text(delay)}`,
      `before, with nothing coming: ${text(quiet)}`,
    ],
  };
}
