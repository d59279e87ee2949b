import { basename, resolve } from 'node:path';
import type { Remote } from '../../../domain/forge/forgePlace.ts';

/** A repository in a team. `origin`: its address for clones, without a login; empty for none. */
interface TeamPlace {
  readonly name: string;
  readonly origin: string;
}

/**
 * Names a repository for all its clones by the address of `origin`: host, owner and name in lower case, or
 * the path on this machine. Without an origin, by the folder.
 */
export function teamPlace(remotes: readonly Pick<Remote, 'name' | 'url'>[], root: string): TeamPlace {
  const url = remotes.find(({ name }) => name === 'origin')?.url ?? '';
  const parts = addressForms.map((form) => form.exec(url)?.groups).find((found) => found !== undefined);
  const { scheme = '', user = '', host = '', path = '' } = parts ?? { path: url };
  const isFile = parts === undefined || scheme.toLowerCase() === 'file://';
  const isWeb = /^https?:/i.test(scheme);
  const known = host
    .toLowerCase()
    .replace(isWeb ? /:(?:80|443)$/ : /:\d+$/, '')
    .replace(/^(?:www|ssh)\.github\.com$/, 'github.com');
  const plain = isWeb ? path.replace(/[?#].*$/s, '') : path;
  const whole = isFile && !/^(?:[a-z]:)?[/\\]/i.test(plain) ? resolve(root, plain) : plain;
  const words = whole
    .replace(/[/\\]+$/, '')
    .replace(/\.git$/i, '')
    .split(/[/\\]+/)
    .filter((word) => word !== '');
  if (url === '' || words.length === 0) return { name: basename(root), origin: '' };
  // A user's name is part of an address of SSH, and a login elsewhere.
  const login = isWeb || user === '' ? '' : `${user}@`;
  const origin = parts === undefined ? whole : `${scheme}${login}${host}${scheme === '' ? ':' : ''}${plain}`;
  return { name: `${isFile ? '' : known}/${words.join('/')}`.toLowerCase(), origin };
}

const login = String.raw`(?:(?<user>[^/@:]*)[^/]*@)?`;
const addressForms = [
  new RegExp(String.raw`^(?<scheme>[a-z][a-z+.-]*://)${login}(?<host>[^/@]*)(?<path>/.*)?$`, 'is'),
  // As SCP writes it. One letter before the colon is a drive.
  new RegExp(String.raw`^${login}(?<host>[^/@:\\]{2,}):(?<path>.*)$`, 's'),
];
