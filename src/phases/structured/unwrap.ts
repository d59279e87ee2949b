import { isRecord } from '../../base/json.ts';

const wrappers = new Set(['output', 'result', 'data', 'document', 'artifact', 'response', 'answer']);

/** Takes a document out of wrappers that models put around it: `output: {…}`, or its tag's or its own name as the only key (LoopTroop 12.2). */
export function unwrap(value: unknown, keys: readonly string[]): unknown {
  const known = new Set(keys.map(bareKey));
  let inner = value;
  for (let depth = 0; depth < 4 && isRecord(inner); depth++) {
    const entries = Object.entries(inner);
    if (entries.some(([key]) => known.has(bareKey(key)))) break;
    const [only] = entries.length === 1 ? entries : entries.filter(([key]) => wrappers.has(bareKey(key)));
    if (!only || (!isRecord(only[1]) && !Array.isArray(only[1]))) break;
    inner = only[1];
  }
  return inner;
}

/** Renames keys that differ from the known ones only in case and separators. A key that is there exactly is never overwritten. */
export function aliasKeys(value: unknown, keys: readonly string[]): unknown {
  if (!isRecord(value)) return value;
  const names = new Map(keys.map((key) => [bareKey(key), key]));
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const name = names.get(bareKey(key)) ?? key;
    if (name === key || !(name in value)) result[name] = item;
  }
  return result;
}

function bareKey(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '');
}
