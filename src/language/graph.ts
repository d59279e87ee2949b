import type { Item, Reference } from './items.ts';

/** A circle of dependencies: the reference that closes it, and the ids on the way, the first again at the end. */
export interface Circle {
  readonly closing: Reference;
  readonly path: readonly string[];
}

/** The circles a walk along "is blocked by" runs into; each is told once. */
export function circlesOf(items: readonly Item[], references: readonly Reference[]): readonly Circle[] {
  const blockers = Map.groupBy(
    references.filter(({ field }) => field === 'blocked_by'),
    ({ from }) => from,
  );
  const closed = new Set<string>();
  const circles: Circle[] = [];
  for (const { id: start } of items) {
    // An explicit stack, because a plan may be long.
    const path: { readonly id: string; next: number }[] = closed.has(start) ? [] : [{ id: start, next: 0 }];
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const reference = blockers.get(top.id)?.[top.next++];
      if (!reference) {
        closed.add(top.id);
        path.pop();
        continue;
      }
      const at = path.findIndex(({ id }) => id === reference.id);
      if (at >= 0 && reference.id !== top.id)
        circles.push({ closing: reference, path: [...path.slice(at).map(({ id }) => id), reference.id] });
      if (at < 0 && !closed.has(reference.id)) path.push({ id: reference.id, next: 0 });
    }
  }
  return circles;
}
