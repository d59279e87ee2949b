/** Removes the oldest entries until `most` are left. */
export function keepNewest<K>(known: Map<K, unknown> | Set<K>, most: number): void {
  for (const key of known.keys()) {
    if (known.size <= most) return;
    known.delete(key);
  }
}
