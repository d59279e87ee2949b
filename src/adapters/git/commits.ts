import type { GitCli, Place } from './gitCli.ts';
import { durable } from './revisions.ts';

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly trailers?: Readonly<Record<string, string>>;
}

/** Creates commit objects. No ref, index or file changes; hooks, editors and signing aren't involved. */
export class Commits {
  readonly #cli: GitCli;
  readonly #environment: Readonly<Record<string, string | undefined>>;

  constructor(cli: GitCli, environment: Readonly<Record<string, string | undefined>>) {
    this.#cli = cli;
    this.#environment = environment;
  }

  async make(place: Place, commit: NewCommit): Promise<string> {
    const parents = commit.parents.flatMap((parent) => ['-p', parent]);
    const { stdout } = await this.#cli.run(place, {
      args: ['commit-tree', ...parents, '-F', '-', commit.tree],
      input: messageOf(commit.message, commit.trailers ?? {}),
      env: await this.identity(place),
      config: durable,
    });
    return stdout.trim();
  }

  #isComplete = false;

  /** The person's own identity, as environment. What is missing is filled in, because git's guess (`root@host`) would be worse. */
  async identity(place: Place): Promise<Record<string, string>> {
    if (this.#isComplete) return {};
    const args = ['config', '--null', '--get-regexp', '^(user|author|committer)\\.(name|email)$'];
    const { stdout } = await this.#cli.run(place, { args, allow: [0, 1] });
    const configured = new Set(stdout.split('\0').map((entry) => entry.split('\n')[0]?.toLowerCase()));
    const filled: Record<string, string> = {};
    for (const role of ['author', 'committer']) {
      for (const [field, value] of Object.entries({ name: 'Beadsmith', email: 'beadsmith@localhost' })) {
        const variable = `GIT_${role}_${field}`.toUpperCase();
        if (this.#environment[variable] === undefined && !configured.has(`${role}.${field}`) && !configured.has(`user.${field}`)) {
          filled[variable] = value;
        }
      }
    }
    this.#isComplete = Object.keys(filled).length === 0;
    return filled;
  }
}

/** Trailers are a separate last paragraph, one line each, so that no text of a ticket can be mistaken for one. */
export function messageOf(message: string, trailers: Readonly<Record<string, string>>): string {
  // git refuses NUL in a message, and other control characters don't belong in a log.
  const text = message.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ').trim() || 'Change';
  const lines = Object.entries(trailers).map(([key, value]) => `${key}: ${value.replace(/\p{Cc}+/gu, ' ').trim()}`);
  return lines.length === 0 ? `${text}\n` : `${text}\n\n${lines.join('\n')}\n`;
}
