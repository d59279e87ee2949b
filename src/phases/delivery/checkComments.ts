import { type ThreadCount, threadCount } from '../../domain/forge/forgeThread.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { RemoteForge } from '../../engine/ports/ports.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { artifactChange, say } from '../shared/ticket/artifacts.ts';

/** Reads the comments of the pull request and files them, if they changed. Throws the forge's errors. */
export async function checkComments(
  io: StepIo,
  ticket: TicketSnapshot,
  forge: RemoteForge,
  number: number,
): Promise<ThreadCount> {
  const { threads } = await forge.threads(number);
  const count = threadCount(threads);
  const known = (await io.ports.store.ticket(ticket.id))?.forge?.threads;
  if (known?.sha256 === count.sha256) return count;
  io.save(artifactChange(ticket, 'forge_threads', threads));
  if (count.open > (known?.open ?? 0))
    say(io, `Open comment threads on the pull request: ${String(count.open)}.`);
  return count;
}
