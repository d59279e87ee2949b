import { type Evidence, passed } from '../../domain/evidence.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Run, StepIo } from '../../engine/run.ts';
import { ticketParts } from './ticketParts.ts';

export interface CommandWork {
  readonly commands: readonly string[];
  /** Absolute path of the wrapper that `writeRuntime` wrote just now. */
  readonly wrapper: string;
  readonly limits: Run['limits'];
  /** The most a command may take, if less than the limit of commands. */
  readonly budgetMs?: number;
  /** Goes on after a failure instead of ending there. */
  readonly all?: boolean;
}

/** Runs commands one after the other in the worktree and answers what was seen, ending with the first that fails. */
export async function runCommands(io: StepIo, ticket: TicketSnapshot, work: CommandWork): Promise<Evidence[]> {
  const { worktree } = ticketParts(ticket);
  const evidence: Evidence[] = [];
  for (const command of work.commands) {
    await io.fence();
    io.ports.events.emit({
      type: 'activity',
      ticket: io.ticket,
      at: io.ports.clock.now(),
      source: 'engine',
      kind: 'command',
      text: command,
    });
    const seen = await io.ports.process.run(command, {
      cwd: worktree,
      wrapper: work.wrapper,
      timeoutMs: Math.max(1, Math.min(timeoutMs(work.limits.commandTimeout), work.budgetMs ?? Number.POSITIVE_INFINITY)),
      signal: io.signal,
    });
    // A command that was killed because the process is ending proves nothing about the work.
    io.signal.throwIfAborted();
    evidence.push(seen);
    if (!passed(seen) && !work.all) break;
  }
  return evidence;
}
