import {
  type CommitConvention,
  commitlintPlaces,
  conventionOf,
  subjectsSeen,
} from '../../domain/environment/commitConvention.ts';
import type { Git } from '../../engine/ports/ports.ts';

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
