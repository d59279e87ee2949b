import * as z from 'zod';
import type { Shaped } from './shape.ts';
import { isElision } from './spellings.ts';
import type { Tree } from './tree.ts';
import { commentsOf } from './yamlLines.ts';

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

/** What a document would lose if it were accepted, or leaves out: the reason to ask again. Undefined when it says everything. */
export function lostIn(text: string, { elided, lost, unknown }: Shaped): string | undefined {
  const comments = commentsOf(text).filter((comment) => isElision(comment, true));
  const lines = [
    ...comments.map((comment) => `- "${comment}" stands for something that was left out. Send the whole document.`),
    ...elided,
    ...lost,
    ...unknown,
  ];
  return lines.length === 0 ? undefined : lines.slice(0, 10).join('\n');
}

/** Whether nothing would get lost but the contents of keys that nobody knows. */
export function isOnlyUnknown(text: string, { elided, lost }: Shaped): boolean {
  return lostIn(text, { elided, lost, unknown: [], dropped: [], repairs: [], value: undefined }) === undefined;
}
