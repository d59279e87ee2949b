import { type DraftScore, voteCategories } from './council.ts';

const wordsInARow = 4;
const marks = ['"', "'", '`', '“”', '‘’', '«»', '»«', '„“', '„”', '‚‘', '「」', '『』'];

/**
 * True if a reason quotes its draft: words in quotation marks, or four words in a row. Case, outer
 * punctuation and white space don't matter.
 */
export function quotes(reason: string, draft: string): boolean {
  const text = plain(draft);
  if (quoted(reason).some((part) => plain(part).length >= 3 && text.includes(plain(part)))) return true;
  const words = plain(reason).split(' ');
  return words.some((_, from) => {
    const run = words.slice(from, from + wordsInARow);
    return run.length === wordsInARow && ` ${text} `.includes(` ${run.join(' ')} `);
  });
}

/** A score with the reasons marked that quote nothing. They count all the same. */
export function markQuotes(score: DraftScore, draft: string): DraftScore {
  const unquoted = [
    ...voteCategories.filter((category) => isUnquoted(score.reasons?.[category] ?? '', draft)),
    ...(isUnquoted(score.reason, draft) ? (['overall'] as const) : []),
  ];
  return unquoted.length === 0 ? score : { ...score, unquoted };
}

function isUnquoted(reason: string, draft: string): boolean {
  return reason.trim() !== '' && !quotes(reason, draft);
}

/** Texts up to every closing mark (`'the user's cart'`). An apostrophe opens nothing. */
function quoted(reason: string): string[] {
  const parts: string[] = [];
  for (const pair of marks) {
    const [open = '', close = open] = Array.from(pair);
    for (let from = reason.indexOf(open); from >= 0; from = reason.indexOf(open, from + 1)) {
      if (/[\p{L}\p{N}]/u.test(reason.charAt(from - 1))) continue;
      for (
        let to = reason.indexOf(close, from + 1), tries = 0;
        to >= 0 && tries < 5;
        to = reason.indexOf(close, to + 1), tries++
      )
        parts.push(reason.slice(from + 1, to));
    }
  }
  return parts;
}

/** Lower case, one line, no marks around words. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/(?<![\p{L}\p{N}])[^\p{L}\p{N}\s]+|[^\p{L}\p{N}\s]+(?![\p{L}\p{N}])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
