import type { Evidence } from '../domain/core/evidence.ts';

/** Commands of a ticket. `bead`: null for the project's checks. */
export interface CommandGroup {
  readonly bead: { readonly id: string; readonly title: string } | null;
  readonly commands: readonly string[];
}

/**
 * The end of a command that a person ran. `working`: an agent or the engine uses the worktree; `continued`:
 * it began to meanwhile, which ended the command; `unknown`: the ticket has no such command, or no worktree.
 * `evidence`: seen, but stored nowhere. `restored`: files that it changed, and that were put back; `changed`:
 * those that had uncommitted changes before.
 */
export type CommandRun =
  | { readonly kind: 'refused'; readonly reason: 'working' | 'continued' | 'unknown' }
  | {
      readonly kind: 'ran';
      readonly evidence: Evidence;
      readonly restored: readonly string[];
      readonly changed: readonly string[];
    };

/** A command as a terminal of the ticket's worktree takes it. */
export type PreparedCommand =
  | Extract<CommandRun, { readonly kind: 'refused' }>
  | { readonly kind: 'ready'; readonly folder: string; readonly command: string };

/** Runs a ticket's own commands in its worktree for a person. */
export interface TicketCommands {
  list(ticket: string): Promise<readonly CommandGroup[]>;
  /** Throws the reason of an abort. */
  run(ticket: string, command: string, signal: AbortSignal): Promise<CommandRun>;
  /** For a debugger, outside of the sandbox: without secrets and services. */
  prepare(ticket: string, command: string): Promise<PreparedCommand>;
}
