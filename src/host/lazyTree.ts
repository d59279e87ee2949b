import { EventEmitter, type TreeDataProvider, type TreeItem } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { Node } from '../views/tickets/tree/nodes.ts';
import type { TicketsTree } from '../views/tickets/tree/ticketsTree.ts';

/**
 * The tree of tickets, loaded when its first rows are asked for. Until then there is no row, so nothing else
 * can be asked. It has whatever the editor may ask, because the editor leaves out without a word what isn't
 * there.
 */
export class LazyTree implements Required<TreeDataProvider<Node>>, Disposable {
  readonly #load: () => Promise<TicketsTree>;
  readonly #changed = new EventEmitter<Node | Node[] | undefined>();
  readonly #lifetime = new DisposableStore();
  #tree: TicketsTree | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(load: () => Promise<TicketsTree>) {
    this.#load = load;
    this.#lifetime.add(this.#changed);
  }

  /** Called once, with what was loaded. */
  follow(tree: TicketsTree): void {
    this.#tree = tree;
    this.#lifetime.add(tree.onDidChangeTreeData((nodes) => this.#changed.fire(nodes)));
  }

  async getChildren(node?: Node): Promise<Node[]> {
    return (this.#tree ?? (await this.#load())).getChildren(node);
  }

  getTreeItem(node: Node): TreeItem {
    return this.#loaded.getTreeItem(node);
  }

  resolveTreeItem(item: TreeItem, node: Node): TreeItem {
    return this.#loaded.resolveTreeItem(item, node);
  }

  getParent(node: Node): Node | undefined {
    return this.#loaded.getParent(node);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  get #loaded(): TicketsTree {
    if (!this.#tree) throw new Error('There are no rows yet.');
    return this.#tree;
  }
}
