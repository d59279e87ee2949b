import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import {
  choosePlace,
  type ForgePlace,
  type ForgeRepository,
  type PlaceChoice,
  type PlaceWish,
  repositoryAt,
  shownName,
} from '../../domain/forge/forgePlace.ts';
import type { ForgeIssue, IssueName } from '../../domain/forge/issue.ts';
import { because } from '../../domain/forge/forgeReasons.ts';
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

  async issue({ repository, number }: IssueName, signal?: AbortSignal): Promise<ForgeIssue> {
    const found = await this.#repository(repository, `#${String(number)}`);
    const { readGithubIssue } = await import('./github/githubIssues.ts');
    return readGithubIssue({
      repository: found,
      number,
      token: async () => (await this.#tokens.of(found.host, false))?.token,
      signal,
    });
  }

  /** That of a name, or of the remotes. */
  async #repository(given: IssueName['repository'], shown: string): Promise<ForgeRepository> {
    if (given?.host !== undefined) {
      const named = repositoryAt({ ...given, host: given.host }, this.#tokens.hosts);
      if (named) return named;
      const reason = `${given.host} isn't GitHub. To use a GitHub Enterprise Server, set GH_HOST to its host.`;
      throw invalidInput('The address', reason);
    }
    const choice = await this.#choice();
    const places = choice.kind === 'place' ? [choice.place] : choice.kind === 'doubt' ? choice.places : [];
    const [first] = places;
    if (given) {
      if (first) return { ...first.base, remote: '', owner: given.owner, name: given.name };
      const { owner, name } = given;
      return { remote: '', host: 'github.com', api: 'https://api.github.com', owner, name };
    }
    if (first && choice.kind === 'place') return first.base;
    const names = places.map(({ base }) => `${shownName(base)}${shown}`);
    const reason = first
      ? `several remotes are on GitHub. Name one: ${names.join(', ')}.`
      : 'none of the remotes is on GitHub. Name the issue by its address.';
    throw invalidInput(shown, reason);
  }

  async #choice(wish?: PlaceWish): Promise<PlaceChoice> {
    return choosePlace(await this.#git.remotes(), this.#tokens.hosts, wish);
  }
}

function noneError(several: string | undefined): BeadsmithError {
  if (several !== undefined)
    return new BeadsmithError('FORGE_UNKNOWN', because('severalAddresses', { remote: several }));
  return new BeadsmithError('FORGE_UNKNOWN', because('noRemote'));
}

function doubtError(places: readonly ForgePlace[], wanted: string | undefined): BeadsmithError {
  const known = places.map(({ base }) => `${base.remote} (${shownName(base)})`).join(', ');
  const names = places.map(({ base }) => base.remote).join(', ');
  const why =
    wanted === undefined
      ? because('severalRemotes', { known, names })
      : because('otherRemote', { known, names, wanted });
  return new BeadsmithError('FORGE_UNKNOWN', why);
}
