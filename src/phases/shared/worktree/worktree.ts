import { commandsRef, ticketRef } from '../../../domain/core/ids.ts';
import { BeadsmithError, isStoreError } from '../../../domain/core/errors.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { ActionName } from '../../../domain/workflow/actions.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { artifactChange, isoNow, say } from '../ticket/artifacts.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { recordedTip } from './branchTip.ts';
import { selectPaths } from './commit.ts';

const remaking: readonly string[] = ['retry', 'undo_merge'] satisfies readonly ActionName[];

/**
 * After a retry or an undone merge only: later, a fresh checkout would pass for finished work. What is left
 * is set aside. Returns whether the worktree was made. Throws WORKTREE_FAILED, BRANCH_EXISTS.
 */
export async function remakeWorktree(io: StepIo, ticket: TicketSnapshot): Promise<boolean> {
  const { id, entry, worktree, branch, baseCommit } = ticket;
  if (!remaking.includes(entry.by) || worktree === null || branch === null || baseCommit === null)
    return false;
  const { git, files } = io.ports;
  const present = await attempted(io, () => git.head(worktree));
  // In there from the beginning; where only this is missing, it is all that is made again.
  if (present.ok && (await files.exists(worktree, '.ticket/.gitignore'))) return false;
  await io.fence();
  const found = await git.resolve(`refs/heads/${branch}`);
  const { aside } = await git.addWorktree({ ticket: id, branch, commit: baseCommit, setAside: true });
  // Without its branch, the worktree was made where the ticket began.
  const tip = found === undefined ? await recordedTip(io) : undefined;
  if (tip !== undefined && (await git.resolve(tip.commit)) !== undefined)
    await git.resetHard(worktree, tip.commit);
  if (aside === undefined) return true;
  say(io, `What was left of the worktree is kept in ${aside}.`);
  const leftovers = { schema_version: 1, folder: aside, set_aside_at: isoNow(io) };
  io.save(artifactChange(ticket, 'worktree_leftovers', leftovers));
  return true;
}

/**
 * Keeps the attempt under `refs/beadsmith/<ticket>/_<name>` (no bead's name). Repeatable. Returns the ref;
 * empty if there was nothing to keep.
 */
export async function resetAttempt(
  io: StepIo,
  ticket: TicketSnapshot,
  start: string,
  name: string,
): Promise<string> {
  const { worktree } = ticketParts(ticket);
  const { git } = io.ports;
  const dirty = (await git.head(worktree)) !== start || (await git.status(worktree)).length > 0;
  const ref = statusRef(ticket, name);
  if (dirty) await git.keep(worktree, ref, `${ticket.id}: what ${name} left`);
  await io.fence();
  await git.resetHard(worktree, start);
  return dirty || (await git.resolve(ref)) !== undefined ? ref : '';
}

/** Takes back what commands changed in files for commits: it is nobody's work. */
export async function takingBack<T>(io: StepIo, ticket: TicketSnapshot, work: () => Promise<T>): Promise<T> {
  const { worktree } = ticketParts(ticket);
  const { git } = io.ports;
  const before = new Set((await git.status(worktree)).map(({ path }) => path));
  const result = await work();
  const made = (await selectPaths(io))(await git.status(worktree)).paths.filter((path) => !before.has(path));
  if (made.length === 0) return result;
  const ref = commandsRef(ticket.id);
  await git.keep(worktree, ref, `${ticket.id}: what commands changed`);
  await io.fence();
  await git.restore(worktree, made);
  return result;
}

export function statusRef(ticket: TicketSnapshot, name: string): string {
  return ticketRef(ticket.id, `_${name}`);
}

/**
 * A failure is a result to record. What ends the run is thrown on: an aborted signal, errors of the engine,
 * and anything without an error code.
 */
export async function attempted<T>(
  io: StepIo,
  work: () => Promise<T>,
): Promise<
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: BeadsmithError }
> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    io.signal.throwIfAborted();
    if (!(error instanceof BeadsmithError) || isStoreError(error) || error.code === 'STATUS_CONFLICT')
      throw error;
    return { ok: false, error };
  }
}
