import type { FactTree } from './facts.ts';

interface Place {
  readonly root: string;
  readonly ticket: string;
}

interface Known {
  readonly facts: readonly FactTree[];
  readonly byKey: Map<string, { readonly tree: FactTree; readonly parent: FactTree | undefined }>;
}

export class TicketsBelow {
  readonly #known = new Map<string, Map<string, Known>>();

  tickets(root: string): readonly string[] {
    return [...(this.#known.get(root)?.keys() ?? [])];
  }

  set({ root, ticket }: Place, facts: readonly FactTree[]): void {
    const known: Known = { facts, byKey: new Map() };
    for (const fact of facts) index(known, fact, undefined);
    const tickets = this.#known.get(root) ?? new Map<string, Known>();
    this.#known.set(root, tickets);
    // What was read late is known as long as its parent is the same.
    const late = new Set<string>();
    for (const [key, entry] of tickets.get(ticket)?.byKey ?? []) {
      const { parent } = entry;
      if (known.byKey.has(key) || !parent || !known.byKey.has(parent.key)) continue;
      if (!parent.late && !late.has(parent.key)) continue;
      late.add(key);
      known.byKey.set(key, entry);
    }
    tickets.set(ticket, known);
  }

  forget({ root, ticket }: Place): void {
    this.#known.get(root)?.delete(ticket);
  }

  setLate(place: Place, parent: FactTree, children: readonly FactTree[]): void {
    const known = this.#of(place);
    if (known) for (const child of children) index(known, child, parent);
  }

  /** Answers the groups that differ, or `all` when they are others than before. */
  update(place: Place, facts: readonly FactTree[]): 'all' | readonly FactTree[] {
    const before = this.#of(place)?.facts ?? [];
    this.set(place, facts);
    if (keys(before) !== keys(facts)) return 'all';
    return facts.filter((tree, at) => JSON.stringify(tree) !== JSON.stringify(before[at]));
  }

  find(place: Place & { readonly key: string }): FactTree | undefined {
    return this.#of(place)?.byKey.get(place.key)?.tree;
  }

  parentOf(place: Place & { readonly key: string }): FactTree | undefined {
    return this.#of(place)?.byKey.get(place.key)?.parent;
  }

  #of({ root, ticket }: Place): Known | undefined {
    return this.#known.get(root)?.get(ticket);
  }
}

function index(known: Known, tree: FactTree, parent: FactTree | undefined): void {
  known.byKey.set(tree.key, { tree, parent });
  for (const child of tree.children) index(known, child, tree);
}

function keys(facts: readonly FactTree[]): string {
  return JSON.stringify(facts.map(({ key }) => key));
}
