import { wordsOf } from '../findings/dismissal.ts';
import { everyList } from '../handoff/handoff.ts';
import type { RetrospectiveAnswer } from './answer.ts';

/** Most entries of a list of an answer, and most files of evidence and criteria that one entry may name. */
const mostEntries = 40;
const mostNames = 20;

type NoticedList = Exclude<keyof RetrospectiveAnswer, 'handoff' | 'uat'>;

/**
 * Merges the answers of several personas about one ticket into one answer
 * (docs/decisions/139-retrospective-and-handoff.md). In each list the first entries of all stand before the
 * second ones, so that a full list has something of each; an entry of several is there once, with the files
 * and criteria that any of them named.
 */
export function mergeRetrospectives(answers: readonly RetrospectiveAnswer[]): RetrospectiveAnswer {
  const noticed = (list: NoticedList): string[] =>
    merged(
      answers.map((answer) => answer[list]),
      { wordsIn: (text) => text, joined: (text) => text },
    );
  return {
    patterns: noticed('patterns'),
    decisions: noticed('decisions'),
    gotchas: noticed('gotchas'),
    went_well: noticed('went_well'),
    went_badly: noticed('went_badly'),
    handoff: everyList((list) =>
      merged(
        answers.map(({ handoff }) => handoff[list]),
        {
          wordsIn: ({ text }) => text,
          joined: (one, other) => ({ ...one, evidence: united(one.evidence, other.evidence) }),
        },
      ),
    ),
    uat: merged(
      answers.map(({ uat }) => uat),
      {
        wordsIn: ({ actions, expected }) => [...actions, expected].join(' '),
        joined: (one, other) => ({ ...one, criteria: united(one.criteria, other.criteria) }),
      },
    ),
  };
}

/** One list of all. Entries with the same words are one; `joined` makes it. */
function merged<T>(
  lists: readonly (readonly T[])[],
  { wordsIn, joined }: { readonly wordsIn: (entry: T) => string; readonly joined: (one: T, other: T) => T },
): T[] {
  const found = new Map<string, T>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let place = 0; place < longest; place++) {
    for (const entry of lists.flatMap((list) => list.slice(place, place + 1))) {
      const key = wordsOf(wordsIn(entry)) || wordsIn(entry);
      const known = found.get(key);
      found.set(key, known === undefined ? entry : joined(known, entry));
    }
  }
  return [...found.values()].slice(0, mostEntries);
}

function united(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])].slice(0, mostNames);
}
