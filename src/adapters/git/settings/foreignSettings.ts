import { isAbsolute, resolve } from 'node:path';
import { sha256 } from '../../../base/sha256.ts';
import { isInside } from '../../system/programs.ts';

/** An entry of git's configuration: its scope, and for a file `file:<path>`. */
export interface Setting {
  readonly scope: string;
  readonly origin: string;
  readonly name: string;
  readonly value: string;
}

/**
 * The occasion on which git starts the program of a setting. `server`: git lets it lead a connection
 * elsewhere, which matters where a ticket's work or a login goes along.
 */
type Occasion = 'content' | 'merge' | 'network' | 'server' | 'signature';

/** A place's git configuration in its effects (docs/decisions/115-hostile-repositories.md). */
export interface ForeignSettings {
  readonly foreign: readonly (Setting & { readonly occasion: Occasion })[];
  readonly off: Readonly<Record<string, string>>;
  /** git may have to fetch objects; otherwise no transport is allowed. */
  readonly partial: boolean;
}

const occasions: readonly (readonly [Occasion, RegExp])[] = [
  ['content', /^filter\.[^]*\.(?:clean|smudge|process)$/],
  ['merge', /^merge\.[^]*\.driver$/],
  [
    'network',
    /^core\.(?:sshcommand|gitproxy|askpass)$|^credential\.(?:[^]*\.)?helper$|^remote\.[^]*\.(?:uploadpack|receivepack|vcs)$/,
  ],
  [
    'server',
    /^remote\.[^]*\.(?:proxy|proxyauthmethod)$|^http\.(?!(?:[^]*\.)?(?:postbuffer|lowspeedlimit|lowspeedtime|version|maxrequests|minsessions)$)/,
  ],
  ['signature', /^gpg\.(?:[^]*\.)?(?:program|defaultkeycommand)$/],
];

/** Filters of `git lfs install --local`, and those that change nothing. */
const harmlessFilter =
  /^$|^cat$|^git-lfs (?:clean|smudge(?: --skip)?) -- %f$|^git-lfs filter-process(?: --skip)?$/;

/** Parses `git config --list --null --show-scope --show-origin`. A name without a value is true. */
export function parseSettings(output: string): readonly Setting[] {
  const fields = output.split('\0');
  const found: Setting[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [name = '', ...value] = (fields[at + 2] ?? '').split('\n');
    const text = value.length === 0 ? 'true' : value.join('\n');
    found.push({ scope: fields[at] ?? '', origin: fields[at + 1] ?? '', name, value: text });
  }
  return found;
}

/** `folders`: of the repository and its worktrees, whose files are never the person's. */
export function foreignSettings(
  settings: readonly Setting[],
  cwd: string,
  folders: readonly string[],
): ForeignSettings {
  const isOwn = (setting: Setting): boolean => {
    if (setting.scope !== 'system' && setting.scope !== 'global') return false;
    const file = fileOf(setting, cwd);
    return file !== undefined && !isInside(file, folders);
  };
  const trusted = new Set(
    settings.flatMap((one) => (one.name === 'beadsmith.trusted' && isOwn(one) ? [one.value] : [])),
  );
  const foreign = settings.flatMap((setting) => {
    const [occasion] = occasions.find(([, names]) => names.test(setting.name)) ?? [];
    if (occasion === undefined || setting.scope === 'command' || isOwn(setting)) return [];
    const isKnown =
      (occasion === 'content' && harmlessFilter.test(setting.value)) ||
      (occasion === 'merge' && setting.value === 'true');
    return isKnown || trusted.has(settingText(setting)) ? [] : [{ ...setting, occasion }];
  });
  const partial = settings.some(
    ({ name }) => name === 'extensions.partialclone' || /^remote\.[^]*\.promisor$/.test(name),
  );
  return {
    foreign,
    off: environmentOf([...foreign.flatMap(programOff), ...settings.flatMap(hookOff)]),
    partial,
  };
}

/** A setting as people see and trust it. A value that may be a secret is named by its hash. */
export function settingText({ name, value }: Pick<Setting, 'name' | 'value'>): string {
  const isSecret =
    /^http\.|^remote\.[^]*\.proxy$/.test(name) && (name.endsWith('header') || value.includes('@'));
  return `${name}=${isSecret ? `sha256:${sha256(value)}` : value}`;
}

export function fileOf({ origin }: Setting, cwd: string): string | undefined {
  const path = /^file:([^]+)$/.exec(origin)?.[1];
  if (path === undefined) return undefined;
  return isAbsolute(path) ? path : resolve(cwd, path);
}

/**
 * An empty filter is none. A merge driver that fails leaves a visible conflict, while git without a command
 * silently takes one side.
 */
function programOff({ name }: Setting): readonly (readonly [string, string])[] {
  if (name.startsWith('merge.')) return [[name, 'false']];
  if (!name.startsWith('filter.')) return [];
  return [
    [name, ''],
    [`${name.slice(0, name.lastIndexOf('.'))}.required`, 'false'],
  ];
}

/** Hooks are settings in later versions of git. */
function hookOff({ name }: Setting): readonly (readonly [string, string])[] {
  return /^hook\.[^]+\.command$/.test(name) ? [[name.replace(/command$/, 'enabled'), 'false']] : [];
}

function environmentOf(settings: readonly (readonly [string, string])[]): Record<string, string> {
  const environment: Record<string, string> =
    settings.length === 0 ? {} : { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [at, [name, value]] of settings.entries()) {
    environment[`GIT_CONFIG_KEY_${at}`] = name;
    environment[`GIT_CONFIG_VALUE_${at}`] = value;
  }
  return environment;
}
