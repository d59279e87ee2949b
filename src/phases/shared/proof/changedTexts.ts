import { isTestFile } from '../../../domain/proof/provingFiles.ts';
import type { ChangedText } from '../../../domain/proof/changedText.ts';
import type { StepIo } from '../../../engine/run/run.ts';

/** Files larger than this aren't read: nobody writes such a test by hand. */
const largestFile = 1_000_000;

/** The files that differ between two commits, as they were and as they are. Binary ones are left out. */
export async function changedTexts(io: StepIo, from: string, to: string): Promise<readonly ChangedText[]> {
  const { git } = io.ports;
  const texts: ChangedText[] = [];
  for (const { path, oldPath, change, binary } of await git.compare(from, to)) {
    if (binary) continue;
    const before = change === 'added' ? null : await textOf(io, from, oldPath ?? path);
    const after = change === 'deleted' ? null : await textOf(io, to, path);
    const isLost = oldPath !== null && isTestFile(oldPath) && !isTestFile(path);
    // A test that was moved to where no runner looks for it is gone.
    texts.push(isLost ? { path: oldPath, before, after: null } : { path, before, after });
  }
  return texts;
}

async function textOf(io: StepIo, commit: string, path: string): Promise<string | null> {
  const bytes = await io.ports.git.blob(commit, path);
  return bytes && bytes.length <= largestFile ? new TextDecoder().decode(bytes) : null;
}
