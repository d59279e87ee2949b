import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { CommitSha } from '../../../domain/core/ids.ts';
import { inboxBodies } from '../../../domain/ticket/inbox.ts';
import { CommitEvidence } from '../../../domain/proof/commitEvidence.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { artifactChange, isoNow, storedJson } from '../ticket/artifacts.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { settleBranch } from '../worktree/branchTip.ts';
import { remakeWorktree } from '../worktree/worktree.ts';

/** `base`: the base to put the work on first. */
export const Standing = z.object({
  head: CommitSha,
  mergeBase: CommitSha,
  base: z.object({ branch: z.string(), commit: CommitSha }).optional(),
  /** `head` has something that the final test didn't see. */
  isUnproved: z.boolean().default(false),
});
export type Standing = z.infer<typeof Standing>;
export type MovedStanding = Standing & { readonly base: NonNullable<Standing['base']> };

/**
 * Compares the branch with its base (docs/decisions/076-update-from-base.md). Throws BASE_BRANCH_GONE or
 * BASE_BRANCH_REWRITTEN, unless a person decided, which leaves a receipt.
 */
export async function look(io: StepIo, ticket: TicketSnapshot): Promise<Standing> {
  await remakeWorktree(io, ticket);
  const { git } = io.ports;
  const { worktree, baseBranch } = ticketParts(ticket);
  const { head, isKept } = await settleBranch(io, ticket);
  const isUnproved = isKept || (await isBeyondProof(io, head));
  const wish =
    ticket.entry.by === 'update_base' ? inboxBodies.update_base.parse(ticket.entry.body) : undefined;
  const name = wish?.baseBranch ?? baseBranch;
  const tip = await git.base(name);
  const recorded = ticket.baseCommit ?? tip?.commit;
  if (recorded !== undefined && wish?.keep === true) {
    const receipt = {
      schema_version: 1,
      base_branch: baseBranch,
      commit: recorded,
      decided_by: 'user',
      decided_at: isoNow(io),
    };
    io.save(artifactChange(ticket, 'kept_base_receipt', receipt));
    return { head, mergeBase: await git.mergeBase(worktree, recorded, head), isUnproved };
  }
  if (!tip) throw new BeadsmithError('BASE_BRANCH_GONE', { branch: name });
  if (await git.isAncestor(tip.commit, head)) {
    // Another base that the branch has already.
    if (tip.branch !== baseBranch)
      io.save({ type: 'ticket', set: { baseBranch: tip.branch, baseCommit: tip.commit } });
    return { head, mergeBase: tip.commit, isUnproved };
  }
  if (recorded === undefined)
    return { head, mergeBase: await git.mergeBase(worktree, tip.commit, head), isUnproved };
  const base = { branch: tip.branch, commit: tip.commit };
  if (wish === undefined && !(await git.isAncestor(recorded, tip.commit)))
    throw new BeadsmithError('BASE_BRANCH_REWRITTEN', { branch: name, commit: recorded.slice(0, 12) });
  return { head, mergeBase: recorded, base, isUnproved };
}

async function isBeyondProof(io: StepIo, head: string): Promise<boolean> {
  const names = ['commit_evidence:final_test', 'commit_evidence:integration'] as const;
  const proofs = await Promise.all(names.map((name) => storedJson(io, name, CommitEvidence)));
  const tree = await io.ports.git.treeOf(head);
  return proofs[0] !== undefined && !proofs.some((proof) => proof?.tree === tree);
}
