import { CommitSha, isRelativePath } from '../../domain/ids.ts';
import type { ComparedFile, FileChange } from '../../engine/ports/ports.ts';
import type { GitCli, Place } from './gitCli.ts';
import { type LoggedCommit, logFormat, parseLog, parseNameStatus } from './parseGit.ts';
import type { Revisions } from './revisions.ts';

/** Reads commits without a worktree, so that a ticket's changes can be shown when its worktree is gone. */
export class CommitReader {
  readonly #cli: GitCli;
  readonly #revisions: Revisions;

  constructor(cli: GitCli, revisions: Revisions) {
    this.#cli = cli;
    this.#revisions = revisions;
  }

  async compare(place: Place, from: string, to: string): Promise<readonly ComparedFile[]> {
    const pair = [await this.#revisions.commit(place, from), await this.#revisions.commit(place, to)];
    const rest = ['--end-of-options', ...pair, '--', ...withoutTicket];
    const look = async (format: string): Promise<string> =>
      (await this.#cli.run(place, { args: ['diff-tree', '-r', '-z', '-M', '--no-ext-diff', '--no-textconv', format, ...rest] })).stdout;
    const [changes, numbers] = await Promise.all([look('--name-status'), look('--numstat')]);
    const binaries = parseBinaries(numbers);
    return parseNamedChanges(changes).map((change) => ({ ...change, binary: binaries.has(change.path) }));
  }

  async treeOf(place: Place, commit: string): Promise<string> {
    const sha = await this.#revisions.commit(place, commit);
    return this.#cli.text(place, 'rev-parse', '--verify', '--end-of-options', `${sha}^{tree}`);
  }

  /** Tracked paths of a checkout that differ from its commit. Its index stays as it is. */
  async uncommitted(place: Place): Promise<readonly string[]> {
    const args = ['diff', '-z', '--name-only', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty', 'HEAD', '--'];
    return (await this.#cli.run(place, { args })).stdout.split('\0').filter((path) => path !== '');
  }

  async commits(place: Place, from: string, to: string): Promise<readonly LoggedCommit[]> {
    const [first, last] = [await this.#revisions.commit(place, from), await this.#revisions.commit(place, to)];
    const args = ['log', '-z', '--no-show-signature', logFormat, '--end-of-options', last, `^${first}`];
    return parseLog((await this.#cli.run(place, { args })).stdout);
  }

  async diff(place: Place, from: string, to: string): Promise<string> {
    const pair = [await this.#revisions.commit(place, from), await this.#revisions.commit(place, to)];
    const args = ['diff-tree', '-r', '-p', '-M', '--full-index', '--no-ext-diff', '--no-textconv', '--no-color', '--end-of-options'];
    return (await this.#cli.run(place, { args: [...args, ...pair, '--', ...withoutTicket] })).stdout;
  }

  async changedFiles(place: Place, from: string, to: string): Promise<readonly FileChange[]> {
    const pair = [await this.#revisions.commit(place, from), await this.#revisions.commit(place, to)];
    const args = ['diff-tree', '-r', '-z', '-M', '--name-status', '--end-of-options', ...pair, '--', ...withoutTicket];
    return parseNameStatus((await this.#cli.run(place, { args })).stdout);
  }

  /** Paths of text files in a commit that contain one of these as a whole word. No words: none. */
  async filesNaming(place: Place, commit: string, words: readonly string[]): Promise<readonly string[]> {
    if (words.length === 0) return [];
    const at = await this.#revisions.commit(place, commit);
    const patterns = [...new Set(words)].flatMap((word) => ['-e', word]);
    const args = ['grep', '-l', '-z', '-I', '-w', '-F', '--no-color', '--full-name', ...patterns, at, '--', ':/'];
    const { stdout } = await this.#cli.run(place, { args, allow: [0, 1] });
    return stdout.split('\0').flatMap((name) => (name === '' ? [] : [name.slice(at.length + 1)]));
  }

  /** See the port. `directory` keeps git from listing what lies in a folder that is ignored as a whole. */
  async ignored(place: Place, only?: { readonly patterns: readonly string[] } | { readonly file: string }): Promise<readonly string[]> {
    const rules =
      only === undefined ? ['--exclude-standard'] : 'file' in only ? [`--exclude-from=${only.file}`] : patternRules(only.patterns);
    const args = ['ls-files', '--others', '--ignored', '--directory', '-z', ...rules];
    const { code, stdout } = await this.#cli.run(place, { args, allow: [0, 128] });
    return code === 0 ? stdout.split('\0').filter((path) => path !== '') : [];
  }

  /** `commit` is a full hash, which can't be mistaken for an option or a path. */
  async blob(place: Place, commit: string, path: string): Promise<Uint8Array | undefined> {
    if (!CommitSha.safeParse(commit).success || !isRelativePath(path)) return undefined;
    const call = { args: ['cat-file', 'blob', `${commit}:${path}`], allow: [0, 128], bytes: true };
    const { code, bytes } = await this.#cli.run(place, call);
    return code === 0 ? bytes : undefined;
  }
}

function patternRules(patterns: readonly string[]): readonly string[] {
  return patterns.map((pattern) => `--exclude=${pattern}`);
}

const withoutTicket = ['.', ':(top,exclude,literal).ticket'];

type NamedChange = Omit<ComparedFile, 'binary'>;

/** Parses `git diff-tree -r -z -M --name-status`: a letter, one path, or two where something was moved or copied. */
function parseNamedChanges(output: string): readonly NamedChange[] {
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
function parseBinaries(output: string): ReadonlySet<string> {
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
