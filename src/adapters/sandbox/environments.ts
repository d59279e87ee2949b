import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join, isAbsolute } from 'node:path';
import { readdir, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { placeVariables, toolchainFolders, homeOf } from '../system/commandEnvironment.ts';
import { isWithin, realAt, statAt, textAt } from '../system/files.ts';
import { inHeldFolder } from '../system/heldFolder.ts';

type Environment = Readonly<Record<string, string>>;

/**
 * The environment of an unconfined proof (docs/decisions/175-proofs-have-a-home-of-their-own.md): HOME is its
 * own, toolchains and packages stay, `installs` keeps registry logins.
 */
export function proofEnvironment(
  env: Environment,
  { home, installs }: { readonly home: string; readonly installs: boolean },
): Record<string, string> {
  const person = homeOf(env);
  const isSet = new Set(Object.keys(env).map((name) => name.toLowerCase()));
  const shared = Object.entries({ ...fetched, ...(installs ? logins : {}) }).flatMap(([name, places]) => {
    const place = isSet.has(name.toLowerCase())
      ? undefined
      : places.map((below) => placeOf(below, env, person)).find((path) => existsSync(path));
    return place === undefined ? [] : [[name, place] as const];
  });
  const kept = Object.entries(env).filter(([name]) => !Object.hasOwn(moved, name));
  const PATH = withOwnPrograms(env['PATH'] ?? '', person, home);
  return {
    ...Object.fromEntries(shared),
    ...toolchainFolders(env),
    ...Object.fromEntries(kept),
    PATH,
    HOME: home,
  };
}

const moved: Readonly<Record<string, string>> = {
  XDG_CACHE_HOME: '.cache',
  XDG_CONFIG_HOME: '.config',
  XDG_DATA_HOME: '.local/share',
  XDG_STATE_HOME: '.local/state',
};

function placeOf(below: string, env: Environment, person: string): string {
  for (const [name, usual] of Object.entries(moved)) {
    const folder = env[name] ?? '';
    if (folder !== '' && below.startsWith(`${usual}/`)) return join(folder, below.slice(usual.length));
  }
  return join(person, below);
}

function withOwnPrograms(path: string, person: string, home: string): string {
  return path
    .split(delimiter)
    .flatMap((folder) =>
      folder.startsWith(`${person}/`) ? [join(home, folder.slice(person.length)), folder] : [folder],
    )
    .join(delimiter);
}

const fetched: Readonly<Record<string, readonly string[]>> = {
  BUN_INSTALL: ['.bun'],
  CABAL_DIR: ['.cabal'],
  CARGO_HOME: ['.cargo'],
  COMPOSER_CACHE_DIR: ['.cache/composer', 'Library/Caches/composer'],
  COREPACK_HOME: ['.cache/node/corepack'],
  CYPRESS_CACHE_FOLDER: ['.cache/Cypress', 'Library/Caches/Cypress'],
  DENO_DIR: ['.cache/deno', 'Library/Caches/deno'],
  DOCKER_CONFIG: ['.docker'],
  GOCACHE: ['.cache/go-build', 'Library/Caches/go-build'],
  GOPATH: ['go'],
  HEX_HOME: ['.hex'],
  MAVEN_USER_HOME: ['.m2'],
  MISE_CONFIG_DIR: ['.config/mise'],
  MIX_HOME: ['.mix'],
  NODENV_ROOT: ['.nodenv'],
  npm_config_cache: ['.npm'],
  NUGET_PACKAGES: ['.nuget/packages'],
  OPAMROOT: ['.opam'],
  PIP_CACHE_DIR: ['.cache/pip', 'Library/Caches/pip'],
  PLAYWRIGHT_BROWSERS_PATH: ['.cache/ms-playwright', 'Library/Caches/ms-playwright'],
  PNPM_HOME: ['.local/share/pnpm', 'Library/pnpm'],
  PRE_COMMIT_HOME: ['.cache/pre-commit'],
  PROTO_HOME: ['.proto'],
  PUB_CACHE: ['.pub-cache'],
  PUPPETEER_CACHE_DIR: ['.cache/puppeteer'],
  STACK_ROOT: ['.stack'],
  UV_CACHE_DIR: ['.cache/uv'],
  UV_PYTHON_INSTALL_DIR: ['.local/share/uv/python'],
  UV_TOOL_DIR: ['.local/share/uv/tools'],
  YARN_GLOBAL_FOLDER: ['.yarn/berry'],
};

const logins: Readonly<Record<string, readonly string[]>> = {
  BUNDLE_USER_CONFIG: ['.bundle/config'],
  COMPOSER_HOME: ['.config/composer', '.composer'],
  GIT_CONFIG_GLOBAL: ['.gitconfig', '.config/git/config'],
  GOENV: ['.config/go/env', 'Library/Application Support/go/env'],
  NETRC: ['.netrc'],
  npm_config_userconfig: ['.npmrc'],
  PIP_CONFIG_FILE: ['.config/pip/pip.conf', '.pip/pip.conf', 'Library/Application Support/pip/pip.conf'],
  POETRY_CONFIG_DIR: ['.config/pypoetry', 'Library/Application Support/pypoetry'],
};

/**
 * The environment of a sandbox: HOME is its own, variables for unwritable places are left out (tools then use
 * that HOME), toolchains stay. Links in PATH become their targets, since a sandbox has nothing at a version
 * manager's links.
 */
export function sandboxEnvironment(
  env: Readonly<Record<string, string>>,
  { home, writable }: { readonly home: string; readonly writable: readonly string[] },
): Record<string, string> {
  const isWritable = (path: string): boolean => writable.some((folder) => isWithin(folder, path));
  const kept = Object.entries(env).filter(
    ([name, value]) => !placeVariables.has(name) || !isAbsolute(value) || isWritable(value),
  );
  return { ...Object.fromEntries(kept), ...toolchainFolders(env), ...pathOf(env), HOME: home };
}

function pathOf({ PATH }: Readonly<Record<string, string>>): Record<string, string> {
  return PATH === undefined ? {} : { PATH: PATH.split(delimiter).map(ownPath).join(delimiter) };
}

function ownPath(folder: string): string {
  if (!/^\/(?:run|var|home|root|Users|tmp)\//.test(folder)) return folder;
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

const versionFiles: readonly { readonly path: string; readonly shown: (text: string) => string }[] = [
  { path: '.tool-versions', shown: (text) => text },
  { path: '.asdfrc', shown: (text) => text },
  // It may also hold secrets and tasks.
  { path: '.config/mise/config.toml', shown: (text) => sectionsOf(text, ['tools', 'alias', 'settings']) },
];
const largestFile = 64 * 1024;

/**
 * Caches of browsers for tests: by a variable or below HOME, with versions at this depth. A setup adds to the
 * sandbox's own.
 */
const browserCaches: readonly { readonly variable: string; readonly below: string; readonly depth: 1 | 2 }[] =
  [
    { variable: 'PLAYWRIGHT_BROWSERS_PATH', below: '.cache/ms-playwright', depth: 1 },
    { variable: 'PUPPETEER_CACHE_DIR', below: '.cache/puppeteer', depth: 2 },
    { variable: 'CYPRESS_CACHE_FOLDER', below: '.cache/Cypress', depth: 1 },
  ];

/**
 * Puts global versions and links to browsers into a sandbox's HOME; answers the folders linked to. Commands
 * can write to that HOME, so no link in it is followed.
 */
export async function prepareHome(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  work: readonly string[],
): Promise<readonly string[]> {
  await giveIdentity(home);
  const person = homeOf(env);
  for (const { path, shown } of versionFiles) await copyText(join(person, path), { home, path, shown });
  const folders: string[] = [];
  const never = await Promise.all([person, ...work].map((path) => realpath(path).catch(() => path)));
  for (const { variable, below, depth } of browserCaches) {
    const named = env[variable] ?? '';
    const folder = await realAt(isAbsolute(named) ? named : join(person, below));
    if (folder === undefined || !(await stat(folder)).isDirectory()) continue;
    if (never.some((path) => isWithin(folder, path))) continue;
    await linkEntries(folder, { home, path: below, depth });
    folders.push(folder);
  }
  return folders;
}

/**
 * Lets commits work in repositories of tests. Any other configuration overrides it; a link in the way is
 * replaced.
 */
export async function giveIdentity(home: string): Promise<void> {
  await inHeldFolder(home, ['.config', 'git'], { make: true }, (folder) =>
    writeFile(join(folder, 'config'), identity, { flag: 'wx' }).catch(() => undefined),
  );
}

const identity = '[user]\n\tname = Beadsmith\n\temail = beadsmith@localhost\n';

async function copyText(
  from: string,
  {
    home,
    path,
    shown,
  }: { readonly home: string; readonly path: string; readonly shown: (text: string) => string },
): Promise<void> {
  const found = await statAt(from);
  if (found?.isFile() !== true || found.size > largestFile) return;
  const text = shown(await textAt(from));
  const parts = path.split('/');
  await inHeldFolder(home, parts.slice(0, -1), { make: true }, async (folder) => {
    const to = join(folder, parts.at(-1) ?? '');
    await rm(`${to}.new`, { recursive: true, force: true });
    await writeFile(`${to}.new`, text, { flag: 'wx' });
    // A folder in the way is the command's own.
    await rename(`${to}.new`, to).catch(() => rm(`${to}.new`, { force: true }));
  });
}

async function linkEntries(
  from: string,
  { home, path, depth }: { readonly home: string; readonly path: string; readonly depth: number },
): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true }).catch(() => [])) {
    if (entry.name.startsWith('.')) continue;
    const below = { home, path: `${path}/${entry.name}`, depth: depth - 1 };
    if (depth > 1 && entry.isDirectory()) await linkEntries(join(from, entry.name), below);
    else
      await inHeldFolder(home, path.split('/'), { make: true }, (folder) =>
        // It may be the sandbox's own, or the earlier link.
        symlink(join(from, entry.name), join(folder, entry.name)).catch(() => undefined),
      );
  }
}

function sectionsOf(text: string, names: readonly string[]): string {
  let isShown = false;
  const lines = text.split('\n').filter((line) => {
    const [, name] = /^\s*\[{1,2}\s*"?([\w-]+)/.exec(line) ?? [];
    if (name !== undefined) isShown = names.includes(name);
    return isShown;
  });
  return `${lines.join('\n')}\n`;
}
