import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Variables for a repository's commands. An allow-list, so that no key or setting of ours or the editor gets
 * there (docs/decisions/037-password-and-environment.md).
 */
export function commandEnvironment(environment: Environment): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && (names.has(name) || /^LC_[A-Z]+$/.test(name))) passed[name] = value;
  }
  return { ...passed, ...fixed };
}

export function homeOf(env: Environment): string {
  return env['HOME'] ?? homedir();
}

/** Those of these variables that are set. */
export function variablesOf(env: Environment, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = env[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** Makes the editor's executable a Node. */
export const asNode = { ELECTRON_RUN_AS_NODE: '1', NODE_NO_WARNINGS: '1' } as const;

const toolchainHomes: Readonly<Record<string, string>> = {
  JAVA_HOME: '',
  ANDROID_HOME: '',
  GOROOT: '',
  RUSTUP_HOME: '.rustup',
  PYENV_ROOT: '.pyenv',
  RBENV_ROOT: '.rbenv',
  GOENV_ROOT: '.goenv',
  JENV_ROOT: '.jenv',
  NODENV_ROOT: '.nodenv',
  PHPENV_ROOT: '.phpenv',
  PROTO_HOME: '.proto',
  FNM_DIR: '.local/share/fnm',
  NVM_DIR: '.nvm',
  VOLTA_HOME: '.volta',
  ASDF_DIR: '',
  ASDF_DATA_DIR: '.asdf',
  MISE_DATA_DIR: '.local/share/mise',
  SDKMAN_DIR: '.sdkman',
  DOTNET_ROOT: '.dotnet',
};

export function toolchainFolders(environment: Environment): Record<string, string> {
  const home = homeOf(environment);
  const found = Object.entries(toolchainHomes).flatMap(([name, below]) => {
    const folder = environment[name] ?? (below === '' ? '' : join(home, below));
    return folder !== '' && existsSync(folder) ? [[name, folder] as const] : [];
  });
  return Object.fromEntries(found);
}

export const placeVariables: ReadonlySet<string> = new Set(
  [
    'TMPDIR TMP TEMP XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR',
    'GOPATH GOCACHE GOMODCACHE CARGO_HOME',
    'npm_config_cache NPM_CONFIG_CACHE npm_config_store_dir PNPM_HOME YARN_CACHE_FOLDER',
    'YARN_GLOBAL_FOLDER BUN_INSTALL_CACHE_DIR COREPACK_HOME DENO_DIR PIP_CACHE_DIR UV_CACHE_DIR',
    'POETRY_CACHE_DIR PIPENV_CACHE_DIR CONDA_PKGS_DIRS GRADLE_USER_HOME NUGET_PACKAGES COMPOSER_HOME',
    'COMPOSER_CACHE_DIR GEM_HOME BUNDLE_USER_CACHE HEX_HOME MIX_HOME CCACHE_DIR SCCACHE_DIR',
    'PLAYWRIGHT_BROWSERS_PATH PUPPETEER_CACHE_DIR CYPRESS_CACHE_FOLDER',
  ].flatMap((line) => line.split(' ')),
);

const names = new Set([
  ...Object.keys(toolchainHomes),
  ...placeVariables,
  ...[
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM NIX_PATH',
    // The guard of the shared git state knows gits of sessions and commands by it.
    'GIT_TRACE2_EVENT',
    'NIX_SSL_CERT_FILE SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS SystemRoot',
    'HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy',
  ].flatMap((line) => line.split(' ')),
]);

const fixed = {
  CI: '1',
  NO_COLOR: '1',
  GIT_TERMINAL_PROMPT: '0',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  DEBIAN_FRONTEND: 'noninteractive',
};
