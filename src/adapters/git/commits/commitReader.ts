import { Recent } from '../../../base/recent.ts';
import { CommitSha, isRelativePath } from '../../../domain/core/ids.ts';
import type { ComparedFile, FileChange } from '../../../engine/ports/ports.ts';
import type { GitCli, Place } from '../cli/gitCli.ts';
import {
  canBeNamed,
  type LoggedCommit,
  logFormat,
  parseCompared,
  parseLog,
  parseNameStatus,
} from '../cli/parseGit.ts';
import type { Revisions } from '../cli/revisions.ts';

export class CommitReader {
  readonly #cli: GitCli;
  readonly #revisions: Revisions;
  readonly #comparisons = new Recent<readonly ComparedFile[]>(8);
  readonly #logs = new Recent<readonly LoggedCommit[]>(8);
  readonly #listed = new Recent<string>(8);

  constructor(cli: GitCli, revisions: Revisions) {
    this.#cli = cli;
    this.#revisions = revisions;
  }

  async compare(place: Place, from: string, to: string): Promise<readonly ComparedFile[]> {
    const [first, last] = await this.#revisions.trees(place, from, to);
    return this.#comparisons.of(`${first} ${last}`, async () => {
      const formats = ['-r', '-z', '-M', '--no-ext-diff', '--no-textconv', '--raw', '--numstat'];
      const args = ['diff-tree', ...formats, '--end-of-options', first, last, '--', ...withoutTicket];
      return parseCompared((await this.#cli.run(place, { args })).stdout);
    });
  }

  async treeOf(place: Place, commit: string): Promise<string> {
    const sha = await this.#revisions.commit(place, commit);
    return this.#revisions.tree(place, sha);
  }

  /** Tracked paths that differ from HEAD; the index stays as it is. */
  async uncommitted(place: Place): Promise<readonly string[]> {
    const form = ['-z', '--name-only', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty'];
    return this.#cli.records(place, ['diff', ...form, 'HEAD', '--']);
  }

  async commits(place: Place, from: string, to: string): Promise<readonly LoggedCommit[]> {
    const [first, last] = await this.#revisions.pair(place, from, to);
    const args = ['log', '-z', '--no-show-signature', logFormat, '--end-of-options', last, `^${first}`];
    return this.#logs.of(`${first} ${last}`, async () =>
      parseLog((await this.#cli.run(place, { args })).stdout),
    );
  }

  /** See the port. git cuts the lines, so that none is long. */
  async subjects(place: Place, commit: string, most: number): Promise<readonly string[]> {
    const last = await this.#revisions.commit(place, commit);
    const args = [
      'log',
      '-z',
      '--no-show-signature',
      '--no-merges',
      `--max-count=${most}`,
      '--format=tformat:%<(200,trunc)%s',
    ];
    const lines = await this.#cli.records(place, [...args, '--end-of-options', last]);
    return lines.map((line) => line.trimEnd());
  }

  async diff(place: Place, from: string, to: string): Promise<string> {
    const pair = await this.#revisions.pair(place, from, to);
    const form = '-r -p -M --full-index --no-ext-diff --no-textconv --no-color --end-of-options'.split(' ');
    const args = ['diff-tree', ...form, ...pair, '--', ...withoutTicket];
    return (await this.#cli.run(place, { args })).stdout;
  }

  async changedFiles(place: Place, from: string, to: string): Promise<readonly FileChange[]> {
    const pair = await this.#revisions.pair(place, from, to);
    const form = ['-r', '-z', '-M', '--name-status', '--end-of-options'];
    const args = ['diff-tree', ...form, ...pair, '--', ...withoutTicket];
    return parseNameStatus((await this.#cli.run(place, { args })).stdout);
  }

  async filesNaming(
    place: Place,
    commit: string,
    words: readonly string[],
    within?: readonly string[],
  ): Promise<readonly string[]> {
    if (words.length === 0 || within?.length === 0) return [];
    const at = await this.#revisions.commit(place, commit);
    const patterns = [...new Set(words)].flatMap((word) => ['-e', word]);
    const files = within && canBeNamed(within) ? within.map((path) => `:(top,literal)${path}`) : [':/'];
    const form = ['-l', '-z', '-I', '-w', '-F', '--no-color', '--full-name'];
    const args = ['grep', ...form, ...patterns, at, '--', ...files];
    const names = await this.#cli.records(place, args, [0, 1]);
    const found = names.map((name) => name.slice(at.length + 1));
    return within ? found.filter((path) => within.includes(path)) : found;
  }

  /** See the port. `directory` keeps git from listing ignored folders. */
  async ignored(
    place: Place,
    only?: { readonly patterns: readonly string[] } | { readonly file: string },
  ): Promise<readonly string[]> {
    const rules =
      only === undefined
        ? ['--exclude-standard']
        : 'file' in only
          ? [`--exclude-from=${only.file}`]
          : only.patterns.map((pattern) => `--exclude=${pattern}`);
    const args = ['ls-files', '--others', '--ignored', '--directory', '-z', ...rules];
    const { code, stdout } = await this.#cli.run(place, { args, allow: [0, 128] });
    return code === 0 ? stdout.split('\0').filter((path) => path !== '') : [];
  }

  async regularFiles(place: Place, commit: string, paths?: readonly string[]): Promise<readonly string[]> {
    const asked = (paths ?? []).filter((path) => isRelativePath(path.replace(/\/$/, '')));
    if (!CommitSha.safeParse(commit).success || (paths && asked.length === 0)) return [];
    const args = ['ls-tree', '-r', '-z', '--full-tree', commit, '--', ...asked];
    const list = async (): Promise<string> => (await this.#cli.run(place, { args })).stdout;
    // The list of all files may be long, and isn't kept.
    const stdout = await (paths ? this.#listed.of(args.join('\0'), list) : list());
    const found = stdout
      .split('\0')
      .flatMap((line) => /^100\d{3} blob [0-9a-f]+\t([^]+)$/.exec(line)?.[1] ?? []);
    return found.filter(
      (path) =>
        !paths || asked.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place)),
    );
  }

  /** `commit`: a full hash, never an option or a path. */
  async blob(place: Place, commit: string, path: string): Promise<Uint8Array | undefined> {
    if (!CommitSha.safeParse(commit).success || !isRelativePath(path)) return undefined;
    const found = await this.#cli.object(place, `${commit}:${path}`, 'contents');
    return found?.type === 'blob' ? found.content : undefined;
  }

  async blobs(
    place: Place,
    commit: string,
    paths: readonly string[],
  ): Promise<readonly (Uint8Array | undefined)[]> {
    return Promise.all(paths.map((path) => this.blob(place, commit, path)));
  }
}

const withoutTicket = ['.', ':(top,exclude,literal).ticket'];
