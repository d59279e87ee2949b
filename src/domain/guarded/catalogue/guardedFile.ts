import type { GuardedKind } from './guardedChange.ts';

/**
 * A row of the catalogue: files that a tool loads by their names. `source`: where the tool says so. `files`:
 * patterns divided by spaces: `name` is a file at any depth, `name/` a folder with everything in it, `/name`
 * only at the root, `*` any part of a name, and `{a,b}` either of them.
 */
export interface GuardedFile {
  readonly tool: string;
  readonly kind: GuardedKind;
  readonly source: string;
  readonly files: string;
}

/** The rows of a kind; one may name another kind. */
export function ofKind(
  kind: GuardedKind,
  rows: readonly (Omit<GuardedFile, 'kind'> & Partial<GuardedFile>)[],
): readonly GuardedFile[] {
  return rows.map((row) => ({ kind, ...row }));
}

/** A path as systems without letter case, zero-width signs, trailing dots and streams take it. */
export function folded(path: string): string {
  return path
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll('\\', '/')
    .split('/')
    .map((name) => name.replace(/(?<=.):.*$/s, '').replace(/(?<=[^. ])[. ]{1,200}$/, ''))
    .join('/')
    .toLowerCase()
    .normalize('NFKC');
}

/** The expression that a folded path of one of these patterns matches. */
export function patternOf(files: string): RegExp {
  const patterns = files.trim().split(/\s+/);
  const rooted = patterns.filter((one) => one.startsWith('/')).map((one) => expressionOf(one.slice(1)));
  const anywhere = patterns.filter((one) => !one.startsWith('/')).map(expressionOf);
  return new RegExp(`^(?:${[...rooted, `(?:.*/)?(?:${anywhere.join('|') || '(?!)'})`].join('|')})$`, 's');
}

function expressionOf(pattern: string): string {
  const isFolder = pattern.endsWith('/');
  const name = pattern
    .replace(/\/$/, '')
    .toLowerCase()
    .replace(/[.+()[\]^$|?\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('{', '(?:')
    .replaceAll('}', ')')
    .replaceAll(',', '|');
  return isFolder ? `${name}(?:/.*)?` : name;
}
