import type { Findings } from '../../../domain/documents/findings.ts';
import { type Claimed, type ReviewPlace, unread } from '../../../domain/findings/checkClaims.ts';
import { decidedFindings } from '../../../domain/findings/decision.ts';
import { hunksOf } from '../../../domain/findings/diffPlaces.ts';
import {
  type Dismissal,
  type KnownClaim,
  dismissalsFor,
  dismissalsText,
} from '../../../domain/findings/dismissal.ts';
import { type Claim, type Finding, type Review, ReviewAnswer } from '../../../domain/findings/finding.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { StageInput } from '../../../domain/beads/beadStages.ts';
import type { Store } from '../../../engine/ports/storePort.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import type { Section } from '../../../context/sections.ts';
import { readApart } from '../../shared/structured/readApart.ts';
import { ticketParts } from '../../shared/ticket/ticketParts.ts';
import { saveFindings, storedFindings } from '../../shared/findings.ts';
import { appendRecord, type Told } from '../../shared/ticket/records.ts';
import { linesOfDiff, notQuoted } from '../../shared/structured/notQuoted.ts';
import { startOf } from '../bead/proveCandidate.ts';
import { beadSections, plannedBead } from '../bead/beadContext.ts';
import type { Evidence } from '../../../domain/core/evidence.ts';
import { reviewerOf } from '../../../domain/settings/settings.ts';

export type Work = StageInput<'review'> & { readonly candidate: string };

function changeOf(io: StepIo, ticket: TicketSnapshot, { bead, candidate, review }: Work): Promise<string> {
  return io.ports.git.diff(ticketParts(ticket).worktree, review?.candidate ?? startOf(bead), candidate);
}

export function placeOf({ bead, review }: Work): ReviewPlace {
  return { bead: bead.id, iteration: bead.iteration, round: (review?.round ?? 0) + 1 };
}

const mostDismissals = 200;

/** Compares claims with the diff and with people's earlier decisions (docs/decisions/132-cold-review.md). */
export async function checkedClaims(
  io: StepIo,
  ticket: TicketSnapshot,
  work: Work,
  claims: readonly Claim[],
): Promise<readonly Finding[]> {
  const { bead, review: last } = work;
  const diff = await changeOf(io, ticket, work);
  const whole = last ? await changeOf(io, ticket, { ...work, review: null }) : '';
  const decided = await decidedOf(io, bead.id, await storedFindings(io), whole === '' ? diff : whole);
  const input = {
    claims,
    diff,
    place: placeOf(work),
    decided,
    ...(last ? { again: { whole, earlier: last.findings } } : {}),
  };
  const length = diff.length + whole.length + JSON.stringify(decided).length;
  const checked = await readApart(io.ports.texts, 'claims', input, length, io.signal);
  return checked === 'late' ? unread(input) : checked.read;
}

/** Decisions that a claim may repeat: dismissals about changed files, newest first, and accepted findings. */
async function decidedOf(
  io: StepIo,
  bead: string,
  { reviews, decisions }: Findings,
  diff: string,
): Promise<NonNullable<Claimed['decided']>> {
  const changed = hunksOf(diff);
  const dismissed = (await knownDismissals(io.ports.store))
    .filter(({ file }) => changed.has(file))
    .slice(-mostDismissals);
  const accepted = decidedFindings(reviews, decisions).filter(
    ({ decision, review }) => decision?.verdict === 'accept' && review.bead === bead,
  );
  const known = ({ file, category, claim }: KnownClaim): KnownClaim => ({ file, category, claim });
  return {
    dismissed: dismissed.map((one) => ({ ...known(one), number: one.number })).toReversed(),
    accepted: accepted.map(({ finding }) => known(finding)),
  };
}

/** The call to a reviewer, with nothing of how the work was made. */
export function reviewCall(ticket: TicketSnapshot, work: Work) {
  const { bead, review: last } = work;
  return {
    contextKey: 'review',
    member: reviewerOf(ticketParts(ticket).settings),
    state: { beadData: plannedBead(bead) },
    // What the fixer was given, in a later round.
    sections: (io: StepIo) => sectionsOf(io, ticket, work, last?.findings ?? []),
    ...notQuoted(last ? 'review-again' : 'review', ReviewAnswer, (io) => judgedTexts(io, ticket, work)),
    bead,
  } as const;
}

export async function sectionsOf(
  io: StepIo,
  ticket: TicketSnapshot,
  work: Work,
  findings: readonly Finding[],
): Promise<readonly Section[]> {
  const { bead, candidate, evidence, devRecord } = work;
  const diff = await changeOf(io, ticket, work);
  const dismissals = dismissalsFor(diff, await knownDismissals(io.ports.store));
  const notes = [
    ...(devRecord?.decisions ?? []).map((decision) => `- Decided: ${decision}`),
    ...(devRecord?.assumptions ?? []).map((assumption) => `- Assumed: ${assumption}`),
    ...(devRecord?.notes_for_reviewer ?? []).map((note) => `- For the reviewer: ${note}`),
  ];
  return [
    ...(await beadSections(io, ticket, bead, { commit: candidate })),
    { name: 'seen_evidence', content: evidence.map(evidenceLine).join('\n') },
    { name: 'reviewer_notes', content: notes.join('\n') },
    { name: 'dismissed', content: dismissalsText(dismissals) },
    { name: 'findings', content: findings.map(findingText).join('\n\n') },
    { name: 'change', content: diff },
  ];
}

/** Dismissals that the journal of their ticket confirms (docs/decisions/166-the-chain-covers-rows.md). */
export async function knownDismissals(
  store: Pick<Store, 'altered' | 'dismissals'>,
): Promise<readonly Dismissal[]> {
  const known: Dismissal[] = [];
  for (const [ticket, dismissals] of Map.groupBy(await store.dismissals(), (one) => one.ticket)) {
    const altered = await store.altered(ticket);
    if (altered.some((one) => 'brokenAt' in one)) continue;
    const rows = new Set(altered.map((one) => ('row' in one ? one.row : '')));
    known.push(...dismissals.filter(({ number }) => !rows.has(`dismissal ${String(number)}`)));
  }
  return known.toSorted((a, b) => a.number - b.number);
}

export async function addReview(
  io: StepIo,
  ticket: TicketSnapshot,
  review: Review,
  { kind, others = [] }: { readonly kind: 'review' | 'party_review'; readonly others?: readonly Told[] },
): Promise<void> {
  const earlier = await storedFindings(io);
  saveFindings(io, ticket, { ...earlier, reviews: [...earlier.reviews, review] });
  await appendRecord(io, ticket, ...others, {
    bead: review.bead,
    iteration: review.iteration,
    kind,
    payload: review,
  });
}

/** Texts of others: an answer that is only quoted from there is none. */
export async function judgedTexts(
  io: StepIo,
  ticket: TicketSnapshot,
  work: Work,
): Promise<readonly string[]> {
  const { bead, devRecord } = work;
  const notes = [...(devRecord?.decisions ?? []), ...(devRecord?.notes_for_reviewer ?? [])];
  const words = [bead.title, bead.description, ...bead.acceptanceCriteria, ...bead.tests, ...notes];
  return [...words, plannedBead(bead), linesOfDiff(await changeOf(io, ticket, work))];
}

function evidenceLine({ command, exitCode, signal, durationMs }: Evidence): string {
  return `- \`${command}\`: ${exitCode === null ? `ended by ${signal ?? 'its time limit'}` : `exit code ${String(exitCode)}`} (${String(Math.ceil(durationMs / 1_000))} s)`;
}

/** A finding as the fixer and the next reviewer get it. */
export function findingText({
  id,
  severity,
  category,
  file,
  line,
  claim,
  evidence,
  suggestedFix,
  test,
  confirmed,
}: Finding): string {
  const place = line === null ? file : `${file}:${String(line)}`;
  return [
    `### ${id}: ${severity}, ${category}, ${place}`,
    '',
    claim,
    ...(evidence.trim() === ''
      ? []
      : ['', 'The code:', '', ...evidence.split('\n').map((text) => `    ${text}`)]),
    ...(suggestedFix.trim() === '' ? [] : ['', `Suggested: ${suggestedFix}`]),
    ...(confirmed && test
      ? [
          '',
          `A test shows it: with ${test.file} as follows, \`${test.command}\` fails.`,
          '',
          ...test.content.split('\n').map((text) => `    ${text}`),
        ]
      : []),
  ].join('\n');
}
