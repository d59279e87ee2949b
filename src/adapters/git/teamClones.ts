import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { exists } from '../system/files.ts';
import { findGit } from '../system/programs.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const mostMs = 600_000;

/** Clones of a team's repositories in one folder, fetched each time they are opened. */
export class TeamClones {
  readonly #folder: string;
  readonly #env: Environment;

  constructor(folder: string, env: Environment) {
    this.#folder = folder;
    this.#env = env;
  }

  /** Throws UNEXPECTED with git's words. */
  async open({ name, url }: { readonly name: string; readonly url: string }): Promise<string> {
    const folder = join(this.#folder, safeName(name));
    if (await exists(join(folder, '.git'))) {
      await this.#git(['fetch', '--quiet', '--prune', 'origin'], folder);
      return folder;
    }
    if (url === '')
      throw new BeadsmithError('UNEXPECTED', { reason: `the team has no address of ${name} to clone` });
    await mkdir(this.#folder, { recursive: true });
    await this.#git(['clone', '--quiet', '--', url, folder], this.#folder);
    return folder;
  }

  async #git(args: readonly string[], cwd: string): Promise<void> {
    const env = { ...this.#env, GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh' };
    try {
      await promisify(execFile)(findGit(this.#env, [this.#folder]) ?? 'git', [...args], {
        cwd,
        env,
        timeout: mostMs,
      });
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      throw new BeadsmithError('UNEXPECTED', { reason: said.slice(-500) }, { cause: error });
    }
  }
}

/** A folder's name for any name; different ones stay different. */
function safeName(name: string): string {
  return encodeURIComponent(name).replaceAll('.', '%2E').replaceAll('%', '_');
}
