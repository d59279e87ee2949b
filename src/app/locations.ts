const fromSource = import.meta.url.endsWith('.ts');

/** Where the program finds what it starts or reads: beside the bundles, which lie flat in `dist/`, or in the sources when those are run. */
export const locations = {
  /** The thread that owns the database. */
  storeWorker: place('../adapters/store/worker.ts', './storeWorker.js'),
  /** The folder of prompt files, with a slash at its end. */
  prompts: place('../../prompts/', './prompts/'),
} as const;

function place(source: string, bundled: string): URL {
  return new URL(fromSource ? source : bundled, import.meta.url);
}
