import type { Shaped } from './shape.ts';
import { isElision } from './spellings.ts';
import { commentsOf } from './yamlLines.ts';

/** What a document would lose if it were accepted, or leaves out: the reason to ask again. Undefined when it says everything. */
export function lostIn(text: string, { elided, lost, unknown }: Shaped): string | undefined {
  const comments = commentsOf(text).filter((comment) => isElision(comment, true));
  const lines = [...comments.map((comment) => `- "${comment}" stands for something that was left out. Send the whole document.`), ...elided, ...lost, ...unknown];
  return lines.length === 0 ? undefined : lines.slice(0, 10).join('\n');
}

/** Whether nothing would get lost but the contents of keys that nobody knows. */
export function isOnlyUnknown(text: string, { elided, lost }: Shaped): boolean {
  return lostIn(text, { elided, lost, unknown: [], dropped: [], repairs: [], value: undefined }) === undefined;
}
