import * as z from 'zod';
import type { Section } from '../../../context/sections.ts';
import { inboxBodies, type InboxEntry } from '../../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { RecordIo, Run } from '../../../engine/run/run.ts';
import { ask } from '../../shared/ask/ask.ts';
import type { Answer, Call } from '../../shared/structured/askTypes.ts';
import { failedCall, isFailureOf } from '../../shared/ask/providerError.ts';
import { appendRecord, readRecords } from '../../shared/ticket/records.ts';
import { reviewStep } from '../../shared/worktree/sessions.ts';
import { tell } from '../../../engine/run/tell.ts';

/** So often a reviewer is asked again; later notes wait for the next review. */
const mostTimes = 5;

/** A call whose key and session follow from the review. `sections` are those of the review. */
type ReviewCall<T> = Omit<Call<T>, 'key' | 'session' | 'sections' | 'bead'> &
  Required<Pick<Call<T>, 'bead'>> & {
    readonly sections: Extract<NonNullable<Call<T>['sections']>, (...args: never) => unknown>;
  };

/** `id`: of the entry that brought it. */
export interface Note {
  readonly id: string;
  readonly text: string;
}

/**
 * Asks a reviewer, who is told people's notes (docs/decisions/133-people-decide-about-findings.md). Notes
 * that come while it works are put to the same session, or to a fresh one if that is lost, and the new answer
 * replaces the earlier one. `said`: the notes that it took into account.
 */
export async function askReviewer<T>(
  run: Run,
  ticket: TicketSnapshot,
  call: ReviewCall<T>,
): Promise<Answer<T> & { readonly said: readonly Note[] }> {
  const said = [...(await readNotes(run, ticket, 'notes', call.bead))];
  const whole = (key: string): Promise<Answer<T>> => {
    const notes = noteSections(said);
    return ask(run, ticket, {
      ...call,
      key,
      sections: async (io) => [...(await call.sections(io)), ...notes],
    });
  };
  let answer = await whole(reviewStep);
  for (let time = 1; time <= mostTimes; time += 1) {
    const notes = await readNotes(run, ticket, `notes:${String(time)}`, call.bead, said);
    if (notes.length === 0) break;
    said.push(...notes);
    try {
      answer = await ask(run, ticket, {
        ...call,
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
  return { ...answer, said };
}

/**
 * People's notes beside those that it `has`. They stay in the inbox until a review that had them is over: one
 * that fails leaves them to the next.
 */
export async function readNotes(
  run: Run,
  ticket: TicketSnapshot,
  key: string,
  { id, iteration }: { readonly id: string; readonly iteration: number },
  has: readonly Note[] = [],
): Promise<readonly Note[]> {
  const entries = await run.take(key, ['review_note'], { leave: true });
  const notes = entries.map(noteOf).filter((note) => !has.some((one) => one.id === note.id));
  if (notes.length > 0)
    await run.record(`${key}:keep`, z.null(), async (io) => {
      const known = new Set(
        (await readRecords(io)).map(({ payload }) => NotePayload.safeParse(payload).data?.entry),
      );
      const fresh = notes.filter((note) => !known.has(note.id));
      const told = fresh.map(({ id: entry, text }) => ({
        bead: id,
        iteration,
        kind: 'human_note' as const,
        payload: { review_note: text, entry },
      }));
      if (told.length > 0) await appendRecord(io, ticket, ...told);
      return null;
    });
  return notes;
}

export async function settleNotes(run: Run, said: readonly Note[]): Promise<void> {
  if (said.length > 0) await run.take('notes:settled', ['review_note'], { only: said.map(({ id }) => id) });
}

/** Tells which notes a failed review leaves to the next one. */
export async function tellWaiting(io: RecordIo): Promise<void> {
  const pending = await io.ports.store.inbox(io.ticket, { pending: true });
  const count = pending.filter(({ kind }) => kind === 'review_note').length;
  if (count === 0) return;
  const notes = count === 1 ? '1 note to the reviewer waits' : `${String(count)} notes to the reviewer wait`;
  tell(io, `${notes} for the next review.`);
}

export function noteSections(notes: readonly Note[]): readonly Section[] {
  return notes.length === 0
    ? []
    : [{ name: 'review_note', content: notes.map(({ text }) => text).join('\n\n') }];
}

const NotePayload = z.object({ review_note: z.string(), entry: z.string() });

function noteOf({ id, body }: InboxEntry<'review_note'>): Note {
  return { id, text: inboxBodies.review_note.parse(body).text };
}
