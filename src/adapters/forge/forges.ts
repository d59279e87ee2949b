import { BeadsmithError } from '../../domain/core/errors.ts';
import {
  choosePlace,
  type ForgePlace,
  type PlaceChoice,
  type PlaceWish,
  shownName,
} from '../../domain/forge/forgePlace.ts';
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
    const choice = await this.#choice();
    return choice.kind !== 'none' || choice.several !== undefined;
  }

  async places(wish?: PlaceWish): Promise<readonly ForgePlace[]> {
    const choice = await this.#choice(wish);
    if (choice.kind === 'none') throw noneError(choice.several);
    return choice.kind === 'place' ? [choice.place] : choice.places;
  }

  async at(wish?: PlaceWish): Promise<RemoteForge> {
    const choice = await this.#choice(wish);
    if (choice.kind === 'none') throw noneError(choice.several);
    if (choice.kind === 'doubt') throw doubtError(choice.places, wish?.remote);
    const { GithubForge } = await import('./github/githubForge.ts');
    const { host } = choice.place.base;
    return new GithubForge({
      place: choice.place,
      token: async (isQuiet) => (await this.#tokens.of(host, isQuiet))?.token,
      source: async (isQuiet) => (await this.#tokens.of(host, isQuiet))?.source,
    });
  }

  async #choice(wish?: PlaceWish): Promise<PlaceChoice> {
    return choosePlace(await this.#git.remotes(), this.#tokens.hosts, wish);
  }
}

function noneError(several: string | undefined): BeadsmithError {
  if (several !== undefined)
    return new BeadsmithError('FORGE_UNKNOWN', {
      reason: `the remote "${several}" pushes to several addresses.`,
      remedy: 'Add a remote with one address on GitHub, and choose that one.',
    });
  return new BeadsmithError('FORGE_UNKNOWN', {
    reason: 'none of the remotes is on GitHub.',
    remedy: 'Add a remote on GitHub, or set GH_HOST to the host of your GitHub Enterprise Server.',
  });
}

function doubtError(places: readonly ForgePlace[], wanted: string | undefined): BeadsmithError {
  const known = places.map(({ base }) => `${base.remote} (${shownName(base)})`).join(', ');
  const names = places.map(({ base }) => base.remote).join(', ');
  return new BeadsmithError('FORGE_UNKNOWN', {
    reason:
      wanted === undefined
        ? `several remotes are on GitHub: ${known}.`
        : `the remote "${wanted}" isn't on GitHub, or pushes to several addresses. On GitHub: ${known}.`,
    remedy: `Choose the one that gets the pull request (${names}), with --remote, or for good with "gh repo set-default".`,
  });
}
