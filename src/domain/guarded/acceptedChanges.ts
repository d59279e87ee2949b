import { guardedNames, type GuardedChange, type GuardedKind } from './catalogue/guardedChange.ts';

/**
 * The changes that a repository accepts without a question (docs/decisions/165-guarded-by-default.md), read
 * from the ticket's base commit, so that no work extends them.
 */
export const acceptedFile = '.beadsmith/accepted-changes';

interface Accepted {
  readonly kind: GuardedKind;
  readonly path: string;
}

/**
 * Reads lines of a kind and a path from the root, or a folder with a final slash. `#` begins a comment; other
 * lines accept nothing.
 */
export function readAccepted(text: string): (change: GuardedChange) => boolean {
  const lines = text.split('\n').flatMap((line): Accepted[] => {
    const [, kind = '', path = ''] = /^\s*([a-z_]+)[ \t]+(\S.*?)\s*$/.exec(line) ?? [];
    return isKind(kind) && kind !== 'secret' ? [{ kind, path }] : [];
  });
  return ({ kind, path }) =>
    lines.some(
      (one) => one.kind === kind && (one.path.endsWith('/') ? path.startsWith(one.path) : path === one.path),
    );
}

function isKind(text: string): text is GuardedKind {
  return Object.hasOwn(guardedNames, text);
}
