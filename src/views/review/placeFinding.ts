import { holds, linesOf } from '../../domain/findings/checkClaims.ts';
import type { Finding } from '../../domain/findings/finding.ts';

/** A finding, and the commit whose lines it counts. */
interface PlacedFinding {
  readonly finding: Pick<Finding, 'line' | 'evidence'>;
  readonly candidate: string;
}

/**
 * Returns the place of a finding in a version of its file: its own line in the commit that was reviewed; else
 * where the quoted code is, the nearest if it is in several places; else about where it was, as outdated.
 * Lines count from 1.
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
  const quote = linesOf(finding.evidence);
  const found =
    quote.length === 0
      ? []
      : written.filter((_, at) => quote.every((text, offset) => holds(written[at + offset]?.text, text)));
  const nearest = found.toSorted((a, b) => Math.abs(a.line - wanted) - Math.abs(b.line - wanted))[0];
  return nearest
    ? { line: nearest.line, outdated: false }
    : { line: Math.min(wanted, lines.length), outdated: true };
}
