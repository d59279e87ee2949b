import { Findings, findingsDocument } from '../../../domain/documents/findings.ts';
import { type ReviewPlace, unread } from '../../../domain/findings/checkClaims.ts';
import type { Claim, Finding, Review } from '../../../domain/findings/finding.ts';
import type { TicketSnapshot } from '../../../domain/ticket.ts';
import type { StageInput } from '../../../domain/workflow/beadStages.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { readApart } from '../../shared/apart/readApart.ts';
import { artifactChange, storedDocument, yamlText } from '../../shared/artifacts.ts';
import { ticketParts } from '../../shared/ask/ticketParts.ts';
import { appendRecord, type Told } from '../../shared/records.ts';
import { linesOfDiff } from '../../shared/structured/notQuoted.ts';
import { plannedBead } from '../changeBead.ts';
import { startOf } from '../candidate.ts';

/** What is reviewed: an iteration's work, as the commit that it would become. */
export type Work = StageInput<'review'> & { readonly candidate: string };

/** The change that is reviewed: all of it, or in a later round what the fix changed. */
export function changeOf(io: StepIo, ticket: TicketSnapshot, { bead, candidate, review }: Work): Promise<string> {
  return io.ports.git.diff(ticketParts(ticket).worktree, review?.candidate ?? startOf(bead), candidate);
}

/** Where the findings of a round belong. */
export function placeOf({ bead, review }: Work): ReviewPlace {
  return { bead: bead.id, iteration: bead.iteration, round: (review?.round ?? 0) + 1 };
}

/** Holds claims against the diff (docs/decisions/132-cold-review.md). */
export async function checkedClaims(io: StepIo, ticket: TicketSnapshot, work: Work, claims: readonly Claim[]): Promise<readonly Finding[]> {
  const { review: last } = work;
  const diff = await changeOf(io, ticket, work);
  const whole = last ? await changeOf(io, ticket, { ...work, review: null }) : '';
  const input = { claims, diff, place: placeOf(work), ...(last ? { again: { whole, earlier: last.findings } } : {}) };
  const checked = await readApart(io.ports.texts, 'claims', input, diff.length + whole.length, io.signal);
  return checked === 'late' ? unread(input) : checked.read;
}

/** Adds a review to the ticket's findings, and to the bead's records beside `others`. */
export async function addReview(
  io: StepIo,
  ticket: TicketSnapshot,
  review: Review,
  { kind, others = [] }: { readonly kind: 'review' | 'party_review'; readonly others?: readonly Told[] },
): Promise<void> {
  const stored = await io.ports.store.artifact(ticket.id, findingsDocument.kind);
  const earlier = stored ? (await storedDocument(io, findingsDocument.kind, Findings)).document.reviews : [];
  const document: Findings = { schema_version: 1, ticket_id: ticket.id, artifact: findingsDocument.kind, reviews: [...earlier, review] };
  io.save(artifactChange(ticket, findingsDocument.kind, yamlText(document)));
  await appendRecord(io, ticket, ...others, { bead: review.bead, iteration: review.iteration, kind, payload: review });
}

/** What others wrote of what a reviewer gets: an answer that is only quoted from there is none. */
export async function judgedTexts(io: StepIo, ticket: TicketSnapshot, work: Work): Promise<readonly string[]> {
  const { bead, devRecord } = work;
  const notes = [...(devRecord?.decisions ?? []), ...(devRecord?.notes_for_reviewer ?? [])];
  const words = [bead.title, bead.description, ...bead.acceptanceCriteria, ...bead.tests, ...notes];
  return [...words, plannedBead(bead), linesOfDiff(await changeOf(io, ticket, work))];
}
