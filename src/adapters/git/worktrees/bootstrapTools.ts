import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { isBootstrapTool, isToolCache } from '../../../domain/proof/bootstrapTools.ts';

/**
 * The paths that a bootstrap made, relative to the worktree, and folders that hold tools whatever they are
 * called.
 */
const Made = z.object({ made: z.array(z.string()).readonly(), folders: z.array(z.string()).readonly() });
export type Made = z.infer<typeof Made>;

/**
 * The tools as the bootstrap left them: of each file what changes when it is written, replaced or led
 * elsewhere.
 */
export const ToolNote = Made.extend({ facts: z.record(z.string(), z.string()) });
export type ToolNote = z.infer<typeof ToolNote>;

/** So many files and folders are read. What is left then isn't known. */
const mostEntries = 200_000;
/** The thread is held up for so many of them at once: a few milliseconds. */
const atOnce = 500;

/** Notes the tools that lie in a worktree. No content is read. */
export async function noteTools(
  worktree: string,
  { made, folders }: Made,
  most = mostEntries,
): Promise<ToolNote> {
  const facts: Record<string, string> = {};
  const left = made.toSorted().toReversed();
  for (let seen = 1; seen <= most; seen += 1) {
    const path = left.pop();
    if (path === undefined) break;
    if (seen % atOnce === 0) await setImmediate();
    if (isToolCache(path)) continue;
    const found = factsOf(join(worktree, path));
    if (found === 'folder') left.push(...namesIn(join(worktree, path)).map((name) => `${path}/${name}`));
    else if (found !== undefined && isBootstrapTool(path, folders)) facts[path] = found;
  }
  return { made, folders, facts };
}

/** The paths of tools that aren't as they were noted: changed, new or gone. */
export async function alteredTools(worktree: string, before: ToolNote): Promise<readonly string[]> {
  const { facts } = await noteTools(worktree, before);
  return [...new Set([...Object.keys(before.facts), ...Object.keys(facts)])].filter(
    (path) => facts[path] !== before.facts[path],
  );
}

/**
 * Times in nanoseconds. That of the last change of the inode can't be set, but a package manager that links a
 * file once more into another project changes it as well, so it counts for files with one name only.
 */
function factsOf(path: string): string | undefined {
  try {
    const found = lstatSync(path, { bigint: true });
    if (found.isDirectory()) return 'folder';
    const { size, mode, ino, nlink, mtimeNs, ctimeNs } = found;
    return [
      size,
      mode,
      ino,
      mtimeNs,
      nlink > 1n ? '' : ctimeNs,
      found.isSymbolicLink() ? readlinkSync(path) : '',
    ].join(' ');
  } catch {
    return undefined;
  }
}

/** The names in a folder, the last one first. A folder that can't be read is as an empty one. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted().toReversed();
  } catch {
    return [];
  }
}
