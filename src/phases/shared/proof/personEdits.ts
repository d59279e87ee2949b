import { ticketRef } from '../../../domain/core/ids.ts';
import { forgeText } from '../../../base/forgeText.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { FileChange, Touched } from '../../../engine/ports/ports.ts';
import type { SessionRow } from '../../../engine/ports/storePort.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { readNotes } from '../ask/sessionNotes.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { recordTip } from '../worktree/branchTip.ts';
import { askChoice } from '../ticket/askChoice.ts';
import { markPrograms, selectPaths } from '../worktree/commit.ts';
import { findGuarded, listGuarded } from './guardChanges.ts';
import { attempted } from '../worktree/worktree.ts';

/** File times are a little early, and a tool ends a little before OpenCode writes that down. */
const toleranceMs = 100;
const mostShown = 20;

/** Says to people that a person made the commit; nothing here reads it. */
const editedBy = 'Edited-by';

/**
 * A person made the changes if no session works or has worked since the last commit or reset
 * (docs/decisions/080-edits-in-the-worktree.md).
 */
export async function uncommittedPaths(io: StepIo, ticket: TicketSnapshot): Promise<readonly string[]> {
  const { worktree } = ticketParts(ticket);
  return pathsToCommit(io, worktree, await io.ports.git.status(worktree));
}

export async function pathsToCommit(
  io: StepIo,
  worktree: string,
  changes: readonly FileChange[],
): Promise<readonly string[]> {
  return changes.length === 0 ? [] : (await selectPaths(io))(await markPrograms(io, worktree, changes)).paths;
}

/** A tool names its file, a command may change any while it runs. If a session can't say, all is its own. */
export async function editsBeside(
  io: StepIo,
  ticket: TicketSnapshot,
  paths: readonly string[],
  belongs: (session: SessionRow) => boolean,
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const rows = (await io.ports.store.sessions(ticket.id)).filter(belongs);
  // Those of the step itself aren't stored as long as it is open.
  const open = readNotes(io.earlier).sessions.filter(({ id }) => rows.every((row) => row.id !== id));
  const sessions = [...rows, ...open];
  const touched = sessions.map((session) => attempted(io, () => io.ports.agent.touched(session)));
  const all = await Promise.all(touched);
  const known = all.flatMap((one): Touched[] => (one.ok && one.value ? [one.value] : []));
  if (known.length === 0 || known.length < all.length) return [];
  const named = new Set(known.flatMap((one) => one.paths));
  const spans = known.flatMap((one) => one.spans);
  const since = Math.min(...known.map((one) => one.since));
  const unnamed = paths.filter((path) => !named.has(path));
  const times = await io.ports.git.changeTimes(ticketParts(ticket).worktree, unnamed);
  return [...times].flatMap(([path, at]) => {
    // The time of a deletion isn't known. A file older than the session was moved with its folder.
    if (at === null) return spans.length === 0 ? [path] : [];
    const isTool = spans.some(({ from, to }) => at >= from - toleranceMs && at <= to + toleranceMs);
    return isTool || at < since ? [] : [path];
  });
}

interface Kept {
  readonly commit: string;
  readonly ref: string;
}

/** Keeps edits as a commit under a ref named after their content. */
export async function keepEdits(
  io: StepIo,
  ticket: TicketSnapshot,
  paths: readonly string[],
): Promise<Kept | undefined> {
  if (paths.length === 0) return undefined;
  const { git } = io.ports;
  const { worktree } = ticketParts(ticket);
  const start = await git.head(worktree);
  const message = `edit: ${forgeText.plain(named(paths))}`;
  const work = { start, paths, message, trailers: { Ticket: ticket.id, [editedBy]: 'user' } };
  await io.fence();
  const last = await git.candidate(worktree, { ...work, ref: ticketRef(ticket.id, 'edits/last') });
  if (last === null) return undefined;
  const ref = ticketRef(ticket.id, `edits/${(await git.treeOf(last)).slice(0, 12)}`);
  await git.updateRef(ref, last);
  return { commit: last, ref };
}

/** `wanted`: the branch is to get the commit. */
export async function askAboutEdits(
  io: StepIo,
  ticket: TicketSnapshot,
  paths: readonly string[],
): Promise<{ readonly commit: string; readonly wanted: boolean } | undefined> {
  const kept = await keepEdits(io, ticket, paths);
  if (!kept) return undefined;
  const { commit, ref } = kept;
  const { worktree } = ticketParts(ticket);
  const head = await io.ports.git.head(worktree);
  const found = await findGuarded(io, { from: head, to: commit, planned: [] });
  const { choice } = await askChoice(io, {
    asked: `edits:${ref}`,
    topic: 'edits',
    header: 'Edits in the worktree',
    text: [
      `These files in ${worktree} were changed, and not by a session of ${ticket.id}:`,
      ...shown(paths).map((path) => `- ${path}`),
      `They are kept under ${ref}.`,
      ...(found.length === 0 ? [] : ['Review before you commit them:', listGuarded(found)]),
    ].join('\n'),
    options: [
      { id: 'commit', label: 'Commit', description: 'They become a commit of your own on the branch.' },
      {
        id: 'leave_out',
        label: 'Leave out',
        description: 'They are taken out of the worktree, and stay under the ref.',
      },
    ],
  });
  return { commit, wanted: choice === 'commit' };
}

/** Not while a session works. */
export async function settleEdits(
  io: StepIo,
  ticket: TicketSnapshot,
  paths: readonly string[],
): Promise<void> {
  const { git } = io.ports;
  const { worktree } = ticketParts(ticket);
  const decided = await askAboutEdits(io, ticket, paths);
  if (!decided) return;
  await io.fence();
  if (!decided.wanted) return git.restore(worktree, paths);
  await git.adopt(worktree, decided.commit, await git.head(worktree));
  await recordTip(io, { commit: decided.commit, by: 'edits' });
}

function shown(paths: readonly string[]): readonly string[] {
  return paths.length <= mostShown
    ? paths
    : [...paths.slice(0, mostShown), `${paths.length - mostShown} more`];
}

function named(paths: readonly string[]): string {
  const [first = '', next] = paths;
  if (next === undefined) return first;
  return paths.length === 2 ? `${first}, ${next}` : `${first} and ${paths.length - 1} more`;
}
