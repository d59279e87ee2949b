import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, isAbsolute } from 'node:path';
import { readdir, readFile, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { placeVariables, toolchainFolders } from '../system/commandEnvironment.ts';
import { inHeldFolder } from '../system/heldFolder.ts';

type Environment = Readonly<Record<string, string>>;

/**
 * The environment of a proof that nothing confines (docs/decisions/175-proofs-have-a-home-of-their-own.md):
 * HOME is the proof's own, so that no settings that were left in the person's home decide a result.
 * Toolchains and packages that were fetched stay where they are. `installs`: so do logins of registries.
 */
export function proofEnvironment(
  env: Environment,
  { home, installs }: { readonly home: string; readonly installs: boolean },
): Record<string, string> {
  const person = env['HOME'] ?? homedir();
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

/** Folders that are below HOME if no variable names another place. */
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

/** Puts programs that a bootstrap installs below HOME before the person's own in PATH. */
function withOwnPrograms(path: string, person: string, home: string): string {
  const folders = path.split(delimiter);
  return folders
    .flatMap((folder) =>
      folder.startsWith(`${person}/`) ? [join(home, folder.slice(person.length)), folder] : [folder],
    )
    .join(delimiter);
}

/** Below the person's home, in this order: fetched versions and packages, and a container engine. */
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

/** The places in which package managers have the person's registries and what to log in with there. */
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
 * The environment of a sandbox: HOME is the sandbox's own, and a variable that names a place which can't be
 * written to in it is left out, so that tools use their default below that HOME. Toolchains stay where they
 * are, also those that are found by the usual HOME. A folder of PATH that a link leads to is named by its own
 * path, because version managers have such links where a sandbox has nothing.
 */
export function sandboxEnvironment(
  env: Readonly<Record<string, string>>,
  { home, writable }: { readonly home: string; readonly writable: readonly string[] },
): Record<string, string> {
  const isWritable = (path: string): boolean =>
    writable.some((folder) => path === folder || path.startsWith(`${folder}/`));
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

/** A file below HOME with a version manager's global versions, and what a sandbox may know of it. */
const versionFiles: readonly { readonly path: string; readonly shown: (text: string) => string }[] = [
  { path: '.tool-versions', shown: (text) => text },
  { path: '.asdfrc', shown: (text) => text },
  // It may also hold variables, which may be secrets, and tasks.
  { path: '.config/mise/config.toml', shown: (text) => sectionsOf(text, ['tools', 'alias', 'settings']) },
];
const largestFile = 64 * 1024;

/**
 * Caches of browsers that tests start: the place of each, by the variable that names another one or below
 * HOME, and the depth at which the versions lie that a project may add to. They are read from the person's,
 * and what a setup fetches goes to the sandbox's own.
 */
const browserCaches: readonly { readonly variable: string; readonly below: string; readonly depth: 1 | 2 }[] =
  [
    { variable: 'PLAYWRIGHT_BROWSERS_PATH', below: '.cache/ms-playwright', depth: 1 },
    { variable: 'PUPPETEER_CACHE_DIR', below: '.cache/puppeteer', depth: 2 },
    { variable: 'CYPRESS_CACHE_FOLDER', below: '.cache/Cypress', depth: 1 },
  ];

/**
 * Puts into the HOME of a sandbox what tools look for in a person's: global versions of version managers, and
 * links to browsers. Answers the folders that these links lead to. Commands can write to that HOME, so
 * nothing is written or read through a link in it.
 */
export async function prepareHome(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  work: readonly string[],
): Promise<readonly string[]> {
  await giveIdentity(home);
  const person = env['HOME'] ?? homedir();
  for (const { path, shown } of versionFiles) await copyText(join(person, path), { home, path, shown });
  const folders: string[] = [];
  const never = await Promise.all([person, ...work].map((path) => realpath(path).catch(() => path)));
  for (const { variable, below, depth } of browserCaches) {
    const named = env[variable] ?? '';
    const folder = await realpath(isAbsolute(named) ? named : join(person, below)).catch(() => undefined);
    if (folder === undefined || !(await stat(folder)).isDirectory()) continue;
    if (never.some((path) => `${path}/`.startsWith(folder === '/' ? '/' : `${folder}/`))) continue;
    await linkEntries(folder, { home, path: below, depth });
    folders.push(folder);
  }
  return folders;
}

/**
 * Has commits in repositories that tests make work. It is where every other configuration overrides it, and
 * what is there stays, unless a link is in the way.
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
  const found = await stat(from).catch(() => undefined);
  if (found?.isFile() !== true || found.size > largestFile) return;
  const text = shown(await readFile(from, 'utf8').catch(() => ''));
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
        // One that is there is the sandbox's own, or the link of last time.
        symlink(join(from, entry.name), join(folder, entry.name)).catch(() => undefined),
      );
  }
}

/** The sections of a TOML file with these names, with what is below them. */
function sectionsOf(text: string, names: readonly string[]): string {
  let isShown = false;
  const lines = text.split('\n').filter((line) => {
    const [, name] = /^\s*\[{1,2}\s*"?([\w-]+)/.exec(line) ?? [];
    if (name !== undefined) isShown = names.includes(name);
    return isShown;
  });
  return `${lines.join('\n')}\n`;
}
