import { EventEmitter, type TreeDataProvider, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import { errorRecord, toBeadsmithError } from '../../../domain/core/errors.ts';
import { errorText } from '../../shared/errorText.ts';
import type { ViewedFiles } from '../../review/viewedFiles.ts';
import type { Board, BoardChange } from '../board.ts';
import { Countdown } from '../countdown.ts';
import { factParts, factTarget } from './factItems.ts';
import type { FactTree } from './facts.ts';
import { lateFacts } from './lateFacts.ts';
import { type Node, type NodeOf, Nodes } from './nodes.ts';
import {
  type ItemParts,
  toItem,
  tooltipOf,
  columnParts,
  errorParts,
  moreParts,
  opensTicket,
  repositoryParts,
  ticketParts,
} from './rowItems.ts';
import { readParts, ticketFacts } from './ticketFacts.ts';
import type { TicketList } from './ticketList.ts';
import { TicketsBelow } from './ticketsBelow.ts';
import { layoutChanges, layoutOf, type TreeLayout } from './treeLayout.ts';

/**
 * Repository (if there are several) → column → ticket → its facts. Only rows that differ are requested again.
 */
export class TicketsTree implements TreeDataProvider<Node>, Disposable {
  readonly #board: Board;
  readonly #list: TicketList;
  readonly #viewed: ViewedFiles;
  readonly #changed = new EventEmitter<Node | Node[] | undefined>();
  readonly #lifetime = new DisposableStore();
  readonly #nodes = new Nodes();
  readonly #below = new TicketsBelow();
  readonly #folded = new Map<string, boolean>();
  #layout: TreeLayout = new Map();
  readonly #refreshing = new Set<{ readonly node: NodeOf<'ticket'> }>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(board: Board, list: TicketList, viewed: ViewedFiles) {
    this.#board = board;
    this.#list = list;
    this.#viewed = viewed;
    this.#layout = layoutOf(board.rows, list);
    this.#lifetime.add(this.#changed);
    this.#lifetime.add(board.onDidChange((change) => this.#onChange(change)));
    this.#lifetime.add(board.onDidTouch((place) => this.#onTouch(place)));
    const countdown = this.#lifetime.add(new Countdown(board));
    this.#lifetime.add(
      countdown.onDidTick((asking) =>
        this.#changed.fire(asking.map(({ root, ticket }) => this.#nodes.ticket(root, ticket))),
      ),
    );
    this.#lifetime.add(viewed.onDidChange((place) => this.#onTouch(place)));
    this.#lifetime.add(list.onDidChange(() => this.#onChange({ structure: false, tickets: [] })));
  }

  get isEmpty(): boolean {
    return this.#board.rows.every(({ root, error }) => !error && (this.#layout.get(root)?.length ?? 0) === 0);
  }

  /** The editor forgets a fold when the row goes to another column. */
  fold(node: Node, folded: boolean): void {
    this.#folded.set(node.id, folded);
  }

  async mark(node: Node, isViewed: boolean): Promise<void> {
    const fact = node.kind === 'fact' ? this.#below.find(node)?.fact : undefined;
    if (node.kind === 'fact' && fact?.kind === 'file')
      await this.#viewed.mark(node, fact.bead, fact, isViewed);
  }

  getTreeItem(node: Node): TreeItem {
    const item = toItem(node.id, this.#parts(node));
    const folded = this.#folded.get(node.id);
    const { Collapsed, Expanded, None } = TreeItemCollapsibleState;
    if (folded !== undefined && item.collapsibleState !== None)
      item.collapsibleState = folded ? Collapsed : Expanded;
    return item;
  }

  /** Requested when a person points at a row, and when one without a command is clicked. */
  resolveTreeItem(item: TreeItem, node: Node): TreeItem {
    item.tooltip = tooltipOf(this.#parts(node));
    return item;
  }

  getParent(node: Node): Node | undefined {
    const isAlone = this.#board.rows.length === 1;
    switch (node.kind) {
      case 'repository':
        return undefined;
      case 'error':
      case 'column':
        return isAlone ? undefined : this.#nodes.repository(node.root);
      case 'more':
        return this.#nodes.column(node.root, node.column);
      case 'ticket': {
        const view = this.#board.find(node);
        return view && this.#nodes.column(node.root, view.column);
      }
      case 'fact': {
        const parent = this.#below.parentOf(node);
        return parent ? this.#fact(node, parent) : this.#nodes.ticket(node.root, node.ticket);
      }
    }
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!node) return this.#roots();
    this.#folded.set(node.id, false);
    if (node.kind === 'repository') return this.#columns(node.root);
    if (node.kind === 'column') return this.#tickets(node);
    if (node.kind === 'ticket') return this.#facts(node);
    return node.kind === 'fact' ? this.#factsBelow(node) : [];
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #parts(node: Node): ItemParts {
    const row = this.#board.rows.find(({ root }) => root === node.root);
    switch (node.kind) {
      case 'repository':
        return repositoryParts(node, row?.name ?? node.root);
      case 'column':
        return columnParts(node, this.#column(node)?.total ?? 0);
      case 'more': {
        const column = this.#column(node);
        return moreParts(node, (column?.total ?? 0) - (column?.tickets.length ?? 0));
      }
      case 'ticket': {
        const view = this.#board.find(node);
        return view
          ? { ...ticketParts(view), ...opensTicket(node) }
          : errorParts({ message: node.ticket, nextStep: '' });
      }
      case 'fact': {
        const tree = this.#below.find(node);
        if (!tree) return errorParts({ message: node.key, nextStep: '' });
        const { fact } = tree;
        return fact.kind === 'file'
          ? { ...factParts(node, tree), viewed: this.#viewed.of(node).has(fact.bead, fact) }
          : factParts(node, tree);
      }
      case 'error':
        return errorParts(errorText(row?.error));
    }
  }

  #roots(): Node[] {
    const { rows } = this.#board;
    const [only] = rows;
    // Nothing at all, so that the view says why.
    if (this.isEmpty) return [];
    return rows.length === 1 && only
      ? this.#columns(only.root)
      : rows.map(({ root }) => this.#nodes.repository(root));
  }

  #columns(root: string): Node[] {
    if (this.#board.rows.find((row) => row.root === root)?.error) return [this.#nodes.error(root)];
    return (this.#layout.get(root) ?? []).map(({ column }) => this.#nodes.column(root, column));
  }

  #tickets(node: NodeOf<'column'>): Node[] {
    const { tickets = [], total = 0 } = this.#column(node) ?? {};
    const shown = tickets.map((ticket) => this.#nodes.ticket(node.root, ticket));
    return total > tickets.length ? [...shown, this.#nodes.more(node.root, node.column)] : shown;
  }

  async #facts(node: NodeOf<'ticket'>): Promise<Node[]> {
    const read = (await this.#read(node).catch((error: unknown) => [errorFact('unread', error)])) ?? [];
    this.#below.set(node, read);
    return read.map((tree) => this.#fact(node, tree));
  }

  async #factsBelow(node: NodeOf<'fact'>): Promise<Node[]> {
    const tree = this.#below.find(node);
    const client = this.#clientOf(node.root);
    if (!tree || !client) return [];
    if (!tree.late) return tree.children.map((child) => this.#fact(node, child));
    const late = await lateFacts(client, node.ticket, tree).catch((error: unknown) => [
      errorFact(`${node.key}/unread`, error),
    ]);
    this.#below.setLate(node, tree, late);
    return late.map((child) => this.#fact(node, child));
  }

  #fact(node: NodeOf<'ticket'> | NodeOf<'fact'>, { key, fact }: FactTree): Node {
    return this.#nodes.fact(node, key, factTarget(fact));
  }

  async #read({
    root,
    ticket,
  }: {
    readonly root: string;
    readonly ticket: string;
  }): Promise<readonly FactTree[] | undefined> {
    const client = this.#clientOf(root);
    return client && ticketFacts(await readParts(client, ticket, this.#viewed.of({ root, ticket })));
  }

  #column({ root, column }: NodeOf<'column'> | NodeOf<'more'>) {
    return this.#layout.get(root)?.find((one) => one.column === column);
  }

  #clientOf(root: string) {
    return this.#board.rows.find((row) => row.root === root)?.repository?.client;
  }

  #onChange({ structure, tickets }: BoardChange): void {
    const before = this.#layout;
    this.#layout = layoutOf(this.#board.rows, this.#list);
    const columns = structure ? 'all' : layoutChanges(before, this.#layout);
    if (columns === 'all') {
      this.#request(undefined);
      return;
    }
    const rows = [
      ...columns.map(({ root, column }) => this.#nodes.column(root, column)),
      ...tickets.map(({ root, ticket }) => this.#nodes.ticket(root, ticket)),
    ];
    if (rows.length > 0) this.#request(rows);
  }

  /** A folded ticket's facts are forgotten. */
  #onTouch({ root, ticket }: { readonly root: string; readonly ticket: string | undefined }): void {
    for (const known of this.#below.tickets(root)) {
      if (ticket !== undefined && known !== ticket) continue;
      const node = this.#nodes.ticket(root, known);
      if (this.#folded.get(node.id) === true) {
        this.#below.forget(node);
        this.#request([node]);
      } else void this.#refresh(node);
    }
  }

  /**
   * Requests the groups that differ, unless rows above them are requested anyway: a group requested while the
   * editor unfolds what is above it loses its rows.
   */
  async #refresh(node: NodeOf<'ticket'>): Promise<void> {
    const refresh = { node };
    this.#refreshing.add(refresh);
    const read = await this.#read(node).catch(() => undefined);
    if (!this.#refreshing.delete(refresh) || !read) return;
    const changed = this.#below.update(node, read);
    if (changed === 'all') this.#request([node]);
    else if (changed.length > 0) this.#changed.fire(changed.map((tree) => this.#fact(node, tree)));
  }

  #request(rows: Node[] | undefined): void {
    for (const refresh of this.#refreshing)
      if (!rows || rows.some((row) => row === refresh.node || row === this.getParent(refresh.node)))
        this.#refreshing.delete(refresh);
    this.#changed.fire(rows);
  }
}

/**
 * In place of what could not be read: without rows the editor folds the row, and shows nothing new of all the
 * others.
 */
function errorFact(key: string, error: unknown): FactTree {
  return { key, fact: { kind: 'error', error: errorRecord(toBeadsmithError(error)) }, children: [] };
}
