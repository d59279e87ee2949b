/** Groups of two or more nodes that all lead to each other (Tarjan). */
export function circlesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): void => {
    const at = order.size;
    order.set(node, at);
    lowest.set(node, at);
    open.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      else if (!open.includes(next)) continue;
      lowest.set(node, Math.min(lowest.get(node) ?? at, lowest.get(next) ?? at));
    }
    if (lowest.get(node) !== at) return;
    const circle = open.splice(open.indexOf(node));
    if (circle.length > 1) circles.push(circle.toSorted());
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}
