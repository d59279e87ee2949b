import type { Imported, ImportedSource, ImportedTask } from './imported.ts';

/** A task of a tracker. `group`: ids are unique in it. `parent`: the id of the task that it is a part of. */
export interface Node extends Imported {
  readonly group: string;
  readonly parent: string | null;
  readonly done: boolean;
}

/**
 * Tickets of a tracker: each open task without an open parent is one, and all tasks below it are its work.
 * Done tasks with nothing open below them are counted and left out.
 */
export function treeTickets(nodes: readonly Node[]): ImportedSource {
  const keyOf = (group: string, id: string): string => `${group}\0${id.toLowerCase()}`;
  const notUnderstood: ImportedSource['notUnderstood'] = [];
  const known = new Map<string, Node>();
  for (const node of nodes) {
    const key = keyOf(node.group, node.id);
    if (known.has(key))
      notUnderstood.push({ where: node.path, text: `A second ${node.id} is left out: ${node.title}` });
    else known.set(key, node);
  }
  const all = [...known.values()];
  const parentOf = ({ group, parent }: Node): Node | undefined =>
    parent === null ? undefined : known.get(keyOf(group, parent));
  const below = new Map<Node, Node[]>();
  const tops: Node[] = [];
  for (const node of all) {
    const top = topOf(node, parentOf);
    if (top === node) tops.push(node);
    else if (!below.get(top)?.push(node)) below.set(top, [node]);
  }
  const open = tops.filter((node) => !node.done);
  const tickets = open.map((top) => ticketOf(top, below.get(top) ?? []));
  return { tickets, done: tops.length - open.length, notUnderstood };
}

/** The uppermost open task above; the task itself, if its parent is done, missing, or below it. */
function topOf(node: Node, parentOf: (node: Node) => Node | undefined): Node {
  const seen = new Set([node]);
  let top = node;
  for (;;) {
    const parent = parentOf(top);
    if (!parent || (parent.done && !node.done)) return top;
    // In a circle of parents, the first by id is the top.
    if (seen.has(parent)) return [...seen].toSorted((a, b) => (a.id < b.id ? -1 : 1))[0] ?? node;
    seen.add(parent);
    top = parent;
  }
}

function ticketOf(
  { group: _group, parent: _parent, done: _done, ...top }: Node,
  parts: readonly Node[],
): Imported {
  const tasks: ImportedTask[] = parts.map((node) => ({
    id: node.id,
    title: node.title,
    text: node.description,
    done: node.done,
    dependsOn: node.dependsOn,
    requirements: node.requirements.map(({ id }) => id),
  }));
  return {
    ...top,
    requirements: [
      ...top.requirements,
      ...parts.filter(({ done }) => !done).flatMap((node) => node.requirements),
    ],
    tasks: [...top.tasks, ...tasks],
    files: [...new Set([...top.files, ...parts.flatMap(({ files }) => files)])],
  };
}
