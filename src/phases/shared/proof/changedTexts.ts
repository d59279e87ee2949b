import { isTestFile } from '../../../domain/proof/provingFiles.ts';
import type { ChangedText } from '../../../domain/proof/changedText.ts';
import type { ComparedFile, Git } from '../../../engine/ports/ports.ts';
import type { StepIo } from '../../../engine/run/run.ts';

/** Files larger than this aren't read: nobody writes them by hand. */
const largestFile = 1_000_000;

/** A file that differs between two commits, as it was and as it is; null where it isn't there, is binary or too large. */
export interface ComparedText extends ComparedFile {
  readonly before: string | null;
  readonly after: string | null;
}

/** The files that differ between two commits, with their text. */
export async function comparedTexts({ ports: { git } }: StepIo, from: string, to: string): Promise<readonly ComparedText[]> {
  const files = await git.compare(from, to);
  const texts = files.filter(({ binary }) => !binary);
  const old = texts.filter(({ change }) => change !== 'added').map(({ path, oldPath }) => oldPath ?? path);
  const now = texts.filter(({ change }) => change !== 'deleted').map(({ path }) => path);
  const [before, after] = await Promise.all([textsOf(git, from, old), textsOf(git, to, now)]);
  return files.map((file) => ({ ...file, before: before.get(file.oldPath ?? file.path) ?? null, after: after.get(file.path) ?? null }));
}

/** The texts in which a proof can change. Binary files are left out. */
export function changedTexts(compared: readonly ComparedText[]): readonly ChangedText[] {
  return compared
    .filter(({ binary }) => !binary)
    .map(({ path, oldPath, before, after }) => {
      // A test that was moved to where no runner looks for it is gone.
      if (oldPath !== null && isTestFile(oldPath) && !isTestFile(path)) return { path: oldPath, before, after: null };
      return { path, before, after };
    });
}

async function textsOf(git: Git, commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const blobs = paths.length === 0 ? [] : await git.blobs(commit, paths);
  const texts = new Map<string, string>();
  for (const [index, path] of paths.entries()) {
    const bytes = blobs[index];
    if (bytes && bytes.length <= largestFile) texts.set(path, new TextDecoder().decode(bytes));
  }
  return texts;
}
