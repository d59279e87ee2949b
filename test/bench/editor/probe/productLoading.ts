import Module from 'node:module';
import { basename, sep } from 'node:path';
import type * as Vscode from 'vscode';
import type { TreeDataProvider, TreeViewOptions } from 'vscode';
import type { ProbeAnswer } from './probeWords.ts';

type Api = typeof Vscode;
type Load = (request: string, parent: { readonly filename?: string } | undefined, isMain: boolean) => unknown;

const loader = Module as unknown as { _load: Load };
const ours = `${sep}beadsmith.beadsmith-`;

/**
 * Measures the loading of the product, and hands it its API. It has to be there before the product is loaded.
 */
export class ProductLoading {
  /** For the main file; undefined before it was loaded. */
  processorMs: number | undefined;
  /** For the parts that were loaded since. */
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

/**
 * When the product asks for the editor's API, it gets the same one with a `createTreeView` that takes the
 * time.
 */
export class TreeMeter {
  #ms = 0;
  #children = 0;
  #items = 0;
  #metered: Api | undefined;

  /** Since the last time. */
  take(): ProbeAnswer<'provider'> {
    const taken = { ms: this.#ms, children: this.#children, items: this.#items };
    [this.#ms, this.#children, this.#items] = [0, 0, 0];
    return taken;
  }

  /** Each file of the product asks for the API; a copy for each would count as the product's memory. */
  readonly metered = (api: Api): Api => (this.#metered ??= this.#meterApi(api));

  #meterApi(api: Api): Api {
    const createTreeView = <T>(id: string, options: TreeViewOptions<T>): unknown =>
      api.window.createTreeView(id, { ...options, treeDataProvider: this.#meter(options.treeDataProvider) });
    const window: unknown = Object.create(api.window, { createTreeView: { value: createTreeView } });
    return Object.defineProperties(
      {},
      { ...Object.getOwnPropertyDescriptors(api), window: { value: window, enumerable: true } },
    ) as Api;
  }

  #meter<T>(provider: TreeDataProvider<T>): TreeDataProvider<T> {
    const getParent = provider.getParent?.bind(provider);
    const resolveTreeItem = provider.resolveTreeItem?.bind(provider);
    return {
      ...(provider.onDidChangeTreeData ? { onDidChangeTreeData: provider.onDidChangeTreeData } : {}),
      ...(getParent ? { getParent } : {}),
      ...(resolveTreeItem
        ? { resolveTreeItem: (...asked) => this.#timed(() => resolveTreeItem(...asked)) }
        : {}),
      getChildren: async (element) => {
        this.#children += 1;
        return this.#timed(() => provider.getChildren(element));
      },
      getTreeItem: (element) => {
        this.#items += 1;
        const start = performance.now();
        const item = provider.getTreeItem(element);
        this.#ms += performance.now() - start;
        return item;
      },
    };
  }

  async #timed<R>(ask: () => R): Promise<Awaited<R>> {
    const start = performance.now();
    const answer = await ask();
    this.#ms += performance.now() - start;
    return answer;
  }
}
