/** True for tests by their language's conventions. */
export function isTestFile(path: string): boolean {
  const file = path.split('/').at(-1) ?? '';
  return (
    testNames.some((pattern) => pattern.test(file)) ||
    (testFolders.test(path) && (code.test(file) || file.endsWith('.h')))
  );
}

const testFolders = /(?:^|\/)(?:tests?|__tests__|specs?|testing|e2e|androidTest)\//i;
const code =
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|swift|scala|php|groovy|exs?|dart|c|cc|cpp|sh|bats|snap|lua|jl|pl|t)$/;
const testNames: readonly RegExp[] = [
  /[._-](?:test|spec|e2e)\.\w+$/,
  /^(?:tests?|specs?|runtests)\.(?:[cm]?[jt]sx?|py|rb|sh|php|jl|lua|pl)$/,
  /^tests?[_-][^/]*\.(?:[cm]?[jt]sx?|py|rb|sh|php|c|cc|cpp|lua|R|jl)$/,
  /_tests?\.(?:py|go|rb|exs|dart|cc|cpp|c|cs|rs|lua|sh)$/,
  /(?:Test|Tests|TestCase|Spec|IT)\.(?:java|kt|cs|swift|scala|php|groovy)$/,
  /_spec\.(?:rb|lua)$/,
  /\.(?:snap|bats|t)$/,
];

/** Files that commands start: programs, and first arguments of interpreters. */
export function programsOf(commands: readonly string[]): readonly string[] {
  const programs = commands
    .flatMap((command) => command.split(/&&|\|\||[;|\n]/))
    .flatMap((part) => {
      const words = part
        .trim()
        .split(/\s+/)
        .filter((word) => !/^\w+=/.test(word));
      const [first = '', ...others] = words;
      if (first.includes('/')) return [first];
      const isInterpreted =
        /^(?:(?:ba|da|z)?sh|node|python[\d.]*|ruby|perl|php|tsx|bun|deno|Rscript|lua)$/.test(first);
      const argument = others.find((word) => word !== 'run');
      return isInterpreted && argument !== undefined && !argument.startsWith('-') ? [argument] : [];
    });
  return [...new Set(programs.map((path) => path.replace(/^(?:\.\/)+/, '').replace(/^['"]|['"]$/g, '')))];
}

/** True for configurations of test runners, linters, type checks, CI. */
export function isCheckConfiguration(path: string): boolean {
  return configurations.test(path);
}

/** True if a file's name says that it lists needs. */
export function namesDependencies(path: string): boolean {
  return dependencies.test(path.split('/').at(-1) ?? '');
}

/** True if the bootstrap depends on a file: needs, or commands that name or run it. */
export function decidesBootstrap(path: string, commands: readonly string[]): boolean {
  if (namesDependencies(path)) return true;
  const words = new Set(
    commands
      .flatMap((command) => command.split(/[\s"'`;&|()<>=]+/))
      .map((word) => word.replace(/^(?:\.\/)+/, '')),
  );
  if (words.has(path) || [...words].some((word) => /[./]/.test(word) && path.endsWith(`/${word}`)))
    return true;
  return (
    holdsScripts(path) &&
    ['make', 'gmake', 'just', 'rake', 'task', 'cmake'].some((runner) => words.has(runner))
  );
}

/** True for files of check scripts beside other things. */
export function holdsScripts(path: string): boolean {
  return scripts.test(path.split('/').at(-1) ?? '');
}

/** True for files with check settings in sections. */
export function holdsSections(path: string): boolean {
  return /^(?:Cargo\.toml|pyproject\.toml|setup\.cfg|tox\.ini)$/.test(path.split('/').at(-1) ?? '');
}

/**
 * True for parts of the proof: tests and companions, configurations, scripts, dependencies. A test that
 * passes with these alone proves nothing.
 */
export function isProving(path: string): boolean {
  return (
    isTestFile(path) ||
    testFolder.test(path) ||
    isCheckConfiguration(path) ||
    namesDependencies(path) ||
    holdsScripts(path)
  );
}

const testFolder =
  /(?:^|\/)(?:tests?|__tests__|specs?|testing|e2e|androidTest|testdata|fixtures|__fixtures__|__mocks__|__snapshots__|expected|goldens?|snapshots)\//i;

const configurations =
  /(?:^|\/)(?:(?:jest|vitest|vite|karma|playwright|cypress|babel|ava|nyc|c8|eslint|stylelint|biome|deno)\.config\.\w+|\.(?:mocharc|eslintrc|nycrc|c8rc|stylelintrc|prettierrc|flake8|pylintrc|coveragerc|rspec|rubocop)(?:\.\w+)?|biome\.jsonc?|tsconfig[\w.-]*\.json|pytest\.ini|tox\.ini|noxfile\.py|conftest\.py|sitecustomize\.py|mypy\.ini|ruff\.toml|\.golangci\.\w+|phpunit[\w.-]*\.xml(?:\.dist)?|codecov\.ya?ml|CTestConfig\.cmake|CTestCustom\.cmake|junit-platform\.properties|\.(?:eslint|prettier|stylelint|coverage)ignore|\.gitlab-ci\.yml|azure-pipelines\.yml|Jenkinsfile|\.travis\.yml)$|(?:^|\/)\.(?:github\/workflows|circleci|husky)\/|(?:^|\/)\.cargo\/config(?:\.toml)?$|(?:^|\/)\.mvn\//;

const dependencies =
  /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|\.yarnrc\.yml|bun\.lockb?|deno\.lock|requirements[\w.-]*\.txt|constraints\.txt|pyproject\.toml|setup\.(?:py|cfg)|poetry\.lock|uv\.lock|pdm\.lock|Pipfile(?:\.lock)?|environment\.ya?ml|Cargo\.(?:toml|lock)|go\.(?:mod|sum|work)|Gemfile(?:\.lock)?|composer\.(?:json|lock)|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|gradle\.lockfile|libs\.versions\.toml|mix\.(?:exs|lock)|Package\.(?:swift|resolved)|packages\.lock\.json|[\w.-]+\.(?:csproj|fsproj|sln)|CMakeLists\.txt|conanfile\.(?:txt|py)|vcpkg\.json|\.tool-versions|\.nvmrc)$/;

const scripts =
  /^(?:Makefile|makefile|GNUmakefile|justfile|Rakefile|Taskfile\.ya?ml|CMakeLists\.txt|Cargo\.toml|pyproject\.toml|setup\.cfg|build\.gradle(?:\.kts)?|pom\.xml)$/;
