import type { ReviewThread } from '../../domain/findings/reviewThread.ts';

/** Lines of a document, from 1, both included. `outdated`: what the thread speaks of is no longer there. */
export interface ThreadPlace {
  readonly line: number;
  readonly endLine: number;
  readonly outdated: boolean;
}

/**
 * Returns the place of a thread in a version of its file: where it was written, if this is that version; else
 * where its lines are now, the nearest if they are in several places (files grow more often than they shrink:
 * of two as near, the lower); else about where they were, as outdated.
 */
export function placeThread(
  thread: Pick<ReviewThread, 'commit' | 'line' | 'endLine' | 'text'>,
  commit: string | null,
  content: string,
): ThreadPlace {
  const lines = content.split(/\r?\n/);
  const height = thread.endLine - thread.line;
  if (commit === thread.commit && thread.endLine <= lines.length)
    return { line: thread.line, endLine: thread.endLine, outdated: false };
  const wanted = thread.text.split(/\r?\n/);
  const found = thread.text.trim() === '' ? [] : startsOf(wanted, lines);
  const nearest = found.toSorted((a, b) => Math.abs(a - thread.line) - Math.abs(b - thread.line) || b - a)[0];
  if (nearest !== undefined) return { line: nearest, endLine: nearest + height, outdated: false };
  const endLine = Math.min(thread.endLine, lines.length);
  return { line: Math.max(1, endLine - height), endLine, outdated: true };
}

/** The text of some lines, by which they are found again. */
export function linesOf(content: string, line: number, endLine: number): string {
  return content
    .split(/\r?\n/)
    .slice(line - 1, endLine)
    .join('\n');
}

/** Indentation may change without a line becoming another one. */
function startsOf(wanted: readonly string[], lines: readonly string[]): number[] {
  const there = lines.map((line) => line.trim());
  const sought = wanted.map((line) => line.trim());
  return there.flatMap((_, at) =>
    sought.every((line, offset) => there[at + offset] === line) ? [at + 1] : [],
  );
}
