import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { GitCli, Place } from '../cli/gitCli.ts';
import { durable } from '../cli/revisions.ts';
import type { Setting } from '../settings/foreignSettings.ts';
import { CommitSha } from '../../../domain/core/ids.ts';

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly trailers?: Readonly<Record<string, string>>;
  /** No branch ever gets it, so it needs no signature. */
  readonly internal?: boolean;
}

/** Creates commit objects, signed if the person's git signs commits; nothing else changes. */
export class Commits {
  readonly #cli: GitCli;
  readonly #environment: Readonly<Record<string, string | undefined>>;

  constructor(cli: GitCli, environment: Readonly<Record<string, string | undefined>>) {
    this.#cli = cli;
    this.#environment = environment;
  }

  /** Throws SIGNING_FAILED if git has to sign it and can't. */
  async make(place: Place, commit: NewCommit): Promise<string> {
    return this.signed(place, commit.internal === true, (sign) => this.#write(place, commit, sign));
  }

  /** Runs a call that makes commits, and says whether it has to sign them. Throws SIGNING_FAILED. */
  async signed<T>(place: Place, internal: boolean, call: (sign: boolean) => Promise<T>): Promise<T> {
    if (internal || (await signingIn(this.#cli, place)) !== 'on') return call(false);
    try {
      return await call(true);
    } catch (error) {
      if (!(error instanceof BeadsmithError) || error.code !== 'GIT_FAILED') throw error;
      const reason = error.args['reason'] ?? error.message;
      throw new BeadsmithError('SIGNING_FAILED', { reason }, { cause: error });
    }
  }

  /** Tells if commits are signed here. Signs one to notice a missing key early. Throws SIGNING_FAILED. */
  async trySigning(place: Place): Promise<Signing> {
    await this.signed(place, false, async (sign) => {
      if (!sign) return;
      const tree = await this.#cli.text(place, 'rev-parse', '--verify', '--end-of-options', 'HEAD^{tree}');
      await this.#write(place, { tree, parents: [], message: 'A trial of signing' }, sign);
    });
    return signingIn(this.#cli, place);
  }

  async #write(place: Place, commit: NewCommit, sign: boolean): Promise<string> {
    const parents = commit.parents.flatMap((parent) => ['-p', parent]);
    const { stdout } = await this.#cli.run(place, {
      args: ['commit-tree', ...(sign ? ['-S'] : []), ...parents, '-F', '-', commit.tree],
      input: messageOf(commit.message, commit.trailers ?? {}),
      env: await this.identity(place),
      config: durable,
    });
    return stdout.trim();
  }

  #isComplete = false;

  /** The person's identity as environment. What is missing is filled in: git would guess `root@host`. */
  async identity(place: Place): Promise<Record<string, string>> {
    if (this.#isComplete) return {};
    const configured = new Set((await this.#cli.settings(place)).map(({ name }) => name));
    const filled: Record<string, string> = {};
    for (const role of ['author', 'committer']) {
      for (const [field, value] of Object.entries({ name: 'Beadsmith', email: 'beadsmith@localhost' })) {
        const variable = `GIT_${role}_${field}`.toUpperCase();
        if (
          this.#environment[variable] === undefined &&
          !configured.has(`${role}.${field}`) &&
          !configured.has(`user.${field}`)
        ) {
          filled[variable] = value;
        }
      }
    }
    this.#isComplete = Object.keys(filled).length === 0;
    return filled;
  }
}

/** Trailers are a separate last paragraph, one line each: no text of a ticket is mistaken for one. */
export function messageOf(message: string, trailers: Readonly<Record<string, string>>): string {
  // git refuses NUL in a message, and other control characters don't belong in a log.
  const text = message.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ').trim() || 'Change';
  const lines = Object.entries(trailers).map(
    ([key, value]) => `${key}: ${value.replace(/\p{Cc}+/gu, ' ').trim()}`,
  );
  return lines.length === 0 ? `${text}\n` : `${text}\n\n${lines.join('\n')}\n`;
}

/** `foreign`: the repository's configuration names the program that signs, so it isn't started. */
type Signing = 'on' | 'off' | 'foreign';

const signingNames = /^(?:commit\.gpgsign|gpg\.(?:.*\.)?program|gpg\.ssh\.defaultkeycommand)$/;

/**
 * Returns how the person's git signs commits in a place, if at all (docs/decisions/079-signed-commits.md).
 * The program that signs has to come from the person's or the system's configuration: an agent can write that
 * of the repository.
 */
async function signingIn(cli: GitCli, place: Place): Promise<Signing> {
  const entries = (await cli.settings(place)).filter(({ name }) => signingNames.test(name));
  const wanted = entries.findLast(({ name }) => name === 'commit.gpgsign');
  if (!wanted || !isTrue(wanted.value)) return 'off';
  const isTrusted = ({ name, scope }: Setting): boolean =>
    name === 'commit.gpgsign' || scope === 'system' || scope === 'global';
  return entries.every(isTrusted) ? 'on' : 'foreign';
}

/** As git reads a boolean. */
export function isTrue(value: string): boolean {
  return /^(?:true|yes|on|-?[1-9]\d*)$/i.test(value);
}

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

  /** Replaces the note of a commit, unless it is the same. */
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
