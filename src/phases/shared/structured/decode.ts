import { jsonrepair } from 'jsonrepair';
import { parse } from 'yaml';
import { isRecord } from '../../../base/json.ts';
import type { Settled } from '../../../base/result.ts';

/**
 * Parses YAML or JSON that a model wrote. Slightly invalid JSON is repaired; YAML is tried as it is, and then with plain scalars that contain a colon
 * quoted. No custom tags and few aliases, because the text is untrusted.
 */
export function decode(text: string): Settled<unknown, string> {
  return /^[[{]/.test(text) ? decodeJson(text) : decodeYaml(text);
}

/** Parses one JSON value; an invalid one is repaired if possible. */
export function decodeJson(text: string): Settled<unknown, string> {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    try {
      return { ok: true, value: JSON.parse(jsonrepair(text)) as unknown };
    } catch {
      return { ok: false, error: `It is not valid JSON: ${messageOf(error)}` };
    }
  }
}

function decodeYaml(text: string): Settled<unknown, string> {
  try {
    return { ok: true, value: readYaml(text) };
  } catch (error) {
    try {
      return { ok: true, value: readYaml(quoted(text)) };
    } catch {
      return { ok: false, error: `It is not valid YAML: ${messageOf(error)}` };
    }
  }
}

function readYaml(text: string): unknown {
  return parse(text, { schema: 'core', maxAliasCount: 20, prettyErrors: true, logLevel: 'error' });
}

/** Quotes plain scalars that hold ": " or " #", the usual slip: `title: Fix: the parser`. */
function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const match = /^(\s*(?:- )*(?:[\w-]+:\s+)?)([^\s'"|>[{&*!#%@`-].*(?:: | #).*)$/.exec(line.replaceAll('\t', '  '));
      return match ? `${match[1] ?? ''}${JSON.stringify(match[2] ?? '')}` : line.replaceAll('\t', '  ');
    })
    .join('\n');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 1_000) : String(error);
}

const wrappers = new Set(['output', 'result', 'data', 'document', 'artifact', 'response', 'answer']);

/**
 * Takes a document out of wrappers that models put around it: `output: {…}`, or its tag's or its own name as the only key
 * (docs/decisions/034-structured-answers.md).
 */
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
