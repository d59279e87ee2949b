import type { LogRow } from '../../../src/protocol/pages/ticket.ts';

/** The lines that are shown, oldest first, and where earlier ones begin; null: there are none. */
export interface Pages {
  readonly lines: readonly LogRow[];
  readonly earlier: number | null;
  /** The newest lines gave way to earlier ones: what comes in is not shown. */
  readonly isCut?: boolean;
}

/** A page of thousands of lines is no help, and slow. */
const mostLines = 3_000;

/**
 * Returns the lines that are shown once another page has come; `before` is where earlier lines were requested
 * from, undefined for the newest page. Earlier lines that don't end where the known ones start were requested
 * twice, or belong to lines that were cut in the meantime: they are dropped. The newest page may leave a gap
 * to what is known, if much happened in between: then it stands alone, and what was before is loaded again on
 * demand. Where there is too much, the end that isn't being read is cut.
 */
export function merged(known: Pages | undefined, page: Pages, before?: number): Pages {
  if (!known) return page;
  if (before !== undefined) {
    if (before !== known.earlier) return known;
    const all = [...page.lines, ...known.lines];
    return {
      lines: all.slice(0, mostLines),
      earlier: page.earlier,
      isCut: known.isCut === true || all.length > mostLines,
    };
  }
  if (known.isCut === true) return known;
  const last = known.lines.at(-1);
  const first = page.lines[0];
  if (!last || !first || (first.number > last.number && page.earlier !== null)) return page;
  const added = page.lines.filter(({ number }) => number > last.number);
  const lines = [...known.lines, ...added].slice(-mostLines);
  return {
    lines,
    earlier: lines.length < known.lines.length + added.length ? (lines[0]?.number ?? null) : known.earlier,
  };
}
