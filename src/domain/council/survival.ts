import { oneLine } from '../../base/oneLine.ts';
import { sayingTexts } from './documentTexts.ts';

const sharedWords = 0.75;
const fewestWords = 4;

interface Survived {
  readonly texts: number;
  readonly survived: readonly string[];
}

/**
 * Each draft's parts in the result, by member (docs/decisions/098-what-a-council-gives.md): of the winner's
 * draft the kept ones, of others what the winner's lacked.
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

function linesOf(value: unknown): readonly string[] {
  const lines = sayingTexts(value)
    .flatMap(({ text }) => text.split('\n'))
    .map((line) => oneLine(line));
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
