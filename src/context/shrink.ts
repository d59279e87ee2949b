/** Counts (or estimates) the tokens of a text. */
export type Count = (text: string) => Promise<number> | number;

/** Text that fits into a number of tokens, with the number it takes. */
export interface Shrunk {
  readonly content: string;
  readonly tokens: number;
}

/**
 * Cuts a text of `tokens` tokens down to `limit`: two thirds from its head, one third from its tail, and between them a line that says how much
 * was left out. Never above the limit, unless the limit is too small for that line alone.
 */
export async function shrink(content: string, tokens: number, limit: number, count: Count): Promise<Shrunk> {
  let keep = Math.floor((content.length * limit) / tokens);
  for (;;) {
    const text = cut(content, keep);
    const size = await count(text);
    if (size <= limit || keep === 0) return { content: text, tokens: size };
    // A little less than the proportion asks for, because the line in the middle costs tokens too.
    keep = Math.floor((keep * limit * 0.98) / size);
  }
}

function cut(content: string, keep: number): string {
  const head = onBorder(content, Math.floor((keep * 2) / 3));
  const tail = onBorder(content, content.length - (keep - Math.floor((keep * 2) / 3)));
  return `${content.slice(0, head)}\n[… ${String(tail - head)} of ${String(content.length)} characters left out …]\n${content.slice(tail)}`;
}

/** Never between the two halves of a surrogate pair. */
function onBorder(content: string, index: number): number {
  const code = content.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}
