import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { isSpeech, parsedEvent, type TicketEvent } from '../../domain/core/events.ts';
import { eventSentence } from '../../domain/facts/eventSentence.ts';
import type { EventPage, LogLine, LogPage, LogQuery, TranscriptQuery } from '../../protocol/history.ts';

export function logLine(number: number, event: TicketEvent): LogLine {
  const { level, source, text, detail } = eventSentence(event);
  return {
    number,
    at: event.at,
    source,
    level: level === 'warning' || level === 'error' ? level : 'info',
    // An agent's own words.
    text: event.type === 'activity' ? detail : detail === '' ? text : `${text}: ${detail}`,
  };
}

const chunkBytes = 64 * 1024;
/** Ours are shorter; this bounds the memory. */
const longestLine = 1024 * 1024;
const mostSearched = 16 * 1024 * 1024;
const longestPage = 250;
/** Of a page's events, in characters. */
const largestPage = 256 * 1024;

/**
 * Reads a log backwards, so that its length doesn't matter. A line's number is its first byte. Undefined
 * without a log.
 */
export async function readLogPage(
  stateFolder: string,
  ticket: string,
  query: LogQuery,
): Promise<LogPage | undefined> {
  const lines: LogLine[] = [];
  const read = await readBackwards(stateFolder, ticket, query.before, (number, text) => {
    const event = parsedEvent(text);
    const line = event && !isSpeech(event) ? logLine(number, event) : undefined;
    if (line && isWanted(line, query)) lines.push(line);
    return lines.length >= pageLimit(query) ? 'enough' : 'more';
  });
  return read && { lines: lines.toReversed(), total: read.size, earlier: read.earlier };
}

/** As `readLogPage`, the events themselves; of an iteration, if one is named. Empty without a log. */
export async function readEventPage(
  stateFolder: string,
  ticket: string,
  query: TranscriptQuery,
): Promise<EventPage> {
  const events: TicketEvent[] = [];
  const place = placeIn(query);
  let size = 0;
  const read = await readBackwards(stateFolder, ticket, query.before, (_number, text) => {
    // Of another bead, as most lines of a long log are.
    const event = place.mayHold(text) ? parsedEvent(text) : undefined;
    const found = event && !isEngineStep(event) ? place.of(event) : 'outside';
    if (found === 'before') return 'all';
    if (event && found === 'within') {
      events.push(event);
      size += text.length;
    }
    return events.length >= pageLimit(query) || size >= largestPage ? 'enough' : 'more';
  });
  return { events: events.toReversed(), earlier: read?.earlier ?? null };
}

/** The engine's own; stages and beads say the same in words. */
function isEngineStep(event: TicketEvent): boolean {
  return event.type === 'step' || event.type === 'call';
}

type Found = 'within' | 'outside' | 'before';

/** Follows a log backwards through a bead, or through the newest attempt of its iteration. */
function placeIn({ bead, iteration, before }: TranscriptQuery): {
  readonly mayHold: (line: string) => boolean;
  readonly of: (event: TicketEvent) => Found;
} {
  if (bead === undefined) return { mayHold: () => true, of: () => 'within' };
  const mark = `"bead":${JSON.stringify(bead)}`;
  // A page before another one continues in the same iteration.
  let isInside = before !== undefined;
  return {
    mayHold: (line) => line.includes(mark),
    of: (event) => {
      if (!('bead' in event) || event.bead !== bead) return 'outside';
      if (iteration !== undefined && event.iteration !== iteration) return isInside ? 'before' : 'outside';
      isInside = true;
      return 'within';
    },
  };
}

/** Hands over lines until it is `enough`, or there are `all`. Undefined without a log. */
async function readBackwards(
  stateFolder: string,
  ticket: string,
  before: number | undefined,
  take: (number: number, text: string) => 'more' | 'enough' | 'all',
): Promise<{ readonly size: number; readonly earlier: number | null } | undefined> {
  const file = await open(join(stateFolder, 'logs', `${ticket}.jsonl`), 'r').catch(() => undefined);
  if (!file) return undefined;
  try {
    const { size } = await file.stat();
    const end = Math.min(before ?? size, size);
    const floor = Math.max(0, end - mostSearched);
    let earlier = floor;
    for await (const { number, text } of linesBackwards(file, end, floor)) {
      earlier = number;
      const next = take(number, text);
      if (next === 'all') return { size, earlier: null };
      if (next === 'enough') break;
    }
    return { size, earlier: earlier === 0 ? null : earlier };
  } finally {
    await file.close();
  }
}

export function pageLimit({ limit }: { readonly limit: number }): number {
  return Math.max(1, Math.min(limit, longestPage));
}

export function isWanted(line: LogLine, { source, text = '', problems = false }: LogQuery): boolean {
  if (source !== undefined && line.source !== source) return false;
  if (problems && line.level === 'info') return false;
  return text === '' || line.text.toLowerCase().includes(text.toLowerCase());
}

async function* linesBackwards(
  file: FileHandle,
  end: number,
  floor: number,
): AsyncGenerator<{ readonly number: number; readonly text: string }> {
  let start = end;
  let rest: Buffer = Buffer.alloc(0);
  let isTooLong = false;
  while (start > floor) {
    const size = Math.min(chunkBytes, start - floor);
    start -= size;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, start);
    // The file was removed.
    if (bytesRead < size) return;
    const data = Buffer.concat([buffer, rest]);
    let stop = data.length;
    for (let at = stop; at > 0;) {
      const newline = data.lastIndexOf(10, at - 1);
      if (newline < 0) break;
      if (newline + 1 < stop && !isTooLong)
        yield { number: start + newline + 1, text: data.toString('utf8', newline + 1, stop) };
      isTooLong = false;
      stop = newline;
      at = newline;
    }
    rest = data.subarray(0, stop);
    if (rest.length > longestLine) {
      rest = Buffer.alloc(0);
      isTooLong = true;
    }
  }
  if (floor === 0 && rest.length > 0 && !isTooLong) yield { number: 0, text: rest.toString('utf8') };
}
