/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The path of a file's folder; empty at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

const priorities = new Map([
  ['critical', 1],
  ['high', 2],
  ['medium', 3],
  ['low', 4],
]);

/** The priority of a word that Task Master and Backlog.md share. */
export function priorityOf(word: string | null | undefined): number {
  return priorities.get(word?.toLowerCase() ?? '') ?? 3;
}
