import * as z from 'zod';

/**
 * True if a variable decides which programs run, what they load, or what is checked: then no agent or plan
 * may set or pass it, as approved commands would run something else.
 */
export function isRefusedVariable(name: string): boolean {
  return refusedNames.has(name) || refusedStarts.some((start) => name.startsWith(start));
}

/** A variable that a plan may pass and an agent may set. */
export const VariableName = z
  .string()
  .regex(/^[A-Z_][A-Z0-9_]{0,63}$/, 'A variable is named by capital letters, digits and underscores.')
  .refine(
    (name) => !isRefusedVariable(name),
    'This variable changes which programs run or what a check does, so it may not be set.',
  );

const refusedStarts = [
  'LD_ DYLD_ GIT_ BASH_FUNC_ NPM_CONFIG_ PNPM_CONFIG_ BEADSMITH_ OPENCODE_ CARGO_BUILD_ CARGO_TARGET_',
  'CARGO_ALIAS_ XDG_',
].flatMap((line) => line.split(' '));

const refusedNames = new Set(
  [
    // Program search, and automatic shell input.
    'PATH PATHEXT SHELL ENV BASH_ENV BASHOPTS SHELLOPTS PS4 PROMPT_COMMAND IFS CDPATH ZDOTDIR HOME USERPROFILE TMPDIR TMP TEMP COMSPEC',
    // Preloads of interpreters.
    'NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE PYTHONSTARTUP PYTHONHOME PYTHONINSPECT PYTHONBREAKPOINT PYTHONWARNINGS PERL5OPT PERL5LIB',
    'PERL5DB RUBYOPT RUBYLIB GEM_HOME GEM_PATH BUNDLE_GEMFILE PHPRC PHP_INI_SCAN_DIR LUA_INIT JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS',
    'JAVA_OPTS MAVEN_OPTS MAVEN_ARGS GRADLE_OPTS CLASSPATH DOTNET_STARTUP_HOOKS CORECLR_PROFILER CORECLR_ENABLE_PROFILING ERL_FLAGS ERL_LIBS',
    // Substitutes for compilers, and skipped builds.
    'RUSTC RUSTDOC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTFLAGS CC CXX LD AR MAKEFLAGS MFLAGS GNUMAKEFLAGS GOFLAGS GOTOOLCHAIN GOENV',
    'PYTEST_ADDOPTS PYTEST_PLUGINS TOX_ENV MOCHA_OPTIONS JEST_JASMINE VITEST_MODE RSPEC_OPTS CTEST_OUTPUT_ON_FAILURE CTEST_ARGS TESTFLAGS',
    // Helper programs, and trust.
    'EDITOR VISUAL PAGER BROWSER SSH_ASKPASS SUDO_ASKPASS SSH_COMMAND LESSOPEN LESSCLOSE MANPAGER',
    'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED REQUESTS_CA_BUNDLE',
  ].flatMap((line) => line.split(' ')),
);
