import { CommitSha } from '../../../domain/core/ids.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Commits } from './commits.ts';
import type { GitCli, Place } from '../cli/gitCli.ts';
import { durable } from '../cli/revisions.ts';

/**
 * Notes on commits under one ref of ours (docs/decisions/060-evidence-travels-with-the-commit.md). The ref is
 * named in every call, so that no configuration of the person's notes counts.
 */
export class Notes {
  readonly #cli: GitCli;
  readonly #commits: Commits;

  constructor(cli: GitCli, commits: Commits) {
    this.#cli = cli;
    this.#commits = commits;
  }

  /** The text of a commit's note; undefined if it has none. */
  async read(place: Place, ref: string, commit: string): Promise<string | undefined> {
    CommitSha.parse(commit);
    const { code, stdout } = await this.#cli.run(place, {
      args: ['notes', `--ref=${ours(ref)}`, 'list', commit],
      allow: [0, 1],
    });
    return code === 0 ? this.#text(place, stdout.trim()) : undefined;
  }

  /** Every note: the commit it is on, and its text. */
  async all(place: Place, ref: string): Promise<ReadonlyMap<string, string>> {
    const { stdout } = await this.#cli.run(place, { args: ['notes', `--ref=${ours(ref)}`, 'list'] });
    const notes = new Map<string, string>();
    for (const line of stdout.split('\n')) {
      const [blob, commit] = line.split(' ');
      if (blob && commit) notes.set(commit, await this.#text(place, blob));
    }
    return notes;
  }

  /**
   * Replaces the note of a commit. A note that is there already is left alone, so that nothing is written
   * twice.
   */
  async write(place: Place, ref: string, commit: string, text: string): Promise<void> {
    if ((await this.read(place, ref, commit)) === text) return;
    const { stdout } = await this.#cli.run(place, {
      args: ['hash-object', '-w', '--stdin'],
      input: text,
      config: durable,
    });
    await this.#cli.run(place, {
      args: ['notes', `--ref=${ours(ref)}`, 'add', '--force', '-C', stdout.trim(), commit],
      env: await this.#commits.identity(place),
      config: durable,
    });
  }

  async #text(place: Place, blob: string): Promise<string> {
    return (await this.#cli.run(place, { args: ['cat-file', 'blob', blob] })).stdout;
  }
}

/** Only notes of ours. */
function ours(ref: string): string {
  if (/^refs\/notes\/beadsmith[\w/-]*$/.test(ref)) return ref;
  throw new BeadsmithError('OUTSIDE_WORKTREE', { path: ref });
}
