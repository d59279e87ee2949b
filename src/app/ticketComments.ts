import * as z from 'zod';
import { BeadsmithError } from '../domain/errors.ts';
import { ReviewThread } from '../domain/reviewThread.ts';
import type { Ticket } from '../domain/ticket.ts';
import type { Store } from '../engine/ports/storePort.ts';
import type { CommentKeeper } from '../protocol/review.ts';

/** Threads in the database. Anybody who may write there may write them, whoever drives. */
export function ticketComments(parts: {
  readonly store: Store;
  /** TICKET_UNKNOWN */
  readonly ticket: (id: string) => Promise<Ticket>;
  /** DATABASE_READ_ONLY */
  readonly assertWritable: () => void;
}): CommentKeeper {
  const { store, ticket, assertWritable } = parts;
  return {
    threads: async (id) => store.reviewThreads((await ticket(id)).id),
    save: async (thread) => {
      assertWritable();
      const checked = ReviewThread.safeParse(thread);
      if (!checked.success) throw new BeadsmithError('INVALID_INPUT', { what: 'The comment', reason: z.prettifyError(checked.error) });
      await ticket(checked.data.ticket);
      return store.saveReviewThread(checked.data);
    },
    remove: async (id, thread) => {
      assertWritable();
      await store.removeReviewThread((await ticket(id)).id, thread);
    },
  };
}
