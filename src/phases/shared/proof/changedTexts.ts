import { isLockFile } from '../../../domain/guarded/lockSources.ts';
import { isTestFile } from '../../../domain/proof/provingFiles.ts';
import type { ChangedText } from '../../../domain/proof/changedText.ts';
import type { ComparedFile, Git } from '../../../engine/ports/ports.ts';
import type { StepIo } from '../../../engine/run/run.ts';

/** Nobody writes larger files by hand; tools write lock files. */
const largestFile = 1_000_000;
const largestLock = 30_000_000;

/** Texts are null where missing, binary or too large. */
export interface ComparedText extends ComparedFile {
  readonly before: string | null;
  readonly after: string | null;
}

export async function comparedTexts(
  { ports: { git } }: StepIo,
  from: string,
  to: string,
): Promise<readonly ComparedText[]> {
  const files = await git.compare(from, to);
  const old = files.filter(({ change }) => change !== 'added').map(({ path, oldPath }) => oldPath ?? path);
  const now = files.filter(({ change }) => change !== 'deleted').map(({ path }) => path);
  const [before, after] = await Promise.all([
    textsOf(git, from, old, largestText),
    textsOf(git, to, now, largestText),
  ]);
  return files.map((file) => {
    const texts = {
      before: before.get(file.oldPath ?? file.path) ?? null,
      after: after.get(file.path) ?? null,
    };
    // Attributes of the repository can call any text binary.
    return { ...file, ...texts, binary: file.binary && texts.before === null && texts.after === null };
  });
}

export function changedTexts(compared: readonly ComparedText[]): readonly ChangedText[] {
  return compared
    .filter(({ binary }) => !binary)
    .map(({ path, oldPath, before, after }) => {
      // A test that was moved to where no runner looks for it is gone.
      if (oldPath !== null && isTestFile(oldPath) && !isTestFile(path))
        return { path: oldPath, before, after: null };
      return { path, before, after, ...(oldPath !== null && { oldPath }) };
    });
}

/** A zero in so many first bytes makes a file binary, as git has it. */
const readAsText = 8_000;

export async function textsOf(
  git: Pick<Git, 'blobs'>,
  commit: string,
  paths: readonly string[],
  mostBytes: (path: string) => number,
): Promise<ReadonlyMap<string, string>> {
  const blobs = paths.length === 0 ? [] : await git.blobs(commit, paths);
  const texts = new Map<string, string>();
  for (const [index, path] of paths.entries()) {
    const bytes = blobs[index];
    if (bytes && bytes.length <= mostBytes(path) && !bytes.subarray(0, readAsText).includes(0))
      texts.set(path, new TextDecoder().decode(bytes));
  }
  return texts;
}

/** Empty if there is no such file. */
export async function fileText({ ports: { git } }: StepIo, commit: string, path: string): Promise<string> {
  return new TextDecoder().decode(await git.blob(commit, path));
}

function largestText(path: string): number {
  return isLockFile(path.split('/').at(-1)?.toLowerCase() ?? '') ? largestLock : largestFile;
}
