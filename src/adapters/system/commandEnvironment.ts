/**
 * The environment of a repository's own commands: where programs are, locale, where to keep files. It is an allow-list, so that no key, token or
 * setting of ours or of the editor reaches them (docs/decisions/037-password-and-environment.md).
 */
export function commandEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && (names.has(name) || /^LC_[A-Z]+$/.test(name))) passed[name] = value;
  }
  return { ...passed, ...fixed };
}

const names = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TMP',
  'TEMP',
  'TERM',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  // Toolchain folders, which version managers set in the person's shell.
  'JAVA_HOME',
  'ANDROID_HOME',
  'GOPATH',
  'GOROOT',
  'GOCACHE',
  'GOMODCACHE',
  'CARGO_HOME',
  'RUSTUP_HOME',
  'PYENV_ROOT',
  'RBENV_ROOT',
  'NVM_DIR',
  'VOLTA_HOME',
  'ASDF_DIR',
  'ASDF_DATA_DIR',
  'MISE_DATA_DIR',
  'SDKMAN_DIR',
  'DOTNET_ROOT',
  'NIX_PATH',
  'NIX_SSL_CERT_FILE',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  // Where package managers and compilers keep what they fetched and built, so that every tree of a ticket finds it.
  'npm_config_cache',
  'NPM_CONFIG_CACHE',
  'npm_config_store_dir',
  'PNPM_HOME',
  'YARN_CACHE_FOLDER',
  'YARN_GLOBAL_FOLDER',
  'BUN_INSTALL_CACHE_DIR',
  'COREPACK_HOME',
  'DENO_DIR',
  'PIP_CACHE_DIR',
  'UV_CACHE_DIR',
  'POETRY_CACHE_DIR',
  'PIPENV_CACHE_DIR',
  'CONDA_PKGS_DIRS',
  'GRADLE_USER_HOME',
  'NUGET_PACKAGES',
  'COMPOSER_HOME',
  'COMPOSER_CACHE_DIR',
  'GEM_HOME',
  'BUNDLE_USER_CACHE',
  'HEX_HOME',
  'MIX_HOME',
  'CCACHE_DIR',
  'SCCACHE_DIR',
  'PLAYWRIGHT_BROWSERS_PATH',
  'PUPPETEER_CACHE_DIR',
  'CYPRESS_CACHE_FOLDER',
  // For networks that are only reachable through a proxy.
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SystemRoot',
]);

/** Commands run unattended: no prompts, no colors, no pager. */
const fixed = { CI: '1', NO_COLOR: '1', GIT_TERMINAL_PROMPT: '0', PAGER: 'cat', GIT_PAGER: 'cat', DEBIAN_FRONTEND: 'noninteractive' };
