import type { RelevantFile } from '../../domain/relevantFiles.ts';

/** The most characters of reasons and previews together (LoopTroop 3). */
export const longestScan = 160_000;
const rank = { high: 0, medium: 1, low: 2 } as const;

/**
 * Keeps what fits: the least relevant files go first, and among equals the later one. The order of those that stay is the scan's. Repeated paths
 * count once.
 */
export function capped(files: readonly RelevantFile[], most: number = longestScan): RelevantFile[] {
  const unique = files.filter((file, index) => files.findIndex((other) => other.path === file.path) === index);
  const byValue = unique.toSorted((a, b) => rank[a.relevance] - rank[b.relevance]);
  const kept = new Set<RelevantFile>();
  let size = 0;
  for (const file of byValue) {
    size += file.rationale.length + file.content_preview.length;
    if (size > most) break;
    kept.add(file);
  }
  return unique.filter((file) => kept.has(file));
}

/** A path as models write it: without `./`, and without the worktree in front. */
export function tidyPath(path: unknown, worktree: string): unknown {
  if (typeof path !== 'string') return path;
  const inside = path.startsWith(`${worktree}/`) ? path.slice(worktree.length + 1) : path;
  return inside.trim().replace(/^(?:\.\/)+/, '');
}
