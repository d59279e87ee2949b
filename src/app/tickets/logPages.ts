import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { parsedEvent, type TicketEvent } from '../../domain/core/events.ts';
import { eventSentence } from '../../domain/facts/eventSentence.ts';
import type { LogLine, LogPage, LogQuery } from '../../protocol/history.ts';

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

/**
 * Reads a log backwards, so that its length doesn't matter. A line's number is its first byte. Undefined
 * without a log.
 */
export async function readLogPage(
  stateFolder: string,
  ticket: string,
  query: LogQuery,
): Promise<LogPage | undefined> {
  const file = await open(join(stateFolder, 'logs', `${ticket}.jsonl`), 'r').catch(() => undefined);
  if (!file) return undefined;
  try {
    const { size } = await file.stat();
    const end = Math.min(query.before ?? size, size);
    const floor = Math.max(0, end - mostSearched);
    const lines: LogLine[] = [];
    let earlier = floor;
    for await (const { number, text } of linesBackwards(file, end, floor)) {
      const event = parsedEvent(text);
      const line = event && logLine(number, event);
      if (line && isWanted(line, query)) lines.push(line);
      earlier = number;
      if (lines.length >= pageLimit(query)) break;
    }
    return { lines: lines.toReversed(), total: size, earlier: earlier === 0 ? null : earlier };
  } finally {
    await file.close();
  }
}

export function pageLimit({ limit }: LogQuery): number {
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
