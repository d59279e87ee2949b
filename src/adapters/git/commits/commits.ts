import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { GitCli, Place } from '../cli/gitCli.ts';
import { durable } from '../cli/revisions.ts';
import { type Signing, signingIn } from './signing.ts';

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly trailers?: Readonly<Record<string, string>>;
  /** No branch ever gets it, so it needs no signature. */
  readonly internal?: boolean;
}

/**
 * Creates commit objects, signed if the person's git signs commits. No ref, index or file changes; hooks and
 * editors aren't involved.
 */
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
      throw new BeadsmithError(
        'SIGNING_FAILED',
        { reason: error.args['reason'] ?? error.message },
        { cause: error },
      );
    }
  }

  /**
   * Returns whether commits are signed here. Signs one that nothing refers to, so that a missing key is
   * noticed before there is work. Throws SIGNING_FAILED.
   */
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

  /**
   * The person's own identity, as environment. What is missing is filled in, because git's guess
   * (`root@host`) would be worse.
   */
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

/**
 * Trailers are a separate last paragraph, one line each, so that no text of a ticket can be mistaken for one.
 */
export function messageOf(message: string, trailers: Readonly<Record<string, string>>): string {
  // git refuses NUL in a message, and other control characters don't belong in a log.
  const text = message.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ').trim() || 'Change';
  const lines = Object.entries(trailers).map(
    ([key, value]) => `${key}: ${value.replace(/\p{Cc}+/gu, ' ').trim()}`,
  );
  return lines.length === 0 ? `${text}\n` : `${text}\n\n${lines.join('\n')}\n`;
}
