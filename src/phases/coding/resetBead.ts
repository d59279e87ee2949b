import type { Bead } from '../../domain/beads/bead.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { prepareAfterReset } from '../shared/worktree/bootstrap.ts';
import { recordTip, recordedTip, takeBranchBack } from '../shared/worktree/branchTip.ts';
import { askAboutEdits, keepEdits, editsBeside, uncommittedPaths } from '../shared/proof/personEdits.ts';
import { madeMeanwhile } from './ignoredFiles.ts';
import { ofIteration } from './bead/changeBead.ts';
import { startOf } from './bead/proveCandidate.ts';
import { tell } from '../../engine/run/tell.ts';

/**
 * Resets the worktree to a bead's start, after keeping its state under `ref`
 * (docs/decisions/011-attempt-refs.md). A person is asked about their edits; unless `isFinal`, these stay
 * uncommitted until the iteration has ended. It can be repeated: once the tree is that of the start, nothing
 * is left to keep.
 */
export async function resetBead(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: Bead,
  {
    ref,
    limits,
    isFinal = true,
  }: { readonly ref: string; readonly limits: Run['limits']; readonly isFinal?: boolean },
): Promise<void> {
  const { worktree } = ticketParts(ticket);
  const { git } = io.ports;
  const to = await resetPoint(io, bead.id, startOf(bead));
  const kept =
    io.resume !== 'first' && (await git.resolve(ref)) !== undefined && (await isClean(io, worktree, to));
  if (!kept)
    await git.keep(worktree, ref, `${ticket.id} ${bead.id}, iteration ${bead.iteration}: what was left`);
  await io.fence();
  const edits = await unfoldedEdits(io, ticket, bead, to);
  const decided = isFinal ? await askAboutEdits(io, ticket, edits) : await keepEdits(io, ticket, edits);
  const isKept = decided !== undefined && (!('wanted' in decided) || decided.wanted);
  await io.fence();
  const target = isKept ? decided.commit : to;
  const left = await git.resetHard(worktree, target, await madeMeanwhile(io, ticket, bead.id));
  if (left !== null) {
    const what = "ignored files, repositories, or names that aren't UTF-8";
    tell(io, `What git can't keep of ${bead.id} is in ${left}: ${what}.`);
  }
  if (isKept && !isFinal) await git.unfold(worktree, to);
  else await recordTip(io, { commit: target, by: isKept ? 'edits' : 'reset' });
  const from = await git.resolve(ref);
  if (from !== undefined) await prepareAfterReset(io, ticket, { from, to, limits });
}

/** Paths that a person changed meanwhile; commits made meanwhile become uncommitted changes again. */
async function unfoldedEdits(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: Bead,
  to: string,
): Promise<readonly string[]> {
  const { worktree } = ticketParts(ticket);
  const { git } = io.ports;
  // If an agent rewrote the branch, all of it stays under the ref of the attempt.
  if (!(await git.isAncestor(to, await git.head(worktree)))) return [];
  await takeBranchBack(io, ticket, to);
  return editsBeside(io, ticket, await uncommittedPaths(io, ticket), ofIteration(bead));
}

async function isClean(io: StepIo, worktree: string, start: string): Promise<boolean> {
  const { git } = io.ports;
  return (await git.head(worktree)) === start && (await git.status(worktree)).length === 0;
}

/** The bead's start, or a later recorded tip: a person's commits are never discarded. */
async function resetPoint(io: StepIo, bead: string, start: string): Promise<string> {
  const tip = await recordedTip(io);
  if (tip === undefined || tip.bead === bead) return start;
  return (await io.ports.git.isAncestor(start, tip.commit)) ? tip.commit : start;
}
