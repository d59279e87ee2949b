import type { ReviewThread } from '../../domain/findings/reviewThread.ts';
import { holds, linesOf as quotedLines } from '../../domain/findings/checkClaims.ts';
import type { Finding } from '../../domain/findings/finding.ts';

/** Lines of a document, from 1, both included. `outdated`: what the thread speaks of is no longer there. */
interface ThreadPlace {
  readonly line: number;
  readonly endLine: number;
  readonly outdated: boolean;
}

/**
 * Its own lines, if it was written in this version; else where they are now, the nearest (of two as near the
 * lower: files grow more often than they shrink); else about where they were, as outdated.
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

interface PlacedFinding {
  readonly finding: Pick<Finding, 'line' | 'evidence'>;
  readonly candidate: string;
}

/**
 * Its own line in the reviewed commit; else where the quoted code is, the nearest; else about where it was,
 * as outdated. Lines count from 1.
 */
export function placeFinding(
  { finding, candidate }: PlacedFinding,
  commit: string | null,
  content: string,
): { readonly line: number; readonly outdated: boolean } {
  const lines = content.split(/\r?\n/);
  const wanted = finding.line ?? 1;
  if (commit === candidate && finding.line !== null && finding.line <= lines.length)
    return { line: finding.line, outdated: false };
  const written = lines
    .map((text, index) => ({ text: text.trim(), line: index + 1 }))
    .filter(({ text }) => text !== '');
  const quote = quotedLines(finding.evidence);
  const found =
    quote.length === 0
      ? []
      : written.filter((_, at) => quote.every((text, offset) => holds(written[at + offset]?.text, text)));
  const nearest = found.toSorted((a, b) => Math.abs(a.line - wanted) - Math.abs(b.line - wanted))[0];
  return nearest
    ? { line: nearest.line, outdated: false }
    : { line: Math.min(wanted, lines.length), outdated: true };
}
