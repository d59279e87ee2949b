import type { InterviewSession, NotAsked } from './interview.ts';

type Checklist = InterviewSession['checklist'];
type Record = Pick<InterviewSession, 'checklist' | 'asked' | 'settled' | 'trimmed'>;

/** Open checklist questions (docs/decisions/099-checklist-is-accounted-for.md). */
export function unaccounted(session: Record): Checklist {
  const settled = new Set(session.settled.map(({ id }) => id));
  return session.checklist.filter(
    ({ id }) => !settled.has(id) && !isAsked(session, id) && askedWith(session, id) === undefined,
  );
}

/** An id's question: `q2` and `Q002` mean Q02. */
export function listedId(checklist: Checklist, id: string): string | undefined {
  const bare = (text: string): string => text.toLowerCase().replace(/(?<!\d)0+(?=\d)/g, '');
  return (
    checklist.find((question) => question.id === id) ??
    checklist.find((question) => bare(question.id) === bare(id))
  )?.id;
}

/** Questions never asked, for a person to read. */
export function notAsked(session: Record): NotAsked {
  const unasked = session.checklist.filter(({ id }) => !isAsked(session, id));
  return {
    settled: unasked.flatMap(({ id, question }) => {
      const reason = session.settled.find((settled) => settled.id === id)?.reason;
      return reason === undefined || askedWith(session, id) !== undefined
        ? []
        : [{ id, prompt: question, reason }];
    }),
    merged: unasked.flatMap(({ id, question }) => {
      const into = askedWith(session, id);
      return into === undefined ? [] : [{ id, prompt: question, into }];
    }),
    trimmed: [...new Map(session.trimmed.map((question) => [question.question, question])).values()]
      .filter(({ id }) => !isAsked(session, id))
      .map(({ id, question, priority }) => ({ id, prompt: question, priority })),
  };
}

function isAsked({ asked }: Record, id: string): boolean {
  return asked.some((question) => question.id === id);
}

function askedWith({ asked }: Record, id: string): string | undefined {
  return asked.find(({ covers }) => covers.includes(id))?.id;
}
