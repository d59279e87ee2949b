import { GitAdapter } from '../../adapters/git/gitAdapter.ts';
import type { DrivenAppParts } from '../app.ts';
import { continueHere } from './continueHere.ts';
import { PushedCommits } from '../tickets/pushedCommits.ts';

/** A team's repository on this machine. */
export interface Mirrored<P> {
  /** For drives: their commits are on the remote before the database names them. */
  readonly parts: P;
  /** Call it after each claim, before the drive; see `continueHere`. */
  readonly continueHere: (ticket: string) => Promise<void>;
  /** Call it before drives are stopped: they would wait for a remote that is away. */
  readonly stop: () => void;
}

/** Has drives push to the clone's `origin` (docs/team.md). */
export async function mirrored<P extends DrivenAppParts>(
  parts: P,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Mirrored<P>> {
  const refs = await new GitAdapter({ folder: parts.repository.root, environment }).ticketRefs();
  const pushed = new PushedCommits({ ...parts.ports, refs });
  const ports = { ...parts.ports, store: pushed.store };
  const ending = new AbortController();
  return {
    parts: { ...parts, ports },
    continueHere: (ticket) => {
      pushed.forget(ticket);
      return continueHere({ ports, refs, signal: ending.signal }, ticket);
    },
    stop: () => {
      ending.abort();
      pushed.stop();
    },
  };
}
