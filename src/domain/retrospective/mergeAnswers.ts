import { wordsOf } from '../findings/dismissal.ts';
import { everyList } from '../handoff/handoff.ts';
import { inTurns } from '../personas/persona.ts';
import type { RetrospectiveAnswer } from './answer.ts';

const mostEntries = 40;
const mostNames = 20;

type NoticedList = Exclude<keyof RetrospectiveAnswer, 'handoff' | 'uat'>;

/**
 * Merges personas' answers about a ticket (docs/decisions/139-retrospective-and-handoff.md): all first
 * entries before second ones, repeated ones once.
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

function merged<T>(
  lists: readonly (readonly T[])[],
  { wordsIn, joined }: { readonly wordsIn: (entry: T) => string; readonly joined: (one: T, other: T) => T },
): T[] {
  const found = new Map<string, T>();
  for (const entry of inTurns(lists)) {
    const key = wordsOf(wordsIn(entry)) || wordsIn(entry);
    const known = found.get(key);
    found.set(key, known === undefined ? entry : joined(known, entry));
  }
  return [...found.values()].slice(0, mostEntries);
}

function united(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])].slice(0, mostNames);
}
