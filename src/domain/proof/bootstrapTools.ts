/**
 * True for a bootstrap tool's path that isn't written while running
 * (docs/decisions/176-tools-stay-as-the-bootstrap-made-them.md). `folders`: further tools.
 */
export function isBootstrapTool(path: string, folders: readonly string[]): boolean {
  const parts = path.split('/');
  const isPackage = parts.slice(0, -1).some((part) => packageFolders.has(part));
  return (isPackage || folders.some((folder) => path.startsWith(`${folder}/`))) && !isToolCache(path);
}

/** True for caches at any place. No package's name starts with a dot. */
export function isToolCache(path: string): boolean {
  const parts = path.split('/');
  return parts.some((part, at) => {
    const isHidden = parts[at - 1] === 'node_modules' && part.startsWith('.') && !linkedPackages.has(part);
    return isHidden || caches.has(part) || /\.py[co]$/.test(part);
  });
}

const packageFolders = new Set(
  'node_modules bower_components jspm_packages .yarn .venv venv site-packages vendor .bundle Pods'.split(' '),
);
const linkedPackages = new Set(['.bin', '.pnpm', '.store', '.bun', '.deno']);
const caches = new Set(
  '.cache __pycache__ .pytest_cache .mypy_cache .ruff_cache .vite .turbo .parcel-cache .nyc_output'.split(
    ' ',
  ),
);
