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
  const topOf = topFinder(parentOf);
  for (const node of all) {
    const top = topOf(node);
    if (top === node) tops.push(node);
    else if (!below.get(top)?.push(node)) below.set(top, [node]);
  }
  const open = tops.filter((node) => !node.done);
  const tickets = open.map((top) => ticketOf(top, below.get(top) ?? []));
  return { tickets, done: tops.length - open.length, notUnderstood };
}

/**
 * Finds the uppermost open task above one; the task itself, if its parent is done, missing, or below it. Each
 * task is visited once, however deep they lie.
 */
function topFinder(parentOf: (node: Node) => Node | undefined): (node: Node) => Node {
  const found = { open: new Map<Node, Node>(), done: new Map<Node, Node>() };
  return (node) => {
    const tops = node.done ? found.done : found.open;
    const path = new Set<Node>();
    let at = node;
    let top = tops.get(at);
    while (!top) {
      path.add(at);
      const parent = parentOf(at);
      if (!parent || (parent.done && !node.done)) top = at;
      else if (path.has(parent)) top = firstOfCircle(path, parent);
      else top = tops.get((at = parent));
    }
    for (const one of path) tops.set(one, top);
    return top;
  };
}

/** In a circle of parents, the first by id is the top. */
function firstOfCircle(path: ReadonlySet<Node>, start: Node): Node {
  const circle = [...path].slice([...path].indexOf(start));
  return circle.reduce((first, one) => (one.id < first.id ? one : first), start);
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
