import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { CommitSha } from '../../../domain/core/ids.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { ComparedFile, FileChange } from '../../../engine/ports/ports.ts';
import type { SessionRow } from '../../../engine/ports/storePort.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { recordTip, takeBranchBack } from '../worktree/branchTip.ts';
import { markPrograms, type PathSelection } from '../worktree/commit.ts';
import { editsBeside } from './personEdits.ts';
import type { Proof } from './cleanRoom.ts';

/** A commit before the ticket's branch has it. `commit`: null if nothing that belongs into it changed. */
export const Candidate = z.object({
  commit: CommitSha.nullable(),
  leftOut: z.array(z.string()),
  /** Paths of `leftOut` that may be sources: the proof decides. */
  doubtful: z.array(z.string()),
  /** Tracked files whose content it changes. */
  modified: z.array(z.string()).default([]),
  /** Paths that belong into a commit and can't be in one, each with the reason. */
  uncommittable: z.array(z.string()).default([]),
  /** Paths that git ignores. */
  ignored: z.array(z.string()).default([]),
  /** Everything that was in the worktree at that moment, left out or not. */
  tree: CommitSha,
});
export type Candidate = z.infer<typeof Candidate>;

interface CandidateWork {
  /** The commit that the work began at. */
  readonly start: string;
  /** The last part of the ref that keeps it. */
  readonly name: string;
  readonly message: string;
  readonly trailers: Readonly<Record<string, string>>;
  readonly select: (changes: readonly FileChange[]) => PathSelection;
  /** The session whose work it is. */
  readonly belongs: (session: SessionRow) => boolean;
}

const nested = 'a git repository of its own, which a commit would only name. Remove its .git, or the folder.';
const unnamed = 'its name is not valid UTF-8. Rename it.';
const mostIgnored = 1_000;

/** The problem if a candidate lacks what belongs into it, in words for the agent; else empty. */
export function uncommittableProblem({ uncommittable }: Candidate): string {
  return uncommittable.length === 0
    ? ''
    : `These paths can't be committed:\n${uncommittable.map((line) => `- ${line}`).join('\n')}`;
}

/**
 * Tracked files of the candidate that the commands wrote again, unless the work names them: they may be the
 * commands' and not the work's. A proof without their changes decides.
 */
export function rewrittenBy({ modified }: Candidate, { made }: Proof, wanted: readonly string[]): string[] {
  return modified.filter((path) => made.includes(path) && !wanted.includes(path));
}

/** Makes a candidate of the changes since `start`, commits of the agent among them. Throws GIT_FAILED. */
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
  const ref = `refs/beadsmith/${ticket.id}/candidate/${work.name}`;
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

/**
 * Gives the ticket's branch a candidate that was proved, and nothing else. Other files may have changed
 * since: by a person, because no session works. Throws GIT_FAILED if those of the candidate did.
 */
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
  const own = [...new Set((await git.compare(start, commit)).flatMap(namesOf))];
  if ((await git.treeWith(worktree, own)) !== (await git.treeOf(commit))) {
    throw new BeadsmithError('GIT_FAILED', {
      command: 'commit',
      reason: 'the files changed after they were checked',
    });
  }
  await io.fence();
  await git.adopt(worktree, commit, start);
}

function namesOf({ path, oldPath }: ComparedFile): string[] {
  return oldPath === null ? [path] : [path, oldPath];
}
