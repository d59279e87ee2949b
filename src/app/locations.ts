const fromSource = import.meta.url.endsWith('.ts');

/** Files that are loaded by their address: beside the bundles, flat in `dist/`, or in the sources. */
export const locations = {
  storeWorker: place('../adapters/store/worker.ts', './storeWorker.js'),
  /** Of a team's database. */
  teamWorker: place('../adapters/store/postgres/worker.ts', './teamWorker.js'),
  /** Versions and hashes of packages that `beadsmith team install` installs. */
  teamParts: place('../../dist/teamParts.json', './teamParts.json'),
  /** For untrusted texts. */
  textWorker: place('./textWorker.ts', './textWorker.js'),
  /** Of `beadsmith serve`, in the command line's own package. */
  serve: place('../cli/serve/main.ts', './serve.js'),
  /** The page of `serve`, as it is built. */
  servedPage: place('../../dist/served/', './served/'),
  /** Of the sources or of the package that has the bundles. */
  manifest: place('../../package.json', '../package.json'),
  prompts: place('../../prompts/', './prompts/'),
} as const;

function place(source: string, bundled: string): URL {
  return new URL(fromSource ? source : bundled, import.meta.url);
}
