/**
 * The class of a changed path (docs/decisions/048-clean-room-proof.md): `noise` is generated and only
 * reported; for `doubtful`, the proof decides. Only untracked paths can be either: tracked ones are people's
 * work.
 */
type ChangeClass = 'committable' | 'doubtful' | 'ticket' | 'setup' | 'noise';

interface NoiseRules {
  readonly setup?: readonly string[];
  /** Named by the bead: wanted, whatever they look like. */
  readonly wanted?: readonly string[];
}

/** A changed path's class. `state`: git's; only `untracked` matters. `program`: a compiler wrote it. */
export function classifyChange(
  change: { readonly path: string; readonly state: string; readonly program?: boolean },
  rules: NoiseRules = {},
): ChangeClass {
  const { path } = change;
  if (isWithin(path, ['.ticket'])) return 'ticket';
  if (isWithin(path, rules.setup ?? []) || isWithin(path, ['.cache/project-tooling'])) return 'setup';
  if (change.state !== 'untracked' || isWithin(path, rules.wanted ?? [])) return 'committable';
  if (isGenerated(path)) return 'noise';
  return change.program === true || isOftenGenerated(path) ? 'doubtful' : 'committable';
}

function isGenerated(path: string): boolean {
  const parts = path.split('/');
  const file = parts.at(-1) ?? '';
  const isInside = parts.slice(0, -1).some((folder) => generatedAnywhere.has(folder));
  return isInside || generatedFiles.has(file) || /\.(?:pyc|pyo|swp)$/.test(file) || isEnvironmentFile(file);
}

function isOftenGenerated(path: string): boolean {
  const file = path.split('/').at(-1) ?? '';
  if (isWithin(path, generatedAtTop) || /^cmake-build-[^/]*\//.test(path)) return true;
  return outputFiles.test(file) || lockFiles.has(file);
}

const outputFiles =
  /^(?:a\.out|lcov\.info|coverage\.xml|(?:junit|TEST-)[^/]*\.xml)$|\.(?:log|tsbuildinfo|o|obj|a|lib|so|dylib|dll|exe|class|gcda|gcno|profraw|rlib|rmeta|pdb|tmp)$/;

const lockFiles = new Set(
  [
    'package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb deno.lock',
    'poetry.lock uv.lock pdm.lock Pipfile.lock Cargo.lock go.sum Gemfile.lock composer.lock mix.lock',
    'Package.resolved',
  ].flatMap((line) => line.split(' ')),
);

const generatedAtTop = [
  'dist build out bin obj target coverage htmlcov env tmp temp logs vendor/bundle .cache .output',
  '.bundle .gradle .dart_tool .build .swiftpm .stack-work .cargo .npm .pnpm-store .yarn/cache',
  '.yarn/unplugged _build deps/_build bazel-bin bazel-out bazel-testlogs test-results playwright-report',
  '.vagrant',
].flatMap((line) => line.split(' '));

const generatedAnywhere = new Set(
  [
    'node_modules bower_components .venv venv __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox',
    '.eggs .ipynb_checkpoints .next .nuxt .svelte-kit .angular .turbo .parcel-cache .nyc_output',
    '.terraform .idea',
  ].flatMap((line) => line.split(' ')),
);

const generatedFiles = new Set([
  '.DS_Store',
  'Thumbs.db',
  'desktop.ini',
  '.coverage',
  '.eslintcache',
  'npm-debug.log',
]);

/** True for `.env` and its like, which hold secrets, except shared examples. */
export function isEnvironmentFile(file: string): boolean {
  return file === '.env' || (file.startsWith('.env.') && !/(?:example|sample|template)$/.test(file));
}

function isWithin(path: string, places: readonly string[]): boolean {
  return places.some((place) => {
    const folder = place.replace(/\/+$/, '');
    return folder !== '' && (path === folder || path.startsWith(`${folder}/`));
  });
}
