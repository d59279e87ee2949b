import { commandId } from '../../../src/views/commands/commands.ts';
import { until } from '../../support/until.ts';
import type { MeasureOptions, Measurement } from '../measurement.ts';
import type { BenchEditor, BenchWindow } from './benchEditor.ts';
import { timeOfPage } from './pageWatch.ts';
import type { ReplayServer } from './streams/replayServer.ts';

const streams = 10;
const perSecond = 2_000;
const secondsPerSample = 5;
/** How much of the events has to come: a late timer sends more at once. */
const tolerance = 0.98;

/**
 * `event-loop-p99`: the second worst of 100 delays of the extension host's event loop
 * (`monitorEventLoopDelay`, with its own 10 ms) while ten tickets work and OpenCode's stream brings 2,000
 * events a second. A server replays recorded streams; the rest is the product, with the view of ten thousand
 * tickets and a page open.
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
  await timeOfPage(workbench.page, () => probe.run(commandId('openTicket'), { ticket: 'SAMPL-2' }));
  const page = await workbench.openedPage();
  const activity = page.getByRole('log', { name: 'Transcript' });
  const ms = samples * secondsPerSample * 1_000;
  say(`${String(perSecond)} events a second for ${String(ms / 1_000)} s …`);
  const quiet = await probe.ask('loopDelay', { ms: 5_000 });
  let delay = { p50: Number.NaN, p99: Number.NaN, max: Number.NaN };
  let shown = 0;
  const reached = await server.playing(perSecond, async () => {
    // In the first second everything is new.
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

const megabyte = 1_048_576;
const mostPerSecond = 10_000;
/** Eight hours of an agent that works without a pause, at 40 events a second. */
const eightHours = 8 * 3_600 * 40;
/** Whatever is filled once is full then. */
const warmUp = 200_000;

/**
 * `heap-growth`: what the extension host's main thread holds more, without what can be collected, after the
 * events of eight hours; ten tickets work, the view and one page are open.
 */
export async function measureHeapGrowth(
  { workbench, probe }: BenchWindow,
  { server, say }: { readonly server: ReplayServer } & Pick<MeasureOptions, 'say'>,
): Promise<Measurement> {
  const held: number[] = [];
  for (const events of [warmUp, eightHours]) {
    say(`${String(events)} events …`);
    await server.play(mostPerSecond, events);
    await until(() => server.waiting === 0, 'the extension host has taken everything');
    held.push((await probe.ask('held', {})).bytes);
  }
  // A window that no longer listens would hold nothing more, either.
  const activity = (await workbench.openedPage()).getByRole('log', { name: 'Transcript' });
  const shown = await activity.innerText();
  await server.play(mostPerSecond, 5_000);
  await until(async () => (await activity.innerText()) !== shown, 'the page shows what comes');
  const [before = Number.NaN, after = Number.NaN] = held;
  return {
    name: 'heap-growth',
    unit: 'MB',
    bound: { atMost: 5 },
    samples: [(after - before) / megabyte],
    notes: [`from ${(before / megabyte).toFixed(1)} to ${(after / megabyte).toFixed(1)} MB`],
  };
}

const settleMs = 3_000;
const observedMs = 20_000;

/**
 * `idle-timers`: timers under a second that our code makes, or intervals of ours that fire, in 20 s in which
 * nothing happens, in both threads of a new window; the view and a page are open.
 */
export async function measureIdleTimers({ workbench, probe }: BenchWindow): Promise<Measurement> {
  await probe.ask('watchTimers', {});
  await workbench.showView();
  await workbench.row(/SAMPL-1(?!\d)/).waitFor();
  await probe.run(commandId('openTicket'), { ticket: 'SAMPL-1' });
  await workbench.openedPage();
  await probe.ask('shortTimers', { ms: settleMs });
  const { timers, before } = await probe.ask('shortTimers', { ms: observedMs });
  const kinds = Map.groupBy(timers, (timer) => timer);
  return {
    name: 'idle-timers',
    unit: 'timers',
    bound: { atMost: 0 },
    samples: [timers.length],
    notes: [
      `while the window opened there were ${String(before)}, so they are seen`,
      ...[...kinds].map(([what, all]) => `${String(all.length)} × ${what}`),
    ],
  };
}
