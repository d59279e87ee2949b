import Module from 'node:module';
import { basename, sep } from 'node:path';
import type * as Vscode from 'vscode';

type Api = typeof Vscode;
type Load = (request: string, parent: { readonly filename?: string } | undefined, isMain: boolean) => unknown;

/** How Node, and the editor after it, loads what `require` asks for. */
const loader = Module as unknown as { _load: Load };
const ours = `${sep}beadsmith.beadsmith-`;

/**
 * Stands beside the loading of the product: what its main file takes of this thread's processor time, and which API it gets. It has to be there before
 * the product is loaded.
 */
export class ProductLoading {
  /** Milliseconds; undefined before it was loaded. */
  processorMs: number | undefined;

  constructor(api: (original: Api) => Api) {
    const load = loader._load;
    loader._load = (request, parent, isMain) => {
      if (request.includes(ours) && basename(request) === 'extension.cjs')
        return this.#measured(() => load.call(loader, request, parent, isMain));
      const loaded = load.call(loader, request, parent, isMain);
      return request === 'vscode' && parent?.filename?.includes(ours) ? api(loaded as Api) : loaded;
    };
  }

  #measured(load: () => unknown): unknown {
    const start = process.threadCpuUsage();
    const loaded = load();
    const { user, system } = process.threadCpuUsage(start);
    this.processorMs = (user + system) / 1_000;
    return loaded;
  }
}
