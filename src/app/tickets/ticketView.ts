import * as z from 'zod';
import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import { TicketId } from '../../domain/core/ids.ts';
import { documentOf } from '../../domain/documents/documents.ts';
import { approvalHash, approvedAt, approvedTogether } from '../../domain/documents/workDocuments.ts';
import { ReviewThread } from '../../domain/findings/reviewThread.ts';
import { passesByItself, type Ticket } from '../../domain/ticket/ticket.ts';
import { allowedActions } from '../../domain/workflow/availability.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { TicketSummary, Store } from '../../engine/ports/storePort.ts';
import type { TicketDetail, TicketView } from '../../protocol/api.ts';
import type { CommentKeeper } from '../../protocol/review.ts';
import {
  ContextEntries,
  contextMode,
  newContextEntry,
  type ContextEntry,
} from '../../domain/prompts/contextEntries.ts';
import { readText } from '../../domain/documents/base/text.ts';
import { inboxBodies, type InboxEntry, type InboxBody } from '../../domain/ticket/inbox.ts';
import { Findings, findingsDocument } from '../../domain/documents/findings.ts';
import { decidedFindings } from '../../domain/findings/decision.ts';
import { DismissalReason } from '../../domain/findings/dismissal.ts';
import { reviewerCounts } from '../../domain/findings/reviewerCounts.ts';
import type { FindingKeeper, FindingView, WaitingNote } from '../../protocol/findings.ts';

/** A hold needs a person unless it passes by itself; a gate does once it is prepared. */
export function ticketView(summary: TicketSummary): TicketView {
  const {
    previousStatus: _previous,
    continuable: _continuable,
    openGaps: _gaps,
    passesGates: _policy,
    merged: _merged,
    published: _published,
    checksFailed: _checks,
    mergePlanned: _planned,
    ofTeam: _team,
    errorCode: _code,
    ...shown
  } = summary;
  const { status, hold, preparing } = shown;
  const row = rowOf(status);
  const isHeld = hold !== null && !passesByItself(hold);
  // Visible, though nothing can be done.
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

interface KeeperParts {
  readonly store: Store;
  readonly ticket: (id: string) => Promise<Ticket>;
  readonly assertWritable: () => void;
}

/** Any process that may write may write threads. */
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

/** The artifacts to approve (docs/decisions/013-approvals-by-hash.md). */
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

/** Empty if it is missing or unreadable. */
export function readKept(content: string | undefined): readonly ContextEntry[] {
  const read = content === undefined ? undefined : readText('json', content);
  return read?.ok ? (ContextEntries.safeParse(read.value).data?.entries ?? []) : [];
}

/**
 * A ticket's context entries (docs/decisions/141-context-inbox.md): from the document of coding, and from the
 * inbox, where a status before coding only uses up `once`.
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

/** Throws TICKET_UNKNOWN, with text that is safe for a terminal. */
export async function knownTicket(store: Pick<Store, 'ticket'>, id: string): Promise<Ticket> {
  const ticket = TicketId.safeParse(id).success ? await store.ticket(id) : undefined;
  if (!ticket)
    throw new BeadsmithError('TICKET_UNKNOWN', { ticket: id.slice(0, 40).replace(/\p{C}/gu, '?') });
  return ticket;
}

export function ticketFindings({
  store,
  ticket,
  assertWritable,
  isAgent,
}: KeeperParts & { readonly isAgent: boolean }): FindingKeeper {
  const assertPerson = (): void => {
    assertWritable();
    if (isAgent) throw new BeadsmithError('DECISION_BY_AGENT');
  };
  return {
    list: async (id) => listed(store, (await ticket(id)).id),
    waitingNotes: async (id) => waitingNotes(store, (await ticket(id)).id),
    reviewers: async () => {
      const all: Findings[] = [];
      for (const { id } of await store.summaries()) all.push(...(await stored(store, id)));
      return reviewerCounts(all);
    },
    dismissals: () => store.dismissals(),
    changeDismissal: async ({ number, revision, reason }) => {
      assertPerson();
      const checked = DismissalReason.safeParse(reason);
      if (checked.success) return store.changeDismissal({ number, revision, reason: checked.data });
      throw invalidInput('The reason', checked.error.issues.map(({ message }) => message).join(' '));
    },
    removeDismissal: async (number) => {
      assertPerson();
      return store.removeDismissal(number);
    },
  };
}

/** Throws FINDING_UNKNOWN, or EDIT_CONFLICT for another version. */
export async function checkFinding(
  store: Store,
  ticket: string,
  { finding: id, sha256 }: InboxBody<'finding'>,
): Promise<void> {
  const found = (await listed(store, ticket)).find(({ finding }) => finding.id === id);
  if (!found)
    throw new BeadsmithError('FINDING_UNKNOWN', { ticket, finding: id.slice(0, 80).replace(/\p{C}/gu, '?') });
  if (sha256 !== undefined && sha256 !== found.sha256)
    throw new BeadsmithError('EDIT_CONFLICT', { artifact: `Finding ${id}` });
}

export function checkReviewNote({ id, settings }: Ticket): void {
  if (settings?.review === 'off') throw new BeadsmithError('NO_REVIEW', { ticket: id });
}

/** Notes to reviewers that no review has used yet, oldest first. */
export async function waitingNotes(store: Store, ticket: string): Promise<readonly WaitingNote[]> {
  return (await store.inbox(ticket, { pending: true })).flatMap(({ id, kind, body, postedAt }) => {
    const note = kind === 'review_note' ? inboxBodies.review_note.safeParse(body).data : undefined;
    return note ? [{ id, text: note.text, at: postedAt }] : [];
  });
}

async function listed(store: Store, ticket: string): Promise<readonly FindingView[]> {
  const pending = new Map(
    (await store.inbox(ticket, { pending: true })).flatMap(({ kind, body }) => {
      const decision = kind === 'finding' ? inboxBodies.finding.safeParse(body).data : undefined;
      return decision ? [[decision.finding, decision.verdict] as const] : [];
    }),
  );
  const documents = await stored(store, ticket);
  return documents
    .flatMap(({ reviews, decisions }) => decidedFindings(reviews, decisions))
    .map((one) => ({ ...one, pending: pending.get(one.finding.id) ?? null }));
}

/** Empty without a review, or for another version's shape. */
async function stored(store: Store, ticket: string): Promise<readonly Findings[]> {
  const { kind, format } = findingsDocument;
  const content = (await store.artifact(ticket, kind))?.content;
  const read = content === undefined ? undefined : readText(format, content);
  const findings = read?.ok ? Findings.safeParse(read.value).data : undefined;
  return findings ? [findings] : [];
}
