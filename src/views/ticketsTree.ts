import { EventEmitter, l10n, type TreeDataProvider, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import type { Board, BoardRow } from './board.ts';
import { type ColumnOfTickets, columnsOf } from './columns.ts';
import { errorText } from './errorText.ts';
import { errorItem, factItem, type FactNode, ticketItem, type TicketNode } from './treeItems.ts';
import { ticketFacts } from './ticketFacts.ts';

/** `root` and `ticket` make a node a target of commands. */
export type Node =
  | { readonly kind: 'repository'; readonly root: string; readonly row: BoardRow }
  | { readonly kind: 'column'; readonly root: string; readonly row: BoardRow; readonly column: ColumnOfTickets }
  | { readonly kind: 'error'; readonly root: string; readonly message: string; readonly nextStep: string }
  | TicketNode
  | FactNode;

/** Repository (if there are several) → column → ticket → facts. What is over starts folded. */
export class TicketsTree implements TreeDataProvider<Node>, Disposable {
  readonly #board: Board;
  readonly #changed = new EventEmitter<undefined>();
  readonly #lifetime = new DisposableStore();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(board: Board) {
    this.#board = board;
    this.#lifetime.add(this.#changed);
    this.#lifetime.add(board.onDidChange(() => this.#changed.fire(undefined)));
  }

  getTreeItem(node: Node): TreeItem {
    switch (node.kind) {
      case 'repository': {
        const item = new TreeItem(node.row.name, TreeItemCollapsibleState.Expanded);
        item.id = node.root;
        item.contextValue = 'repository';
        item.tooltip = node.root;
        return item;
      }
      case 'column': {
        const { column, tickets } = node.column;
        const state = column === 'Done' ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.Expanded;
        const item = new TreeItem(l10n.t(column), state);
        item.id = `${node.root}#${column}`;
        item.description = String(tickets.length);
        item.contextValue = 'column';
        return item;
      }
      case 'ticket':
        return ticketItem(node);
      case 'fact':
        return factItem(node);
      case 'error':
        return errorItem(node.root, node.message, node.nextStep);
    }
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!node) return this.#roots();
    if (node.kind === 'repository') return columns(node.row);
    if (node.kind === 'column') return node.column.tickets.map((view) => ({ kind: 'ticket', root: node.root, ticket: view.id, view }));
    return node.kind === 'ticket' ? this.#facts(node) : [];
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #roots(): Node[] {
    const { rows } = this.#board;
    const [only] = rows;
    if (rows.length === 1 && only) return columns(only);
    return rows.map((row) => ({ kind: 'repository', root: row.root, row }));
  }

  async #facts({ root, ticket }: TicketNode): Promise<Node[]> {
    const client = this.#board.rows.find((row) => row.root === root)?.repository?.client;
    if (!client) return [];
    try {
      const facts = ticketFacts(await client.ticket(ticket), await client.artifacts(ticket));
      return facts.map((fact, index) => ({ kind: 'fact', root, ticket, fact, index }));
    } catch (error) {
      return [{ kind: 'error', root: `${root}#${ticket}`, ...errorText(error) }];
    }
  }
}

function columns(row: BoardRow): Node[] {
  if (row.error) return [{ kind: 'error', root: row.root, ...errorText(row.error) }];
  return columnsOf(row.tickets).map((column) => ({ kind: 'column', root: row.root, row, column }));
}
