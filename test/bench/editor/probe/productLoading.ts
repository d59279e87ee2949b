import Module from 'node:module';
import { basename, sep } from 'node:path';
import type * as Vscode from 'vscode';

type Api = typeof Vscode;
type Load = (request: string, parent: { readonly filename?: string } | undefined, isMain: boolean) => unknown;

/** How Node, and the editor after it, loads what `require` asks for. */
const loader = Module as unknown as { _load: Load };
const ours = `${sep}beadsmith.beadsmith-`;

/**
 * Stands beside the loading of the product: what it takes of this thread's processor time, and which API it
 * gets. It has to be there before the product is loaded.
 */
export class ProductLoading {
  /** Milliseconds for the main file; undefined before it was loaded. */
  processorMs: number | undefined;
  /** Milliseconds for the parts that were loaded since. */
  laterMs = 0;
  #isInside = false;

  constructor(api: (original: Api) => Api) {
    const load = loader._load;
    loader._load = (request, parent, isMain) => {
      const next = (): unknown => load.call(loader, request, parent, isMain);
      if (request.includes(ours) && basename(request) === 'extension.cjs')
        return this.#measured(next, (ms) => (this.processorMs = ms));
      if (!this.#isInside && request.startsWith('./part-') && parent?.filename?.includes(ours))
        return this.#measured(next, (ms) => (this.laterMs += ms));
      const loaded = next();
      return request === 'vscode' && parent?.filename?.includes(ours) ? api(loaded as Api) : loaded;
    };
  }

  #measured(load: () => unknown, note: (ms: number) => void): unknown {
    this.#isInside = true;
    const start = process.threadCpuUsage();
    try {
      return load();
    } finally {
      const { user, system } = process.threadCpuUsage(start);
      note((user + system) / 1_000);
      this.#isInside = false;
    }
  }
}
