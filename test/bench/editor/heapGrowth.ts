import { until } from '../../support/until.ts';
import type { Measurement, MeasureOptions } from '../measurement.ts';
import type { BenchWindow } from './benchEditor.ts';
import type { ReplayServer } from './streams/replayServer.ts';

const megabyte = 1_048_576;
const perSecond = 10_000;
/**
 * As many as an agent brings that writes and works without a pause for eight hours, at 40 events a second.
 */
const eightHours = 8 * 3_600 * 40;
/** After so many, whatever is filled once is full. */
const warmUp = 200_000;

/**
 * `heap-growth`: what the extension host's main thread holds more after as many events as eight hours bring,
 * in a window in which ten tickets are at work, the view is open, and the page of one of the ten. Only what
 * can't be collected counts.
 */
export async function measureHeapGrowth(
  { workbench, probe }: BenchWindow,
  { server, say }: { readonly server: ReplayServer } & Pick<MeasureOptions, 'say'>,
): Promise<Measurement> {
  const held: number[] = [];
  for (const events of [warmUp, eightHours]) {
    say(`${String(events)} events …`);
    await server.play(perSecond, events);
    await until(() => server.waiting === 0, 'the extension host has taken everything');
    held.push((await probe.ask('held', {})).bytes);
  }
  // A window that no longer listens would hold nothing more, either.
  const activity = (await workbench.openedPage('ticket')).getByRole('log', { name: 'Live activity' });
  const shown = await activity.innerText();
  await server.play(perSecond, 5_000);
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
