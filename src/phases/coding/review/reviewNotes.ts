import * as z from 'zod';
import type { Section } from '../../../context/sections.ts';
import { inboxBodies } from '../../../domain/inbox.ts';
import type { TicketSnapshot } from '../../../domain/ticket.ts';
import type { Run } from '../../../engine/run/run.ts';
import { ask } from '../../shared/ask/ask.ts';
import type { Answer, Question } from '../../shared/ask/askTypes.ts';
import { failedCall, isFailureOf } from '../../shared/ask/providerError.ts';
import { appendRecord } from '../../shared/records.ts';
import { reviewStep } from '../../shared/sessions.ts';

/** So often a reviewer is asked again; what comes later waits for the next review. */
const mostTimes = 5;

/** What is asked of a reviewer; `key` and session follow from it. `sections` are those of the review. */
export type ReviewQuestion<T> = Omit<Question<T>, 'key' | 'session' | 'sections' | 'bead'> &
  Required<Pick<Question<T>, 'bead'>> & { readonly sections: Extract<NonNullable<Question<T>['sections']>, (...args: never) => unknown> };

/**
 * Asks a reviewer, who is told what people say to the review (docs/decisions/133-people-decide-about-findings.md). What was said before goes with the
 * question. What is said while the reviewer works is put to the same session once its answer is there, and the new answer replaces that one. Where the
 * session is lost, a fresh one gets the question with all that was said.
 */
export async function askReviewer<T>(run: Run, ticket: TicketSnapshot, question: ReviewQuestion<T>): Promise<T> {
  const said = [...(await takeNotes(run, ticket, 'notes', question.bead))];
  const whole = (key: string): Promise<Answer<T>> => {
    const notes = noteSections(said);
    return ask(run, ticket, { ...question, key, sections: async (io) => [...(await question.sections(io)), ...notes] });
  };
  let answer = await whole(reviewStep);
  for (let time = 1; time <= mostTimes; time += 1) {
    const notes = await takeNotes(run, ticket, `notes:${String(time)}`, question.bead);
    if (notes.length === 0) break;
    said.push(...notes);
    try {
      answer = await ask(run, ticket, {
        ...question,
        key: `${reviewStep}:note:${String(time)}`,
        prompt: 'review-note',
        session: answer.session,
        sections: noteSections(notes),
      });
    } catch (error) {
      if (!isFailureOf(error, failedCall)) throw error;
      answer = await whole(`${reviewStep}:again:${String(time)}`);
    }
  }
  return answer.value;
}

/** What people said to the review since the last time. It is part of the bead's records. */
export async function takeNotes(
  run: Run,
  ticket: TicketSnapshot,
  key: string,
  { id, iteration }: { readonly id: string; readonly iteration: number },
): Promise<readonly string[]> {
  const notes = (await run.take(key, ['review_note'])).map(({ body }) => inboxBodies.review_note.parse(body).text);
  if (notes.length > 0)
    await run.record(`${key}:keep`, z.null(), async (io) => {
      await appendRecord(
        io,
        ticket,
        ...notes.map((note) => ({ bead: id, iteration, kind: 'human_note' as const, payload: { review_note: note } })),
      );
      return null;
    });
  return notes;
}

/** What people said, as a section of a review's prompt. */
export function noteSections(notes: readonly string[]): readonly Section[] {
  return notes.length === 0 ? [] : [{ name: 'review_note', content: notes.join('\n\n') }];
}
