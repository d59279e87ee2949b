import { SetupProfile } from '../../domain/documents/setupPlan.ts';
import { BeadsmithError } from '../../domain/errors.ts';
import { classifyChange } from '../../domain/noise.ts';
import type { FileChange } from '../../engine/ports/ports.ts';
import type { RecordIo, StepIo } from '../../engine/run/run.ts';
import { readJson } from './artifacts.ts';

/** Splits changed paths into what belongs into a commit and what is left out and reported (docs/decisions/032-bead-finalization.md). */
interface PathSelection {
  readonly paths: readonly string[];
  readonly leftOut: readonly string[];
  /** Those of `leftOut` that may be sources after all. */
  readonly doubtful: readonly string[];
}

/** The rule for this ticket: generated noise and what the environment was prepared with (`setup` beside it) are left out; `wanted` paths never are. */
export async function selectPaths(
  io: RecordIo,
  rules: { readonly wanted?: readonly string[]; readonly setup?: readonly string[] } = {},
): Promise<(changes: readonly FileChange[]) => PathSelection> {
  const stored = await io.ports.store.artifact(io.ticket, 'execution_setup_profile');
  const profile = readJson(SetupProfile, stored?.content);
  const prepared = profile ? [...profile.temp_roots, ...profile.reusable_artifacts.map((item) => item.path)] : [];
  const setup = [...prepared, ...(rules.setup ?? [])];
  return (changes) => {
    const paths: string[] = [];
    const leftOut: string[] = [];
    const doubtful: string[] = [];
    for (const change of changes) {
      const found = classifyChange(change, { setup, wanted: rules.wanted ?? [] });
      if (found === 'committable') paths.push(change.path);
      else if (found !== 'ticket') leftOut.push(change.path);
      if (found === 'doubtful') doubtful.push(change.path);
    }
    return { paths, leftOut, doubtful };
  };
}

interface CommitWork {
  readonly worktree: string;
  readonly branch: string;
  /** The commit the work began at; exactly one commit comes out on top of it. */
  readonly start: string;
  readonly message: string;
  /** What the commit is found again by. */
  readonly trailers: Readonly<Record<string, string>>;
  /** The tree that was checked. Anything else isn't committed. */
  readonly tree?: string;
  readonly select: (changes: readonly FileChange[]) => { readonly paths: readonly string[]; readonly leftOut: readonly string[] };
}

/**
 * Makes one commit of everything since `start`, unless it already exists (docs/decisions/032-bead-finalization.md). Commits that an agent made itself
 * are folded into it. Answers null when there is nothing to commit. Throws GIT_FAILED when the branch isn't what it was or the tree changed.
 */
export async function commitOnce(
  io: StepIo,
  work: CommitWork,
): Promise<{ readonly commit: string | null; readonly leftOut: readonly string[] }> {
  const { git } = io.ports;
  const { worktree, start, message, trailers } = work;
  // Reading the status brings the worktree back to its branch, if an agent left it.
  const { paths, leftOut } = work.select(await git.status(worktree));
  await checkBranch(io, work);
  let mine = await git.findCommit(worktree, start, trailers);
  if (mine === undefined) {
    if (work.tree !== undefined && (await git.writeTree(worktree)) !== work.tree) {
      throw new BeadsmithError('GIT_FAILED', { command: 'commit', reason: 'the files changed after they were checked' });
    }
    if (paths.length > 0) {
      await io.fence();
      mine = await git.commit(worktree, { message, trailers, paths });
    }
  }
  const head = await git.head(worktree);
  if (head === start) return { commit: null, leftOut };
  const commits = await git.commits(worktree, start, head);
  if (commits.length === 1 && head === mine) return { commit: head, leftOut };
  await io.fence();
  return { commit: await git.squash(worktree, { base: start, message, trailers }), leftOut };
}

async function checkBranch(io: StepIo, { worktree, branch, start }: CommitWork): Promise<void> {
  const { git } = io.ports;
  const found = await git.branchOf(worktree);
  if (found !== branch) {
    throw new BeadsmithError('GIT_FAILED', {
      command: 'commit',
      reason: `the worktree is on ${found ?? 'no branch'} instead of ${branch}`,
    });
  }
  const head = await git.head(worktree);
  if (head !== start && (await git.mergeBase(worktree, start, head)) !== start) {
    throw new BeadsmithError('GIT_FAILED', { command: 'commit', reason: `the branch no longer stands on ${start}, where the work began` });
  }
}
