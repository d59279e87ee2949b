import * as z from 'zod';
import { approvalHash, approvedAt, approvedTogether, documentOf } from '../../domain/documents/documents.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { ReviewThread } from '../../domain/findings/reviewThread.ts';
import { passesByItself, type Ticket } from '../../domain/ticket/ticket.ts';
import { allowedActions } from '../../domain/workflow/availability.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { TicketSummary, Store } from '../../engine/ports/storePort.ts';
import type { TicketDetail, TicketView } from '../../protocol/api.ts';
import type { CommentKeeper } from '../../protocol/review.ts';

/**
 * A ticket as lists show it. A hold is a call for a person in any status unless it passes by itself; a gate
 * isn't one while it is being prepared.
 */
export function ticketView(summary: TicketSummary): TicketView {
  const {
    previousStatus: _previous,
    continuable: _continuable,
    openGaps: _gaps,
    errorCode: _code,
    ...shown
  } = summary;
  const { status, hold, preparing } = shown;
  const row = rowOf(status);
  const isHeld = hold !== null && !passesByItself(hold);
  // Nothing can be done to it, but it isn't passed over either.
  if (shown.damaged !== undefined)
    return {
      ...shown,
      label: 'Damaged',
      actions: [],
      column: 'Needs Input',
      band: 'errors',
      needsPerson: true,
    };
  return {
    ...shown,
    label: row.label,
    actions: allowedActions(summary),
    column: isHeld && row.kind === 'auto' ? 'Needs Input' : row.column,
    band: row.band,
    needsPerson: isHeld || (row.kind === 'gate' && row.role !== 'draft' && !preparing),
  };
}

/** Threads in the database. Every process that may write there may write them, not only the driver. */
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
      if (!checked.success)
        throw new BeadsmithError('INVALID_INPUT', {
          what: 'The comment',
          reason: z.prettifyError(checked.error),
        });
      await ticket(checked.data.ticket);
      return store.saveReviewThread(checked.data);
    },
    remove: async (id, thread) => {
      assertWritable();
      await store.removeReviewThread((await ticket(id)).id, thread);
    },
  };
}

/**
 * Returns the artifact that a ticket's gate asks to be approved, with the hash an approval must carry
 * (docs/decisions/013-approvals-by-hash.md); null at other places.
 */
export async function approvalTarget(store: Store, ticket: Ticket): Promise<TicketDetail['gate']> {
  const main = approvedAt(ticket.status);
  if (!main) return null;
  const documents: { readonly artifact: string; readonly sha256: string }[] = [];
  for (const artifact of approvedTogether(ticket.status)) {
    const { rows } = documentOf(artifact);
    const sha256 = rows
      ? rows.hash(await store.beads(ticket.id))
      : (await store.artifact(ticket.id, artifact))?.info.sha256;
    if (sha256 === undefined) return null;
    documents.push({ artifact, sha256 });
  }
  const sha256 = approvalHash(documents.map((document) => document.sha256));
  return { artifact: main, sha256, ...(documents.length > 1 ? { documents } : {}) };
}
