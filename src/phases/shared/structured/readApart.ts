import type { TextReader } from '../../../engine/ports/ports.ts';
import {
  type InputOf,
  type LinesReading,
  type ReadBy,
  type Reader,
  readHere,
  type Reading,
  readingAt,
  type ReadingRequest,
} from './readers.ts';
import type { Parse, Parsed } from './askTypes.ts';
import type { SkippedPart } from './skipped.ts';

/** Even the worst of such texts takes a few milliseconds. */
const shortLength = 4_000;

/** Reads texts of a stranger, in a thread if they are long; `late` after too long. */
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

/** Parts read apart for the answer being parsed now. */
let made: Made | undefined;
type Made = Map<string, Map<string, unknown>>;

class NotYetRead extends Error {
  readonly request: ReadingRequest;

  constructor(request: ReadingRequest) {
    super('This part of the answer is read in another thread.');
    this.request = request;
  }
}

export function readPart(request: ReadingRequest & { readonly form: 'document' }): Reading | undefined;
export function readPart(request: ReadingRequest & { readonly form: 'lines' }): LinesReading | undefined;
export function readPart(
  request: ReadingRequest & { readonly form: 'skipped' },
): readonly SkippedPart[] | undefined;
export function readPart(request: ReadingRequest): unknown {
  if (!made || request.text.length <= shortLength) return readingAt(request);
  const parts = made.get(request.text);
  const name = nameOf(request);
  if (!parts?.has(name)) throw new NotYetRead(request);
  return parts.get(name);
}

const late =
  'The answer takes too long to be read. Send the document again, with simpler nesting and shorter lines.';
const tooLong = 'The answer is too long to be read. Send the document again, in fewer words.';

/** No document is so long: 500 pages of text. */
const longestAnswer = 1_500_000;

/**
 * No parser of YAML is fast with every text. Parsing stays synchronous: it starts again whenever a part is
 * there that it asked for.
 */
export async function parseApart<T>(
  texts: TextReader,
  parse: Parse<T>,
  text: string,
  signal?: AbortSignal,
): Promise<Parsed<T>> {
  if (text.length > longestAnswer) return { ok: false, problem: tooLong };
  const parts: Made = new Map();
  for (;;) {
    try {
      made = parts;
      return parse(text);
    } catch (failure) {
      if (!(failure instanceof NotYetRead)) throw failure;
      const { request } = failure;
      const answer = await readApart(texts, 'answer', request, request.text.length, signal);
      if (answer === 'late') return { ok: false, problem: late };
      const ofText = parts.get(request.text) ?? new Map<string, unknown>();
      parts.set(request.text, ofText.set(nameOf(request), answer.read));
    } finally {
      made = undefined;
    }
  }
}

function nameOf({ form, tag = '', names, place }: ReadingRequest): string {
  return [form, place, tag, names.join()].join('\n');
}
