import { relative } from 'node:path';

/** Where a person is, and where the repository is. */
export interface CommandPlace {
  readonly cwd: string;
  readonly root: string;
}

/** A command as a person can type it where they are. */
export function commandLine(words: string, { cwd, root }: CommandPlace): string {
  const way = relative(root, cwd);
  const inside = way === '' || (!way.startsWith('..') && !/^([A-Za-z]:)?[\\/]/.test(way));
  return `beadsmith ${words}${inside ? '' : ` --repo ${quoted(root)}`}`;
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
