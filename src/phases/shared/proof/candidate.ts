import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { CommitSha, ticketRef } from '../../../domain/core/ids.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { FileChange } from '../../../engine/ports/ports.ts';
import type { SessionRow } from '../../../engine/ports/storePort.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { recordTip, takeBranchBack } from '../worktree/branchTip.ts';
import { markPrograms, type PathSelection, pathsOf } from '../worktree/commit.ts';
import { editsBeside } from './personEdits.ts';
import type { Proof } from './cleanRoom.ts';

/** `commit`: null if nothing that belongs into it changed. */
export const Candidate = z.object({
  commit: CommitSha.nullable(),
  leftOut: z.array(z.string()),
  /** Those of `leftOut` that may be sources: the proof decides. */
  doubtful: z.array(z.string()),
  modified: z.array(z.string()).default([]),
  uncommittable: z.array(z.string()).default([]),
  ignored: z.array(z.string()).default([]),
  /** The whole worktree at that moment, left out or not. */
  tree: CommitSha,
});
export type Candidate = z.infer<typeof Candidate>;

interface CandidateWork {
  readonly start: string;
  readonly name: string;
  readonly message: string;
  readonly trailers: Readonly<Record<string, string>>;
  readonly select: (changes: readonly FileChange[]) => PathSelection;
  readonly belongs: (session: SessionRow) => boolean;
}

const nested = 'a git repository of its own, which a commit would only name. Remove its .git, or the folder.';
const unnamed = 'its name is not valid UTF-8. Rename it.';
const mostIgnored = 1_000;

export function uncommittableProblem({ uncommittable }: Candidate): string {
  return uncommittable.length === 0
    ? ''
    : `These paths can't be committed:\n${uncommittable.map((line) => `- ${line}`).join('\n')}`;
}

/** A proof without their changes decides whether they are the work's. */
export function rewrittenBy({ modified }: Candidate, { made }: Proof, wanted: readonly string[]): string[] {
  return modified.filter((path) => made.includes(path) && !wanted.includes(path));
}

/** Commits of the agent are among the changes. Throws GIT_FAILED. */
export async function makeCandidate(
  io: StepIo,
  ticket: TicketSnapshot,
  work: CandidateWork,
): Promise<Candidate> {
  const { git } = io.ports;
  const { worktree } = ticketParts(ticket);
  const { start, message, trailers } = work;
  await io.fence();
  await takeBranchBack(io, ticket, start);
  const { changes: found, repositories, unreadable, ignored } = await git.inspect(worktree);
  const changes = await markPrograms(io, worktree, found);
  const selected = work.select(changes);
  const edits = new Set(await editsBeside(io, ticket, selected.paths, work.belongs));
  const paths = selected.paths.filter((path) => !edits.has(path));
  const leftOut = [...selected.leftOut, ...edits];
  const uncommittable = [
    ...repositories.map((path) => [path, nested]),
    ...unreadable.map((path) => [path, unnamed]),
  ]
    .filter(([path = '']) => work.select([{ path, state: 'untracked' }]).leftOut.length === 0)
    .map(([path, reason]) => `${String(path)}: ${String(reason)}`);
  const ref = ticketRef(ticket.id, `candidate/${work.name}`);
  const commit = await git.candidate(worktree, { start, paths, message, trailers, ref });
  const isWhole = commit !== null && leftOut.length === 0 && repositories.length + unreadable.length === 0;
  const tree = isWhole ? await git.treeOf(commit) : await git.writeTree(worktree);
  const taken = new Set(paths);
  const modified = changes
    .filter(({ path, state }) => state === 'modified' && taken.has(path))
    .map(({ path }) => path);
  return {
    commit,
    leftOut,
    doubtful: [...selected.doubtful],
    modified,
    uncommittable,
    ignored: ignored.slice(0, mostIgnored),
    tree,
  };
}

/** Throws GIT_FAILED if the candidate's files changed since; others may, by a person: no session works. */
export async function adoptCandidate(
  io: StepIo,
  ticket: TicketSnapshot,
  candidate: Omit<Parameters<typeof recordTip>[1], 'commit'> &
    Pick<Candidate, 'commit'> & { readonly start: string },
): Promise<void> {
  const { commit, start, ...by } = candidate;
  const { git } = io.ports;
  const { worktree, branch } = ticketParts(ticket);
  if (commit !== null) await recordTip(io, { commit, ...by });
  if (commit === null || (await git.resolve(`refs/heads/${branch}`)) === commit) return;
  await io.fence();
  // A process that a session left behind may have committed since the proof.
  await takeBranchBack(io, ticket, start);
  const own = [...new Set((await git.compare(start, commit)).flatMap(pathsOf))];
  if ((await git.treeWith(worktree, own)) !== (await git.treeOf(commit))) {
    throw new BeadsmithError('GIT_FAILED', {
      command: 'commit',
      reason: 'the files changed after they were checked',
    });
  }
  await io.fence();
  await git.adopt(worktree, commit, start);
}
