import type { ComparedFile } from '../../engine/ports/ports.ts';

type NamedChange = Omit<ComparedFile, 'binary'>;

/** Parses `git diff-tree -r -z -M --name-status`: a letter, one path, or two where something was moved or copied. */
export function parseNamedChanges(output: string): readonly NamedChange[] {
  const fields = output.split('\0');
  const changes: NamedChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const letter = fields[at]?.charAt(0) ?? '';
    const first = fields[at + 1] ?? '';
    if (letter !== 'R' && letter !== 'C') {
      changes.push({ path: first, oldPath: null, change: letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified' });
      continue;
    }
    at += 1;
    const path = fields[at + 1] ?? '';
    changes.push(letter === 'R' ? { path, oldPath: first, change: 'renamed' } : { path, oldPath: null, change: 'added' });
  }
  return changes;
}

/** Parses `git diff-tree -r -z -M --numstat`: the paths for which git counts no lines. */
export function parseBinaries(output: string): ReadonlySet<string> {
  const fields = output.split('\0');
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
