/** The identity of a question: its id in its own list, and its words. */
interface Worded {
  readonly id: string;
  readonly text: string;
}

/** The least share of their words that two similar questions have in common, from 0 to 1. */
const similar = 0.7;
const negations =
  /^(?:no|not|never|none|nobody|nothing|neither|without|except|cannot|\p{L}+n['’]t|\p{N}.*)$/u;

/**
 * Returns true if two questions of different lists ask the same: in the same words, or under the same id in
 * mostly the same words.
 */
export function sameQuestion(a: Worded, b: Worded): boolean {
  return sameWords(a.text, b.text) || (a.id === b.id && isSimilar(a.text, b.text));
}

/** Returns true if two texts have the same words in the same order. */
export function sameWords(a: string, b: string): boolean {
  return wordsOf(a).join(' ') === wordsOf(b).join(' ');
}

/** Returns true if two texts share most words, and all negations and numbers. */
export function isSimilar(a: string, b: string): boolean {
  const [left, right] = [new Set(wordsOf(a)), new Set(wordsOf(b))];
  const signs = [...left.symmetricDifference(right)].filter((word) => negations.test(word));
  return (
    signs.length === 0 && (2 * left.intersection(right).size) / Math.max(1, left.size + right.size) >= similar
  );
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}'’]+/gu) ?? []
  );
}
