import { type PreflightReport, repositoryCategory } from '../../domain/beads/reports.ts';
import type { RepositoryTraits, Git } from '../../engine/ports/ports.ts';
import {
  type CommitConvention,
  commitlintPlaces,
  conventionOf,
  subjectsSeen,
} from '../../domain/environment/commitConvention.ts';

type Check = PreflightReport['checks'][number];

/**
 * Lists what the worktrees of a repository don't have although its checkout does, each with its remedy. None
 * of it stops a ticket by itself: whether the work needs it is for the setup plan to say.
 */
export function repositoryChecks(traits: RepositoryTraits, worktree: string): readonly Check[] {
  const { submodules, lfs, sparse, shallow, partial, oddPaths, namesakes, foldsCase, longestPath } = traits;
  const checks: Check[] = [];
  const add = (name: string, result: Check['result'], message: string): void => {
    checks.push({ name, category: repositoryCategory, result, message });
  };
  if (submodules.length > 0) {
    add(
      'Submodules',
      'warning',
      `Empty in your checkout, and so in worktrees: ${some(submodules, 3)}. If the work needs them, run in your checkout: git submodule update --init --recursive`,
    );
  }
  if (lfs)
    add(
      'Git LFS',
      'warning',
      'Worktrees have the content of the files in Git LFS that your clone has; others are pointers. If the work needs those, run in your checkout: git lfs pull',
    );
  if (sparse) {
    add(
      'Sparse checkout',
      'warning',
      'Worktrees hold the same part of the repository as your checkout. For the rest: git sparse-checkout disable',
    );
  }
  if (shallow)
    add(
      'Shallow clone',
      'warning',
      'The history is cut off, so a base that moved may not be mergeable. To complete it: git fetch --unshallow',
    );
  if (partial)
    add(
      'Partial clone',
      'warning',
      'Files are fetched from the remote when they are needed, so the work needs the network.',
    );
  if (oddPaths.length > 0) {
    add(
      'Odd paths',
      'warning',
      `Paths with line feeds, tabs or backslashes can't be named by beads: ${some(
        oddPaths.map((path) => JSON.stringify(path)),
        3,
      )}. To work on them, rename them.`,
    );
  }
  if (namesakes.length > 0 && foldsCase) {
    add(
      'Letter case',
      'fail',
      `This file system takes these names for one, so a worktree can't hold them both: ${some(
        namesakes.map((names) => names.join(' and ')),
        3,
      )}. Rename one of each on the base branch.`,
    );
  }
  if (new TextEncoder().encode(worktree).length + longestPath >= longestOfSystem) {
    add(
      'Long paths',
      'fail',
      `The longest path of the repository doesn't fit below ${worktree}. Move the repository to a folder with a shorter path.`,
    );
  }
  return checks;
}

const longestOfSystem = 4_096;

/** The first items of a list, and how many more there are. */
export function some(items: readonly string[], most = 5): string {
  return items.length <= most
    ? items.join(', ')
    : `${items.slice(0, most).join(', ')} and ${String(items.length - most)} more`;
}

const manifest = 'package.json';
const longestManifest = 1_000_000;

/**
 * Returns the commit convention of a repository, as a commit of its base branch shows it
 * (docs/decisions/181-habits-of-the-repository.md). It is only read from git.
 */
export async function commitHabits(git: Git, base: string): Promise<CommitConvention> {
  const [files, [bytes], subjects] = await Promise.all([
    git.regularFiles(base, commitlintPlaces),
    git.blobs(base, [manifest]),
    git.subjects(base, subjectsSeen),
  ]);
  const isRead = bytes !== undefined && bytes.length <= longestManifest;
  return conventionOf({ files, manifest: isRead ? new TextDecoder().decode(bytes) : undefined, subjects });
}

/** Returns the pre-flight report's sentence on the convention. */
export function describeHabits({ style, because }: CommitConvention): string {
  if (style === 'plain') return 'Commits of beads are written as bead(ID): TITLE.';
  const reason = / of /.test(because) ? `${because} commits on the base branch are` : `${because} says`;
  return `Commits of beads are Conventional Commits, as ${reason}.`;
}
