import type { TextReader } from '../../../engine/ports/ports.ts';
import { type InputOf, type ReadBy, type Reader, readHere } from './readers.ts';

/** Texts up to this length are read at once: even the worst of them takes a few milliseconds. */
export const shortLength = 4_000;

/**
 * Reads texts of a stranger, of `length` characters in all, in a thread of its own if they are long; `late`
 * if that takes too long.
 */
export async function readApart<R extends Reader>(
  texts: TextReader,
  reader: R,
  input: InputOf<R>,
  length: number,
  signal?: AbortSignal,
): Promise<{ readonly read: ReadBy<R> } | 'late'> {
  if (length <= shortLength) return { read: readHere(reader, input) };
  const answer = await texts.read(reader, input, signal);
  return answer === 'late' ? answer : { read: answer.read as ReadBy<R> };
}
