import type * as Vscode from 'vscode';
import type { TreeDataProvider, TreeViewOptions } from 'vscode';
import type { ProbeAnswer } from './probeWords.ts';

type Api = typeof Vscode;

/**
 * Measures what the editor asks the product's tree provider. The editor makes an API object for each
 * extension; when the product asks for its own, it gets the same one with a `createTreeView` that takes the
 * time.
 */
export class TreeMeter {
  #ms = 0;
  #children = 0;
  #items = 0;

  /** What was asked since the last time, and how long it took in all. */
  take(): ProbeAnswer<'provider'> {
    const taken = { ms: this.#ms, children: this.#children, items: this.#items };
    [this.#ms, this.#children, this.#items] = [0, 0, 0];
    return taken;
  }

  /** The editor's API with a `createTreeView` of ours. */
  readonly metered = (api: Api): Api => {
    const createTreeView = <T>(id: string, options: TreeViewOptions<T>): unknown =>
      api.window.createTreeView(id, { ...options, treeDataProvider: this.#meter(options.treeDataProvider) });
    const window: unknown = Object.create(api.window, { createTreeView: { value: createTreeView } });
    return Object.defineProperties(
      {},
      { ...Object.getOwnPropertyDescriptors(api), window: { value: window, enumerable: true } },
    ) as Api;
  };

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
