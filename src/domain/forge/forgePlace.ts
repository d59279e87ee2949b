import { oneLine } from '../../base/oneLine.ts';

/**
 * A remote of git. `url`: its address for pushes; `isBase`: gh's answer to which one gets pull requests;
 * `isPushDefault`: git pushes there; `hasMore`: it pushes to other addresses, too.
 */
export interface Remote {
  readonly name: string;
  readonly url: string;
  readonly isBase?: boolean;
  readonly isPushDefault?: boolean;
  readonly hasMore?: boolean;
}

/** A repository on a forge. `api`: the address of its API; `remote`: git's name for it. */
export interface ForgeRepository {
  readonly remote: string;
  readonly host: string;
  readonly api: string;
  readonly owner: string;
  readonly name: string;
}

/** The repository that a ticket's branch is pushed to (`head`), and the one that gets its pull request. */
export interface ForgePlace {
  readonly head: ForgeRepository;
  readonly base: ForgeRepository;
}

/** `remote`: a person's choice. `repository`: the one with the ticket's pull request, by its full name. */
export interface PlaceWish {
  readonly remote?: string;
  readonly repository?: string;
}

/**
 * The place that the remotes mean. `doubt`: a person has to choose one of these. `none`: `several` is a
 * remote that would be on a forge, if it had one address alone.
 */
export type PlaceChoice =
  | { readonly kind: 'place'; readonly place: ForgePlace }
  | { readonly kind: 'none'; readonly several?: string }
  | { readonly kind: 'doubt'; readonly places: readonly ForgePlace[] };

/**
 * Finds the place among the remotes. `hosts`: the person's Enterprise hosts. No other host is a forge,
 * because it would get a token. A wanted repository that no remote leads to any more counts as none wanted.
 */
export function choosePlace(
  remotes: readonly Remote[],
  hosts: readonly string[],
  wish: PlaceWish = {},
): PlaceChoice {
  const onForge = remotes.flatMap((remote) => {
    const repository = repositoryOf(remote, hosts);
    return repository ? [{ remote, repository }] : [];
  });
  // git would push to every address, and only one was checked.
  const found = onForge.filter(({ remote }) => remote.hasMore !== true);
  const all = found.map(({ repository }) => repository);
  const [first] = all;
  if (first === undefined) {
    const several = onForge[0]?.remote.name;
    return { kind: 'none', ...(several === undefined ? {} : { several }) };
  }
  const heads = [
    ...found.flatMap(({ remote, repository }) => (remote.isPushDefault === true ? [repository] : [])),
    ...all.filter(({ remote }) => remote === 'origin'),
  ];
  const [head] = heads;
  const placeOf = (base: ForgeRepository): ForgePlace => ({
    base,
    head: heads.find(({ host }) => host === base.host) ?? base,
  });
  const distinct = all.filter(
    (one, at) => one === head || all.findIndex((other) => sameRepository(one, other)) === at,
  );
  const doubt = { kind: 'doubt', places: distinct.map(placeOf) } as const;
  if (wish.remote !== undefined) {
    const chosen = all.find(({ remote }) => remote === wish.remote);
    return chosen ? { kind: 'place', place: placeOf(chosen) } : doubt;
  }
  const same = all.filter((one) => fullName(one) === wish.repository?.toLowerCase());
  const isOne = all.every((one) => sameRepository(one, first));
  const base =
    same.find((one) => one === head) ??
    same[0] ??
    found.find(({ remote }) => remote.isBase === true)?.repository ??
    (isOne ? (head ?? first) : undefined);
  return base ? { kind: 'place', place: placeOf(base) } : doubt;
}

/** A repository of a forge by its name; undefined if the host is none. `isPlain`: without encryption. */
export function repositoryAt(
  {
    host,
    owner,
    name,
    isPlain = false,
  }: Pick<ForgeRepository, 'host' | 'owner' | 'name'> & { readonly isPlain?: boolean },
  hosts: readonly string[],
): ForgeRepository | undefined {
  const api = apiOf(host, isPlain ? 'http' : 'https', hosts);
  if (api === undefined || !isName(owner) || !isName(name)) return undefined;
  return { remote: '', host, api, owner, name };
}

/** A repository's name on every forge: `github.com/owner/name`, in lower case. */
export function fullName({ host, owner, name }: Named): string {
  return `${host}/${owner}/${name}`.toLowerCase();
}

/** A repository's name for people: with its host, unless that is github.com. */
export function shownName({ host, owner, name }: Named): string {
  return host === 'github.com' ? `${owner}/${name}` : `${host}/${owner}/${name}`;
}

/** Returns true if both are the same repository; forges ignore the case of letters. */
export function sameRepository(a: ForgeRepository, b: ForgeRepository): boolean {
  return fullName(a) === fullName(b);
}

/** Returns true if a remote's address is still that of the repository. */
export function leadsTo(remote: Remote, repository: ForgeRepository): boolean {
  const found = repositoryOf(remote, [repository.host]);
  return found !== undefined && sameRepository(found, repository) && found.api === repository.api;
}

type Named = Pick<ForgeRepository, 'host' | 'owner' | 'name'>;

/** A repository by its remote's address; undefined for what isn't on a forge. */
function repositoryOf({ name: remote, url }: Remote, hosts: readonly string[]): ForgeRepository | undefined {
  const parts = partsOf(url);
  if (!parts) return undefined;
  const { host, scheme } = parts;
  const api = apiOf(host, scheme, hosts);
  return api === undefined ? undefined : { remote, host, api, owner: parts.owner, name: parts.name };
}

function apiOf(host: string, scheme: string, hosts: readonly string[]): string | undefined {
  if (host === 'github.com') return 'https://api.github.com';
  if (/^[\w-]+\.ghe\.com$/.test(host)) return `https://api.${host}`;
  if (!hosts.some((known) => known.toLowerCase() === host)) return undefined;
  // Without encryption a token would be readable on the way.
  if (scheme === 'http' && !/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host)) return undefined;
  return `${scheme === 'http' ? 'http' : 'https'}://${host}/api/v3`;
}

interface Address {
  readonly scheme: string;
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}

// What stands before the "@" has no character at which git would end the host, or that it would decode.
const forms = [
  /^(?<scheme>https?):\/\/(?:[\w.~-]*(?::[\w.~%+=-]*)?@)?(?<host>(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?)\/(?<path>[^\s?#]+)$/i,
  // The port of SSH isn't one of the API.
  /^(?<scheme>ssh|git\+ssh):\/\/(?:\w[\w.-]*@)?(?<host>[\w.-]+)(?::\d+)?\/(?<path>[^\s?#]+)$/i,
  /^(?:\w[\w.-]*@)(?<host>[\w.-]+):(?!\/\/)(?<path>[^\s?#]+)$/,
];

function partsOf(url: string): Address | undefined {
  if (url !== oneLine(url) || url.length > 1_000) return undefined;
  for (const form of forms) {
    const { scheme = 'ssh', host = '', path = '' } = form.exec(url)?.groups ?? {};
    const [owner = '', name = '', ...more] = path
      .replace(/^\/+|\/+$/g, '')
      .replace(/\.git$/, '')
      .split('/');
    if (host === '' || more.length > 0 || !isName(owner) || !isName(name)) continue;
    const known = host.toLowerCase().replace(/^(?:www|ssh)\.github\.com$/, 'github.com');
    return { scheme: scheme.toLowerCase(), host: known, owner, name };
  }
  return undefined;
}

function isName(text: string): boolean {
  return /^[\w.-]{1,100}$/.test(text) && !/^\.+$/.test(text);
}
