import { BeadsmithError } from '../../domain/core/errors.ts';
import { choosePlace, type ForgeRepository } from '../../domain/forge/forgePlace.ts';
import type { Forges, Git, RemoteForge } from '../../engine/ports/ports.ts';
import type { Tokens } from './tokens.ts';

/** Finds the forge by the remotes. It is loaded when it is used. */
export class RemoteForges implements Forges {
  readonly #git: Pick<Git, 'remotes'>;
  readonly #tokens: Tokens;

  constructor(git: Pick<Git, 'remotes'>, tokens: Tokens) {
    this.#git = git;
    this.#tokens = tokens;
  }

  async isThere(): Promise<boolean> {
    return choosePlace(await this.#git.remotes(), this.#tokens.hosts).kind !== 'none';
  }

  async at(remote?: string): Promise<RemoteForge> {
    const { hosts } = this.#tokens;
    const choice = choosePlace(await this.#git.remotes(), hosts, remote);
    if (choice.kind === 'none')
      throw new BeadsmithError('FORGE_UNKNOWN', {
        reason: 'none of the remotes is on GitHub.',
        remedy: 'Add a remote on GitHub, or set GH_HOST to the host of your GitHub Enterprise Server.',
      });
    if (choice.kind === 'doubt') {
      const names = choice.remotes.map((one) => one.remote).join(', ');
      throw new BeadsmithError('FORGE_UNKNOWN', {
        reason: `several remotes are on GitHub: ${choice.remotes.map(textOf).join(', ')}.`,
        remedy: `Choose the one that gets the pull request (${names}), with --remote, or for good with "gh repo set-default".`,
      });
    }
    const { GithubForge } = await import('./github/githubForge.ts');
    const { host } = choice.place.base;
    return new GithubForge({ place: choice.place, token: () => this.#tokens.of(host) });
  }
}

function textOf({ remote, owner, name }: ForgeRepository): string {
  return `${remote} (${owner}/${name})`;
}
