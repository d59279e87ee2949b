import * as z from 'zod';
import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import { TicketId } from '../../domain/core/ids.ts';
import { approvalHash, approvedAt, approvedTogether, documentOf } from '../../domain/documents/documents.ts';
import { ReviewThread } from '../../domain/findings/reviewThread.ts';
import { passesByItself, type Ticket } from '../../domain/ticket/ticket.ts';
import { allowedActions } from '../../domain/workflow/availability.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { TicketSummary, Store } from '../../engine/ports/storePort.ts';
import type { TicketDetail, TicketView } from '../../protocol/api.ts';
import type { CommentKeeper } from '../../protocol/review.ts';
import {
  ContextEntries,
  type ContextEntry,
  contextMode,
  newContextEntry,
} from '../../domain/prompts/contextEntries.ts';
import { readText } from '../../domain/documents/base/text.ts';
import { inboxBodies, type InboxEntry } from '../../domain/ticket/inbox.ts';

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

export interface KeeperParts {
  readonly store: Store;
  /** TICKET_UNKNOWN */
  readonly ticket: (id: string) => Promise<Ticket>;
  /** DATABASE_READ_ONLY */
  readonly assertWritable: () => void;
}

/** Threads in the database. Every process that may write there may write them, not only the driver. */
export function ticketComments({ store, ticket, assertWritable }: KeeperParts): CommentKeeper {
  return {
    threads: async (id) => store.reviewThreads((await ticket(id)).id),
    save: async (thread) => {
      assertWritable();
      const checked = ReviewThread.safeParse(thread);
      if (!checked.success) throw invalidInput('The comment', z.prettifyError(checked.error));
      await ticket(checked.data.ticket);
      return store.saveReviewThread(checked.data);
    },
    remove: async (id, thread) => {
      assertWritable();
      await store.removeReviewThread((await ticket(id)).id, thread);
    },
  };
}

/** The artifact to approve at a ticket's gate, with its hash (docs/decisions/013-approvals-by-hash.md). */
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

/** The document `context_entries`; none where it is missing or can't be read. */
export function readKept(content: string | undefined): readonly ContextEntry[] {
  const read = content === undefined ? undefined : readText('json', content);
  return read?.ok ? (ContextEntries.safeParse(read.value).data?.entries ?? []) : [];
}

/**
 * Every context entry of a ticket with its state (docs/decisions/141-context-inbox.md): what coding took says
 * its document; the rest still is in the inbox, was withdrawn there, or was taken by a status before coding,
 * which uses `once` up and keeps everything else.
 */
export function contextOf(
  inbox: readonly InboxEntry[],
  kept: readonly ContextEntry[],
): readonly ContextEntry[] {
  const known = new Map(kept.map((entry) => [entry.id, entry]));
  const filed = inbox.flatMap((entry): readonly ContextEntry[] => {
    const body = entry.kind === 'context' ? inboxBodies.context.safeParse(entry.body).data : undefined;
    if (!body || known.has(entry.id)) return [];
    const isRefused = entry.state === 'refused';
    if (isRefused && entry.outcome?.code !== 'CONTEXT_WITHDRAWN') return [];
    const mode = contextMode(body.scope);
    const given = newContextEntry({
      id: entry.id,
      text: body.text,
      author: 'user',
      mode,
      at: entry.postedAt,
    });
    if (entry.state === 'pending') return [given];
    return [{ ...given, state: isRefused ? 'withdrawn' : mode === 'once' ? 'consumed' : 'delivered' }];
  });
  return [...kept, ...filed].toSorted((a, b) => a.at - b.at);
}

/** The ticket with this id. Throws TICKET_UNKNOWN, with as much of what was typed as a terminal may get. */
export async function knownTicket(store: Pick<Store, 'ticket'>, id: string): Promise<Ticket> {
  const ticket = TicketId.safeParse(id).success ? await store.ticket(id) : undefined;
  if (!ticket)
    throw new BeadsmithError('TICKET_UNKNOWN', { ticket: id.slice(0, 40).replace(/\p{C}/gu, '?') });
  return ticket;
}
