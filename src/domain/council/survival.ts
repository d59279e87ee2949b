import { textsOf } from './documentTexts.ts';

/** A text that shares so many of its words with another says the same. Shorter ones have to be equal. */
const sharedWords = 0.75;
const fewestWords = 4;

/** The number of a draft's texts, and those that are in the result, in the draft's words. */
interface Survived {
  readonly texts: number;
  readonly survived: readonly string[];
}

/**
 * Returns the parts of each draft that are in the result, by member
 * (docs/decisions/098-what-a-council-gives.md). For the winner's draft, they are what was kept; for another
 * one, what the result says and the winner's own draft didn't. Texts are compared line by line, with three
 * quarters of the words the same; names of items and single words aren't compared.
 */
export function survivalOf(
  drafts: ReadonlyMap<string, unknown>,
  winner: string,
  result: unknown,
): ReadonlyMap<string, Survived> {
  const own = linesOf(drafts.get(winner)).map(wordsOf);
  const now = linesOf(result).map(wordsOf);
  const added = now.filter((line) => !own.some((mine) => isSaidIn(line, mine)));
  return new Map(
    [...drafts].map(([member, draft]) => {
      const lines = linesOf(draft);
      const survived = lines.filter((line) => {
        const words = wordsOf(line);
        if (member === winner) return now.some((other) => isSaidIn(words, other));
        return added.some((other) => isSaidIn(words, other)) && !own.some((mine) => isSaidIn(words, mine));
      });
      return [member, { texts: lines.length, survived }];
    }),
  );
}

/** The lines of a document's texts that say something, each once. */
function linesOf(value: unknown): readonly string[] {
  const ignored = ['id', 'phase', 'prdRefs', 'interview_refs'];
  const texts = textsOf(value).filter(({ key }) => !ignored.includes(key));
  const lines = texts.flatMap(({ text }) => text.split('\n')).map((line) => line.replace(/\s+/g, ' ').trim());
  return [...new Set(lines)].filter((line) => /\S\s+\S|[^\p{ASCII}]{4}/u.test(line));
}

interface Words {
  readonly line: string;
  readonly all: ReadonlySet<string>;
}

function wordsOf(line: string): Words {
  const words = line.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return { line: words.join(' '), all: new Set(words) };
}

function isSaidIn(text: Words, other: Words): boolean {
  if (text.line === other.line) return true;
  if (text.all.size < fewestWords) return false;
  let shared = 0;
  for (const word of text.all) if (other.all.has(word)) shared += 1;
  return shared >= sharedWords * text.all.size;
}
