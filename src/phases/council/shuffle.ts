/** A copy in an order that depends on nothing but the seed (at least 8 hex digits): Fisher-Yates over a small generator (mulberry32). */
export function shuffle<T>(items: readonly T[], seed: string): T[] {
  let state = Number.parseInt(seed.slice(0, 8), 16) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const pick = Math.floor(next() * (last + 1));
    const [a, b] = [order[last], order[pick]];
    // Both indices are inside of the list.
    if (a === undefined || b === undefined) continue;
    order[last] = b;
    order[pick] = a;
  }
  return order;
}
