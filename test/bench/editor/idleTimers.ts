import { commandId } from '../../../src/views/commands/commands.ts';
import type { Measurement } from '../measurement.ts';
import type { BenchWindow } from './benchEditor.ts';

const settleMs = 3_000;
const observedMs = 20_000;

/**
 * `idle-timers`: how many timers under a second our code makes, or an interval of ours fires, in 20 s in
 * which nothing happens: the view is open with ten thousand tickets, so is a ticket's page, and nothing runs.
 * Both threads are watched, the extension host's and the store's. The window is new.
 */
export async function measureIdleTimers({ workbench, probe }: BenchWindow): Promise<Measurement> {
  await probe.ask('watchTimers', {});
  await workbench.showView();
  await workbench.row(/SAMPL-1 /).waitFor();
  await probe.run(commandId('openTicket'), { ticket: 'SAMPL-1' });
  await workbench.openedPage('ticket');
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
