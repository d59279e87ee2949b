import { oneLine } from '../../base/oneLine.ts';

/** A remote of git. `url`: its address for pushes; `isBase`: gh's answer to which one gets pull requests. */
export interface Remote {
  readonly name: string;
  readonly url: string;
  readonly isBase?: boolean;
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

/** The place that the remotes mean. `doubt`: a person has to choose one of these. */
export type PlaceChoice =
  | { readonly kind: 'place'; readonly place: ForgePlace }
  | { readonly kind: 'none' }
  | { readonly kind: 'doubt'; readonly remotes: readonly ForgeRepository[] };

/**
 * Finds the place among the remotes. `hosts`: the person's Enterprise hosts. No other host is a forge, for
 * it would get a token. `wanted`: the remote that a person chose for pull requests.
 */
export function choosePlace(
  remotes: readonly Remote[],
  hosts: readonly string[],
  wanted?: string,
): PlaceChoice {
  const found = remotes.flatMap((remote) => {
    const repository = repositoryOf(remote, hosts);
    return repository ? [{ ...repository, isBase: remote.isBase === true }] : [];
  });
  const plain = found.map(({ isBase: _, ...repository }) => repository);
  const head = plain.find(({ remote }) => remote === 'origin');
  const distinct = plain.filter(
    (one, at) => plain.findIndex((other) => sameRepository(one, other)) === at || one === head,
  );
  const isOne = plain.every((one) => plain[0] && sameRepository(one, plain[0]));
  const chosen = wanted ?? found.find(({ isBase }) => isBase)?.remote;
  const base =
    chosen === undefined
      ? isOne
        ? (head ?? plain[0])
        : undefined
      : plain.find((one) => one.remote === chosen);
  if (base) return { kind: 'place', place: { base, head: head?.host === base.host ? head : base } };
  return plain.length === 0 ? { kind: 'none' } : { kind: 'doubt', remotes: distinct };
}

/** Returns true if both are the same repository; forges ignore the case of letters. */
export function sameRepository(a: ForgeRepository, b: ForgeRepository): boolean {
  return nameOf(a) === nameOf(b);
}

function nameOf({ host, owner, name }: ForgeRepository): string {
  return `${host}/${owner}/${name}`.toLowerCase();
}

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

const forms = [
  /^(?<scheme>https?):\/\/(?:[^/@\s]*@)?(?<host>[^/@\s]+)\/(?<path>[^\s?#]+)$/i,
  // The port of SSH isn't one of the API.
  /^(?<scheme>ssh|git\+ssh):\/\/(?:[^/@\s]*@)?(?<host>[^/@:\s]+)(?::\d+)?\/(?<path>[^\s?#]+)$/i,
  /^(?:[\w.-]+@)(?<host>[^/@:\s]+):(?!\/\/)(?<path>[^\s?#]+)$/,
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
