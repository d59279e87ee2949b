import { CommitSha, isRelativePath } from '../../domain/ids.ts';
import type { ComparedFile } from '../../engine/ports/ports.ts';
import type { GitCli, Place } from './gitCli.ts';
import { parseBinaries, parseNamedChanges } from './parseCompared.ts';
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
    const rest = ['--end-of-options', ...pair, '--', '.', ':(top,exclude,literal).ticket'];
    const look = async (format: string): Promise<string> =>
      (await this.#cli.run(place, { args: ['diff-tree', '-r', '-z', '-M', '--no-ext-diff', '--no-textconv', format, ...rest] })).stdout;
    const [changes, numbers] = await Promise.all([look('--name-status'), look('--numstat')]);
    const binaries = parseBinaries(numbers);
    return parseNamedChanges(changes).map((change) => ({ ...change, binary: binaries.has(change.path) }));
  }

  /** `commit` is a full hash, which can't be mistaken for an option or a path. */
  async blob(place: Place, commit: string, path: string): Promise<Uint8Array | undefined> {
    if (!CommitSha.safeParse(commit).success || !isRelativePath(path)) return undefined;
    const call = { args: ['cat-file', 'blob', `${commit}:${path}`], allow: [0, 128], bytes: true };
    const { code, bytes } = await this.#cli.run(place, call);
    return code === 0 ? bytes : undefined;
  }
}
