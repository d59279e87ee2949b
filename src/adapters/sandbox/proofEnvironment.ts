import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { toolchainFolders } from '../system/commandEnvironment.ts';

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

/**
 * Has programs that a bootstrap installs below HOME found where the person's own are found, and before them.
 */
function withOwnPrograms(path: string, person: string, home: string): string {
  const folders = path.split(delimiter);
  return folders
    .flatMap((folder) =>
      folder.startsWith(`${person}/`) ? [join(home, folder.slice(person.length)), folder] : [folder],
    )
    .join(delimiter);
}

/**
 * Below the person's home, in the order in which to look: what version managers and package managers fetched,
 * and how a container engine is reached.
 */
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
