import { Findings, findingsDocument } from '../../domain/documents/findings.ts';
import { readText } from '../../domain/documents/base/text.ts';
import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import { decidedFindings } from '../../domain/findings/decision.ts';
import { DismissalReason } from '../../domain/findings/dismissal.ts';
import { reviewerCounts } from '../../domain/findings/reviewerCounts.ts';
import { inboxBodies, type InboxBody } from '../../domain/ticket/inbox.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';
import type { Store } from '../../engine/ports/storePort.ts';
import type { FindingKeeper, FindingView, WaitingNote } from '../../protocol/findings.ts';
import type { KeeperParts } from './ticketView.ts';

/** Findings and dismissals in the database. */
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

/** Throws FINDING_UNKNOWN, or EDIT_CONFLICT if the finding isn't as the person saw it. */
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

/** Refuses what is said to a review where there is none (NO_REVIEW). */
export function checkReviewNote({ id, settings }: Ticket): void {
  if (settings?.review === 'off') throw new BeadsmithError('NO_REVIEW', { ticket: id });
}

/** Returns the notes of people to reviewers that no review has taken into account yet, oldest first. */
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

/** The findings of a ticket; none without a review, or where a newer version wrote another shape. */
async function stored(store: Store, ticket: string): Promise<readonly Findings[]> {
  const { kind, format } = findingsDocument;
  const content = (await store.artifact(ticket, kind))?.content;
  const read = content === undefined ? undefined : readText(format, content);
  const findings = read?.ok ? Findings.safeParse(read.value).data : undefined;
  return findings ? [findings] : [];
}
