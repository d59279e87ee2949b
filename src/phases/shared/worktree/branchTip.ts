import * as z from 'zod';
import { BeadId, CommitSha, ticketRef } from '../../../domain/core/ids.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { artifactChange, inCoding, newestJson, say, type StoreIo } from '../ticket/artifacts.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { askChoice } from '../ticket/askChoice.ts';
import { listLines } from '../../../base/listed.ts';
import { pathsOf } from './commit.ts';

/** `found`: taken as it was, in an earlier version. */
export const BranchTip = z.object({
  schema_version: z.literal(1),
  commit: CommitSha,
  by: z.enum([
    'worktree',
    'bead',
    'final_test',
    'edits',
    'suggestion',
    'base',
    'squash',
    'person',
    'reset',
    'found',
  ]),
  bead: BeadId.nullable(),
});
export type BranchTip = z.infer<typeof BranchTip>;

/** Undefined in old tickets (docs/decisions/119-recorded-branch-tips.md). */
export async function recordedTip(io: StoreIo): Promise<BranchTip | undefined> {
  return newestJson(io, 'branch_tip', BranchTip);
}

export async function recordTip(
  io: Pick<StepIo, 'ticket' | 'ports' | 'save'>,
  tip: Pick<BranchTip, 'commit' | 'by'> & { readonly bead?: string },
): Promise<void> {
  const record = BranchTip.parse({ schema_version: 1, bead: null, ...tip });
  const before = await recordedTip(io);
  if (before?.commit === record.commit && before.by === record.by) return;
  io.save(artifactChange(inCoding, 'branch_tip', `${JSON.stringify(record)}\n`));
}

/** Keeps what was on the branch under a ref; files don't change. */
export async function takeBranchBack(io: StepIo, ticket: TicketSnapshot, to: string): Promise<void> {
  const { worktree, branch } = ticketParts(ticket);
  const ref = await io.ports.git.unfold(worktree, to);
  if (ref === null) return;
  say(
    io,
    `${branch} was taken back to ${to.slice(0, 12)}: its commits since then are not Beadsmith's own. They are kept under ${ref}.`,
  );
}

/** Asks about commits since the record: they may be a person's. Call it before work builds on it. */
export async function settleBranch(
  io: StepIo,
  ticket: TicketSnapshot,
): Promise<{ readonly head: string; readonly isKept: boolean }> {
  const { worktree, branch } = ticketParts(ticket);
  const { git } = io.ports;
  const recorded = await recordedTip(io);
  const tip = await git.resolve(`refs/heads/${branch}`);
  if (recorded === undefined) {
    const head = await git.head(worktree);
    await recordTip(io, { commit: head, by: 'found' });
    return { head, isKept: false };
  }
  const { commit } = recorded;
  if (tip === commit) return { head: commit, isKept: false };
  if (tip !== undefined && (await git.isAncestor(commit, tip)) && (await isWanted(io, ticket, commit, tip))) {
    await recordTip(io, { commit: tip, by: 'person' });
    return { head: tip, isKept: true };
  }
  const own = new Set((await git.status(worktree)).map(({ path }) => path));
  const compared = tip === undefined ? [] : await git.compare(commit, tip);
  const foreign = compared.flatMap(pathsOf).filter((path) => !own.has(path));
  await io.fence();
  await takeBranchBack(io, ticket, commit);
  await git.restore(worktree, foreign);
  return { head: commit, isKept: false };
}

async function isWanted(io: StepIo, ticket: TicketSnapshot, from: string, to: string): Promise<boolean> {
  const { worktree, branch } = ticketParts(ticket);
  const commits = await io.ports.git.commits(worktree, from, to);
  const { choice } = await askChoice(io, {
    asked: `branch:${to}`,
    topic: 'foreign_commits',
    header: 'Commits on the branch',
    text: [
      `These commits on ${branch} were not made by Beadsmith, and nobody has tested them:`,
      ...listLines(commits, 20, ({ sha, subject }) => `${sha.slice(0, 12)} ${subject}`),
    ].join('\n'),
    options: [
      { id: 'keep', label: 'Keep', description: 'They become part of the work, and are tested with it.' },
      {
        id: 'leave_out',
        label: 'Leave out',
        description: `They are taken off the branch, and stay under ${ticketRef(ticket.id, 'undone')}.`,
      },
    ],
  });
  return choice === 'keep';
}
