import * as z from 'zod';
import { keyFor } from './keys.ts';
import { requiredKeys } from './schemaKeys.ts';
import type { Shaped } from './shape.ts';
import { isElision } from './text/spellings.ts';
import type { Tree } from './text/tree.ts';
import { commentsOf } from './text/yamlLines.ts';

/**
 * A sign that no text holds, behind an answer of which the provider said that the model ended it by itself.
 */
const stopSign = '\u0004';

/** An answer that the provider ended with `stop`. */
export function endedByStop(text: string): string {
  return `${text}${stopSign}`;
}

/** The answer alone, for what reads it as a text. */
export function withoutStop(text: string): string {
  return isEndedByStop(text) ? text.slice(0, -stopSign.length) : text;
}

/** Returns true if the provider ended the answer with `stop`. */
export function isEndedByStop(text: string): boolean {
  return text.endsWith(stopSign);
}

/**
 * Returns true if a bare document has every key it may have. If its last value also ends with the bracket or
 * quote that it started with (`endsInValue`), it shows by itself that it is whole: no shorter text looks like
 * that.
 */
export function isFull(tree: Tree, schema: z.core.$ZodType): boolean {
  if (tree.kind !== 'table' || !(schema instanceof z.ZodObject)) return false;
  const there = new Set(tree.entries.map(([key]) => key));
  return Object.keys(schema.shape).every((key) => there.has(key));
}

/**
 * Returns true if a document has the keys that it must have. One that must have none never shows that it is
 * whole.
 */
export function hasRequired(tree: Tree, schema: z.core.$ZodType): boolean {
  if (tree.kind !== 'table' || !(schema instanceof z.ZodObject)) return false;
  const names = Object.keys(schema.shape);
  const there = new Set(tree.entries.map(([key]) => keyFor(key, names)));
  const required = requiredKeys(schema);
  return required.length > 0 && required.every((key) => there.has(key));
}

/**
 * Returns true if the last line of a document waits for what follows: a key or a dash without anything, or a
 * quote or bracket that stays open.
 */
export function endsOpen(text: string): boolean {
  const line = text.trimEnd().split('\n').at(-1) ?? '';
  if (/(?:^|[ \t])(?:[\w-]+:|-)$/.test(line) || /:[ \t]+[|>][-+]?$/.test(line)) return true;
  const value = /^[ \t]*(?:- )*(?:[\w-]+:[ \t]+)?(.*)$/.exec(line)?.[1] ?? '';
  const [quote = ''] = value;
  if (quote === '[' || quote === '{') return !/[\]}]$/.test(value);
  return (quote === '"' || quote === "'") && (value.length < 2 || !value.endsWith(quote));
}

/** Returns true if the last value of a document ends with the bracket or quote that it started with. */
export function endsInValue(text: string): boolean {
  return /^[\w-]+:[ \t]+(?:\[\s*\]|\{\s*\}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')$/.test(
    lastEntry(text.trimEnd()),
  );
}

/** From the last line on that starts with a key. An empty list may end on a line of its own. */
function lastEntry(text: string): string {
  const at = text.lastIndexOf('\n');
  const line = text.slice(at + 1);
  if (at < 0 || !/^\s*[\]}]$/.test(line)) return at < 0 ? '' : line;
  const before = text.slice(0, at).trimEnd();
  const start = before.lastIndexOf('\n');
  return start < 0 ? '' : `${before.slice(start + 1)}${line}`;
}

/** The comments of a document that stand for what was left out. */
export function elisionsIn(text: string): readonly string[] {
  return commentsOf(text).filter((comment) => isElision(comment, true));
}

/**
 * Returns what a document would lose if it were accepted, or leaves out: the reason to ask again. Undefined
 * when it says everything.
 */
export function lostIn(elisions: readonly string[], { elided, lost, unknown }: Shaped): string | undefined {
  const lines = [
    ...elisions.map(
      (comment) => `- "${comment}" stands for something that was left out. Send the whole document.`,
    ),
    ...elided,
    ...lost,
    ...unknown,
  ];
  return lines.length === 0 ? undefined : lines.slice(0, 10).join('\n');
}

/** Returns true if nothing would get lost but the contents of keys that nobody knows. */
export function isOnlyUnknown(elisions: readonly string[], { elided, lost }: Shaped): boolean {
  return elisions.length === 0 && elided.length === 0 && lost.length === 0;
}
