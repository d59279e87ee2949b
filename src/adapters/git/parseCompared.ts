import type { ComparedFile } from '../../engine/ports/ports.ts';

/**
 * Parses `git diff-tree -r -z -M --raw --numstat`. First a record a file, `:modes hashes letter` and one path, or two where something was moved or
 * copied; then the counts of lines of each, where `-` is the count of a binary file.
 */
export function parseCompared(output: string): readonly ComparedFile[] {
  const fields = output.split('\0');
  const changes: Omit<ComparedFile, 'binary'>[] = [];
  let at = 0;
  for (let letter = letterOf(fields[at]); letter !== undefined; letter = letterOf(fields[at])) {
    const first = fields[at + 1] ?? '';
    if (letter === 'R' || letter === 'C') {
      const path = fields[at + 2] ?? '';
      changes.push(letter === 'R' ? { path, oldPath: first, change: 'renamed' } : { path, oldPath: null, change: 'added' });
      at += 3;
      continue;
    }
    changes.push({ path: first, oldPath: null, change: letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified' });
    at += 2;
  }
  const binaries = parseBinaries(fields.slice(at));
  return changes.map((change) => ({ ...change, binary: binaries.has(change.path) }));
}

function letterOf(field = ''): string | undefined {
  return /^:\d+ \d+ [0-9a-f]+ [0-9a-f]+ ([A-Z])\d*$/.exec(field)?.[1];
}

/** The paths for which git counts no lines. */
function parseBinaries(fields: readonly string[]): ReadonlySet<string> {
  const binaries = new Set<string>();
  for (let at = 0; at < fields.length; at += 1) {
    const [, added, , path] = /^(\d+|-)\t(\d+|-)\t([^]*)$/.exec(fields[at] ?? '') ?? [];
    if (added === undefined) continue;
    // Of what was moved, the old and the new path follow as fields of their own.
    if (path === '') at += 2;
    if (added === '-') binaries.add(path === '' ? (fields[at] ?? '') : (path ?? ''));
  }
  return binaries;
}

/** Parses `git cat-file --batch`: the bytes of each object that was asked for, undefined of what is missing or no file. */
export function parseObjects(output: Uint8Array): readonly (Uint8Array | undefined)[] {
  const objects: (Uint8Array | undefined)[] = [];
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0x0a, at);
    if (end < 0) break;
    const [, kind, size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(new TextDecoder().decode(output.subarray(at, end))) ?? [];
    const length = size === undefined ? -1 : Number(size);
    objects.push(kind === 'blob' ? output.subarray(end + 1, end + 1 + length) : undefined);
    at = end + 1 + (length < 0 ? 0 : length + 1);
  }
  return objects;
}
