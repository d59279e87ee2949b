import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { ComparedFile, FileChange, InspectedWorktree } from '../../../engine/ports/ports.ts';

type Unlisted = Omit<InspectedWorktree, 'changes'>;

export interface ChangedPath {
  readonly path: string;
  readonly inHead: boolean;
  readonly onDisk: boolean;
  readonly untracked: boolean;
}

/**
 * Parses `git status --porcelain=v2 -z --no-renames`. Left out: `.ticket/`, repositories inside the worktree,
 * and names that aren't UTF-8.
 */
export function parseStatus(output: string): readonly ChangedPath[] {
  const changes = new Map<string, ChangedPath>();
  for (const record of output.split('\0')) {
    const change = statusRecord(record);
    if (!change || isKeptOut(change.path) || change.path.endsWith('/') || change.path.includes('\uFFFD'))
      continue;
    const other = changes.get(change.path);
    // `git rm --cached` lists a path twice: deleted, and untracked.
    changes.set(change.path, other ? { ...change, inHead: true, onDisk: true, untracked: false } : change);
  }
  return [...changes.values()];
}

export function parseUnlisted(output: string): Unlisted {
  const found = { repositories: [] as string[], unreadable: [] as string[], ignored: [] as string[] };
  for (const record of output.split('\0')) {
    const isIgnored = record.startsWith('! ');
    const path = isIgnored ? record.slice(2).replace(/\/$/, '') : (statusRecord(record)?.path ?? '');
    if (path === '' || isKeptOut(path)) continue;
    if (isIgnored) found.ignored.push(path);
    else if (path.includes('\uFFFD')) found.unreadable.push(path);
    else if (path.endsWith('/')) found.repositories.push(path.slice(0, -1));
  }
  return found;
}

/** Parses `git ls-files --unmerged -z`: up to three versions of each file. */
export function parseUnmerged(output: string): readonly string[] {
  return [...new Set(output.split('\0').flatMap((entry) => /\t([^]+)$/.exec(entry)?.[1] ?? []))];
}

export function toFileChanges(changes: readonly ChangedPath[]): readonly FileChange[] {
  return changes
    .filter(({ inHead, onDisk }) => inHead || onDisk)
    .map(({ path, inHead, onDisk, untracked }) => {
      if (untracked) return { path, state: 'untracked' };
      if (!onDisk) return { path, state: 'deleted' };
      return { path, state: inHead ? 'modified' : 'added' };
    });
}

/** Our own folder never belongs to a ticket's work. */
export function isKeptOut(path: string): boolean {
  return path === '.ticket' || path.startsWith('.ticket/');
}

const changeOf: Readonly<Record<string, 'renamed' | 'added' | 'deleted'>> = {
  R: 'renamed',
  A: 'added',
  C: 'added',
  D: 'deleted',
};

/** Parses `git diff-tree -r -z --name-status`. */
export function parseNameStatus(output: string): readonly FileChange[] {
  const fields = output.split('\0');
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const letter = fields[at]?.charAt(0) ?? '';
    const moved = letter === 'R' || letter === 'C';
    if (moved) at += 1;
    const path = fields[at + 1] ?? '';
    changes.push({ path, state: changeOf[letter] ?? 'modified' });
  }
  return changes;
}

export interface LoggedCommit {
  readonly sha: string;
  readonly subject: string;
  readonly trailers: Readonly<Record<string, string>>;
}

export const logFormat = '--format=tformat:%H%n%s%n%(trailers:only=true,unfold=true)';

export function parseLog(output: string): readonly LoggedCommit[] {
  return output
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => {
      const [sha = '', subject = '', ...lines] = record.split('\n');
      return { sha, subject, trailers: parseTrailers(lines) };
    });
}

export interface ListedWorktree {
  readonly path: string;
  readonly branch: string | null;
  readonly locked: boolean;
}

/** Parses `git worktree list --porcelain -z`. The main checkout (or bare repository) comes first. */
export function parseWorktrees(output: string): readonly ListedWorktree[] {
  return output
    .split('\0\0')
    .map((block) => block.split('\0'))
    .filter((lines) => lines[0]?.startsWith('worktree '))
    .map((lines) => ({
      path: lines[0]?.slice('worktree '.length) ?? '',
      branch: lines.find((line) => line.startsWith('branch '))?.slice('branch refs/heads/'.length) ?? null,
      locked: lines.some((line) => line === 'locked' || line.startsWith('locked ')),
    }));
}

function statusRecord(record: string): ChangedPath | undefined {
  const kind = record.charAt(0);
  if (kind === '?') return { path: record.slice(2), inHead: false, onDisk: true, untracked: true };
  // 1 XY sub mH mI mW hH hI path  /  u XY sub m1 m2 m3 mW h1 h2 h3 path
  const fields = record.split(' ');
  const path = (count: number) => fields.slice(count).join(' ');
  if (kind === '1') {
    const inHead = fields[3] !== '000000';
    const onDisk = fields[5] !== '000000';
    return { path: path(8), inHead, onDisk, untracked: false };
  }
  if (kind === 'u') return { path: path(10), inHead: true, onDisk: fields[6] !== '000000', untracked: false };
  return undefined;
}

function parseTrailers(lines: readonly string[]): Record<string, string> {
  const trailers: Record<string, string> = {};
  for (const line of lines) {
    const [, key, value] = /^([A-Za-z][A-Za-z0-9-]*):\s*(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) trailers[key] = value;
  }
  return trailers;
}

/** Throws OUTSIDE_WORKTREE for a path that leaves the worktree or is kept out. */
export function refusePathsOutside(paths: readonly string[]): void {
  for (const path of paths) {
    const parts = path.split('/');
    const leaves = parts.some(
      (part) => part === '' || part === '.' || part === '..' || part.toLowerCase() === '.git',
    );
    if (leaves || path.includes('\0') || isKeptOut(path))
      throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
  }
}

/**
 * Parses `git diff-tree -r -z -M --raw --numstat`: a record a file with one or two paths, then line counts,
 * `-` for a binary file.
 */
export function parseCompared(output: string): readonly ComparedFile[] {
  const fields = output.split('\0');
  const changes: Omit<ComparedFile, keyof LineCounts>[] = [];
  let at = 0;
  for (let raw = rawOf(fields[at]); raw; raw = rawOf(fields[at])) {
    const { blob, letter } = raw;
    const first = fields[at + 1] ?? '';
    const moved = letter === 'R' || letter === 'C';
    const path = moved ? (fields[at + 2] ?? '') : first;
    const change = changeOf[letter] ?? 'modified';
    changes.push({ path, oldPath: letter === 'R' ? first : null, change, blob });
    at += moved ? 3 : 2;
  }
  const counts = parseCounts(fields.slice(at));
  return changes.map((change) => ({ ...change, ...(counts.get(change.path) ?? { binary: false }) }));
}

function rawOf(field = ''): { readonly blob: string; readonly letter: string } | undefined {
  const [, blob = '', letter] = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) ([A-Z])\d*$/.exec(field) ?? [];
  return letter === undefined ? undefined : { blob, letter };
}

type LineCounts = Pick<ComparedFile, 'binary' | 'added' | 'deleted'>;

function parseCounts(fields: readonly string[]): ReadonlyMap<string, LineCounts> {
  const counts = new Map<string, LineCounts>();
  for (let at = 0; at < fields.length; at += 1) {
    const [, added, deleted, path] = /^(\d+|-)\t(\d+|-)\t([^]*)$/.exec(fields[at] ?? '') ?? [];
    if (added === undefined) continue;
    // After a move, the old and the new path are fields of their own.
    if (path === '') at += 2;
    counts.set(
      path === '' ? (fields[at] ?? '') : (path ?? ''),
      added === '-' ? { binary: true } : { binary: false, added: Number(added), deleted: Number(deleted) },
    );
  }
  return counts;
}

/** Limits of one command line: paths, and their characters together. */
const mostNamed = 500;
const longestNames = 16_000;

export function canBeNamed(paths: readonly string[]): boolean {
  return paths.length <= mostNamed && paths.join('').length <= longestNames;
}

/** Removes the sign-ins that addresses of remotes may have in them. */
export function withoutLogins(said: string): string {
  return said.replace(/\/\/[^/\s'"]*@/g, '//');
}
