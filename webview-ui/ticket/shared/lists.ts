import type { LogLine } from '../../../src/protocol/history.ts';
import type { TicketHint } from '../../../src/protocol/pages/ticket.ts';

export interface Activity {
  readonly key: number;
  readonly hint: TicketHint;
}

const mostEntries = 60;
/** Of what a model writes, the end is what it is at. */
const longestText = 1_200;

/** A model's words come in pieces, which grow one entry. */
export function withHint(list: readonly Activity[], hint: TicketHint): readonly Activity[] {
  const last = list.at(-1);
  if (last && isSpeech(hint) && last.hint.kind === hint.kind && last.hint.source === hint.source) {
    const text = (last.hint.text + hint.text).slice(-longestText);
    return [...list.slice(0, -1), { key: last.key, hint: { ...hint, text } }];
  }
  return [...list.slice(1 - mostEntries), { key: (last?.key ?? 0) + 1, hint }];
}

export function isSpeech({ kind }: TicketHint): boolean {
  return kind === 'text' || kind === 'reasoning';
}

/** Lines oldest first, and where earlier ones begin; null: there are none. */
export interface Pages {
  readonly lines: readonly LogLine[];
  readonly earlier: number | null;
  /** The newest lines gave way to earlier ones: what comes in is not shown. */
  readonly isCut?: boolean;
}

/** A page of thousands of lines is no help, and slow. */
const mostLines = 3_000;

/**
 * The shown lines once another page has come; `before` is where earlier lines were requested from, undefined
 * for the newest page. Earlier lines that don't end where the known ones start are dropped. If the newest
 * page leaves a gap to what is known, it stands alone. Where there is too much, the end that isn't being read
 * is cut.
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
