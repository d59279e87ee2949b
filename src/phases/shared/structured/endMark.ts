import * as z from 'zod';
import type { Tree } from './tree.ts';

/** The last line of every structured answer. Without it, or a closed tag or fence, an answer may have been cut off. */
export const endMark = 'END_OF_ANSWER';

/**
 * Whether a bare document shows by itself that it is whole: every key it may have is there, and the last one's value ends with the bracket or quote
 * that it started with. No shorter text looks like that.
 */
export function endsItself(text: string, tree: Tree, schema: z.core.$ZodType): boolean {
  if (tree.kind !== 'table' || !(schema instanceof z.ZodObject)) return false;
  const there = new Set(tree.entries.map(([key]) => key));
  const isFull = Object.keys(schema.shape).every((key) => there.has(key));
  return isFull && /\n[\w-]+:[ \t]+(?:\[\s*\]|\{\s*\}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')\s*$/.test(text);
}
