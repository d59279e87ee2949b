import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';

/**
 * The places where git keeps what branches point to: a file for each branch, or tables if the repository was
 * made with `--ref-format=reftable`.
 */
const places = ['refs/heads', 'reftable'];

/**
 * Calls whenever a branch of a repository may have moved. Git replaces what it changes, so that the call
 * comes once the new commit is there.
 */
export function watchBranches(commonDir: string, listener: () => void): Disposable {
  const watchers = places
    .map((place) => join(commonDir, place))
    .flatMap((folder) => watchFolder(folder, listener));
  return { dispose: () => watchers.forEach((watcher) => watcher.close()) };
}

/**
 * Nothing where the folder isn't there, and where the system has no watches left: Refresh brings up to date
 * what is shown.
 */
function watchFolder(folder: string, listener: () => void): readonly FSWatcher[] {
  try {
    const watcher = watch(folder, { recursive: true, persistent: false }, listener);
    return [watcher.on('error', () => watcher.close())];
  } catch {
    return [];
  }
}
