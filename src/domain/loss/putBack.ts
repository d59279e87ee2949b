import { isRecord } from '../../base/json.ts';
import { compare, type Loss } from './compare.ts';
import { linesAt, type Outline, type OutlineItem, recordsAt, setAt } from '../documents/base/outline.ts';

/**
 * The later version of a comparison with these losses near their old places. Items keep ids; versions stay
 * unchanged.
 */
export function putBack<T>(outline: Outline, before: unknown, after: T, losses: readonly Loss[]): T {
  if (losses.length === 0) return after;
  const result = structuredClone(after);
  const copy = compare(outline, before, result);
  const places = losses.flatMap((loss) =>
    copy.before.filter(({ value }) => value === loss.item.value).map((item) => ({ ...loss, item })),
  );
  for (const { item, field, text, whole, index } of places) {
    const now = copy.pairs.get(item);
    if (whole || !now) continue;
    if (!item.outline.lists.includes(field)) setAt(now.value, field, text);
    else setAt(now.value, field, inserted(linesAt(now.value, field), index, text));
  }
  const gone = new Set(places.filter(({ whole }) => whole).map(({ item }) => item));
  for (const item of copy.before) {
    const now = item.parent && !gone.has(item.parent) ? copy.pairs.get(item.parent) : undefined;
    if (!gone.has(item) || !now) continue;
    const key = item.parent?.outline.items?.key ?? '';
    freeId(copy.after, copy.pairs, item);
    setAt(now.value, key, inserted(recordsAt(now.value, key), item.index, whole(item, { ...copy, gone })));
  }
  removeEmptied(outline, result);
  return result;
}

function whole(
  item: OutlineItem,
  copy: {
    readonly before: readonly OutlineItem[];
    readonly pairs: ReadonlyMap<OutlineItem, OutlineItem>;
    readonly gone: ReadonlySet<OutlineItem>;
  },
): Record<string, unknown> {
  const value = structuredClone(item.value);
  const { items } = item.outline;
  if (!items) return value;
  const children = copy.before.filter(({ parent }) => parent === item);
  value[items.key] = children.flatMap((child) => {
    const now = copy.pairs.get(child);
    if (!now) return copy.gone.has(child) ? [whole(child, copy)] : [];
    const old = now.parent;
    if (old)
      setAt(
        old.value,
        items.key,
        recordsAt(old.value, items.key).filter((other) => other !== now.value),
      );
    return [now.value];
  });
  return value;
}

/** Another item yields the id: an old one gets its own, a new one the next free one. */
function freeId(
  after: readonly OutlineItem[],
  pairs: ReadonlyMap<OutlineItem, OutlineItem>,
  { id, outline }: OutlineItem,
): void {
  const holder = after.find((item) => item.outline.kind === outline.kind && item.value['id'] === id);
  if (id === '' || !holder) return;
  const former = [...pairs].find(([, now]) => now === holder)?.[0];
  const isFree = (candidate: string): boolean => !after.some(({ value }) => value['id'] === candidate);
  if (former && former.id !== id) {
    freeId(after, pairs, former);
    holder.value['id'] = former.id;
    return;
  }
  for (let number = 2; ; number++) {
    const candidate = `${id}-${String(number)}`;
    if (!isFree(candidate)) continue;
    holder.value['id'] = candidate;
    return;
  }
}

function removeEmptied(outline: Outline, value: unknown): void {
  const { items } = outline;
  if (!items || !isRecord(value)) return;
  const below = items.outline.items;
  const kept = recordsAt(value, items.key);
  for (const child of kept) removeEmptied(items.outline, child);
  if (below) value[items.key] = kept.filter((child) => recordsAt(child, below.key).length > 0);
}

function inserted<T>(list: readonly T[], index: number, entry: T): T[] {
  return [...list.slice(0, index), entry, ...list.slice(index)];
}
