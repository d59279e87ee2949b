import type { TokenCounter } from '../../engine/ports/ports.ts';

/**
 * Estimates tokens with the vocabulary o200k. The tokenizer (2.8 MB, 100 ms) is loaded on first use. Long
 * texts are counted piece by piece, so that the editor stays usable meanwhile, and no text can make it
 * compute for seconds.
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
  // What looks like a control token of a model (`<|endoftext|>`) is ordinary text here.
  return (text) => countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() });
}

const breathMs = 10;
const pieceLength = 16_000;
/** Merging a "word" takes time that grows faster than its length. No real word is this long. */
const wordLength = 256;

function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = start + pieceLength;
    // Cut at the end of a line near the end, if there is one: a cut word counts as one token more.
    const line = end < text.length ? text.lastIndexOf('\n', end) : -1;
    const cut = line > start + pieceLength / 2 ? line + 1 : end;
    yield* wordsOf(text.slice(start, cut));
    start = cut;
  }
}

/** The piece, cut up where it holds a long run of characters without any break. */
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
