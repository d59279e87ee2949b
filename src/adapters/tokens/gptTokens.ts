import type { TokenCounter } from '../../engine/ports/ports.ts';

/**
 * Estimates tokens by o200k, loaded on first use (2.8 MB, 100 ms). Counts long texts piece by piece: the
 * editor stays usable, and no text takes seconds.
 */
export class GptTokens implements TokenCounter {
  #loading: Promise<Count> | undefined;

  async count(text: string): Promise<number> {
    if (text === '') return 0;
    this.#loading ??= load();
    const count = await this.#loading;
    let tokens = 0;
    let since = performance.now();
    for (const piece of piecesOf(text)) {
      tokens += count(piece);
      if (performance.now() - since < breathMs) continue;
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
    }
    return tokens;
  }
}

type Count = (text: string) => number;

async function load(): Promise<Count> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // A model's control token (`<|endoftext|>`) is ordinary text here.
  return (text) => countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() });
}

const breathMs = 10;
const pieceLength = 16_000;
/** Merging a "word" takes more than linear time. No real one is this long. */
const wordLength = 256;

function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = start + pieceLength;
    // At a line's end if one is near: a cut word counts as one token more.
    const line = end < text.length ? text.lastIndexOf('\n', end) : -1;
    const cut = line > start + pieceLength / 2 ? line + 1 : end;
    yield* wordsOf(text.slice(start, cut));
    start = cut;
  }
}

function* wordsOf(piece: string): Generator<string> {
  if (!longRun.test(piece)) {
    yield piece;
    return;
  }
  for (let start = 0; start < piece.length; start += wordLength) yield piece.slice(start, start + wordLength);
}

const longRun = new RegExp(
  `[\\p{L}\\p{M}]{${wordLength}}|[^\\s\\p{L}\\p{N}]{${wordLength}}|\\s{${wordLength}}`,
  'u',
);
