import type { Todo } from '../../../src/domain/core/toolCall.ts';
import type { TicketHint } from '../../../src/protocol/pages/transcript.ts';

/** A piece of a text, and its place. */
interface Span {
  readonly from: number;
  readonly text: string;
}

/** One row: a text with all its pieces, a tool call with its newest state, or a step. */
export interface Entry extends Omit<TicketHint, 'offset'> {
  readonly key: string;
  /** Of a text: in order, with gaps between them. Their texts together are `text`. */
  readonly spans: readonly Span[];
}

/** More make a page slow; earlier ones can be requested again. */
export const mostEntries = 600;
/** Of a long text, the end counts. */
const longestText = 20_000;
const gap = ' … ';

/** Pieces may come twice, live and from the log, and in any order. */
export function withPieces(known: readonly Entry[], pieces: readonly TicketHint[]): readonly Entry[] {
  const entries = new Map(known.map((entry) => [entry.key, entry]));
  for (const piece of pieces) {
    if (piece.kind === 'step' && piece.tone === undefined) continue;
    const key = keyOf(piece);
    const before = entries.get(key);
    const now = before ? joined(before, piece) : first(key, piece);
    if (now !== before) entries.set(key, now);
  }
  return [...entries.values()].toSorted((a, b) => a.at - b.at);
}

function keyOf({ part, kind, source, at, text, bead = '' }: TicketHint): string {
  return part === undefined
    ? [kind, source, String(at), bead, text].join('\n')
    : // A model's text and its tool call never have the same part.
      `part ${part}`;
}

function first(key: string, { offset, ...piece }: TicketHint): Entry {
  return {
    ...piece,
    key,
    ...textOf(offset === undefined ? [] : [{ from: offset, text: piece.text }], piece.text),
  };
}

function joined(entry: Entry, piece: TicketHint): Entry {
  const at = Math.min(entry.at, piece.at);
  if (piece.offset !== undefined) {
    const spans = withSpan(entry.spans, { from: piece.offset, text: piece.text });
    return spans === entry.spans && at === entry.at ? entry : { ...entry, at, ...textOf(spans, entry.text) };
  }
  // A call that ended doesn't run again: that piece came late.
  if (piece.call === undefined || (piece.call.state === 'running' && entry.call?.state !== 'running'))
    return at === entry.at ? entry : { ...entry, at };
  return { ...entry, at, text: piece.text, call: { ...entry.call, ...piece.call } };
}

function textOf(spans: readonly Span[], text: string): Pick<Entry, 'spans' | 'text'> {
  const [start] = spans;
  if (!start) return { spans, text };
  const whole = spans.map((span) => span.text).join(gap);
  return { spans, text: (start.from === 0 ? '' : gap.trimStart()) + whole };
}

/** In its place, the new text counts. The same when nothing is new. */
function withSpan(spans: readonly Span[], { from, text }: Span): readonly Span[] {
  const apart: Span[] = [];
  let span = { from, text };
  for (const one of spans) {
    const [end, newEnd] = [one.from + one.text.length, span.from + span.text.length];
    if (end < span.from || one.from > newEnd) {
      apart.push(one);
      continue;
    }
    if (one.from <= span.from && end >= newEnd && one.text.startsWith(span.text, span.from - one.from))
      return spans;
    const head = one.text.slice(0, Math.max(0, span.from - one.from));
    const tail = one.text.slice(Math.max(0, newEnd - one.from));
    span = { from: Math.min(one.from, span.from), text: head + span.text + tail };
  }
  return cut([...apart, span].toSorted((a, b) => a.from - b.from));
}

function cut(spans: readonly Span[]): readonly Span[] {
  let left = longestText;
  const kept: Span[] = [];
  for (const { from, text } of spans.toReversed()) {
    if (left === 0) break;
    const end = text.slice(-left);
    kept.unshift({ from: from + text.length - end.length, text: end });
    left -= end.length;
  }
  return kept;
}

/** Places where live pieces were lost: the log has them. */
export function gapsIn(entries: readonly Entry[]): number {
  return entries.reduce((sum, { spans }) => sum + Math.max(0, spans.length - 1), 0);
}

/** `earlier`: where the page before begins; undefined until a page came, `cut` when the start was dropped. */
export interface Loaded {
  readonly entries: readonly Entry[];
  readonly earlier: number | null | undefined | 'cut';
}

/** `before`: where it was requested from; undefined for the newest page. */
export function loaded(
  known: Loaded,
  { pieces, earlier }: { readonly pieces: readonly TicketHint[]; readonly earlier: number | null },
  before?: number,
): Loaded {
  if (before !== undefined)
    // Of a page that was requested twice, the first counts.
    return before === known.earlier ? { entries: withPieces(known.entries, pieces), earlier } : known;
  const start = pieces[0]?.at ?? 0;
  const newest = known.entries.at(-1)?.at ?? 0;
  const isApart = typeof known.earlier !== 'number' && known.earlier !== null;
  // Everything between was lost: it is loaded on demand.
  if (isApart || (earlier !== null && start > newest)) {
    const later = known.entries.filter(({ at }) => at >= start);
    return { entries: withPieces(later, pieces), earlier };
  }
  return { ...known, entries: withPieces(known.entries, pieces) };
}

/** Keeps everything unless the person reads at the end. */
export function live(known: Loaded, hint: TicketHint, isAtEnd: boolean): Loaded {
  const entries = withPieces(known.entries, [hint]);
  if (known.earlier === undefined || entries.length <= mostEntries || !isAtEnd) return { ...known, entries };
  return { entries: entries.slice(-mostEntries / 2), earlier: 'cut' };
}

/** An iteration of a bead. */
export interface Scope {
  readonly bead: string;
  readonly iteration: number;
}

export function isIn(
  { bead, iteration }: Pick<TicketHint, 'bead' | 'iteration'>,
  scope: Scope | undefined,
): boolean {
  return scope === undefined || (bead === scope.bead && iteration === scope.iteration);
}

/** The entries of an iteration, in order. `why`: how the one before ended. */
export interface Chapter {
  readonly key: string;
  readonly scope: Scope | undefined;
  readonly why: string;
  readonly entries: readonly Entry[];
}

/** Entries without a bead stay in their place. A stage that ended needs no line that it began. */
export function chapters(entries: readonly Entry[]): readonly Chapter[] {
  const found: { key: string; scope: Scope | undefined; why: string; entries: Entry[] }[] = [];
  const ended = new Map<string, string>();
  for (const entry of entries) {
    const { bead, iteration, tone } = entry;
    // The engine's view of a bead is said by its stages.
    if (entry.kind === 'bead') continue;
    let last = found.at(-1);
    const isOwn = bead !== undefined && iteration !== undefined;
    if (!last || (isOwn && !(last.scope && isIn(entry, last.scope)))) {
      const scope = isOwn ? { bead, iteration } : undefined;
      const why = isOwn ? (ended.get(`${bead} ${String(iteration - 1)}`) ?? '') : '';
      last = { key: entry.key, scope, why, entries: [] };
      found.push(last);
    }
    if (tone === 'bad' && isOwn) ended.set(`${bead} ${String(iteration)}`, entry.text);
    last.entries.push(entry);
  }
  return found;
}

/** The newest list of the agent; undefined if it keeps none. */
export function todosOf(entries: readonly Entry[]): readonly Todo[] | undefined {
  return entries.findLast(({ call }) => call?.todos !== undefined)?.call?.todos;
}

/** Tool calls that may have changed files. */
export function endedCalls(entries: readonly Entry[]): number {
  const reading = ['read', 'list', 'glob', 'grep', 'webfetch', 'todowrite', 'todoread'];
  return entries.filter(({ call }) => call && call.state !== 'running' && !reading.includes(call.tool))
    .length;
}
