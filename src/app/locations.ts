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
  /** Of `beadsmith serve`, which the extension's package hasn't. */
  serve: place('../cli/serve/main.ts', './serve.js'),
  /** The page of `serve`, as it is built. */
  servedPage: place('../../dist/served/', './served/'),
  prompts: place('../../prompts/', './prompts/'),
} as const;

function place(source: string, bundled: string): URL {
  return new URL(fromSource ? source : bundled, import.meta.url);
}
