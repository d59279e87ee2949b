import { failure } from '../../domain/beads/failure.ts';
import { Findings, findingsDocument } from '../../domain/documents/findings.ts';
import { stillStanding, unread } from '../../domain/findings/checkClaims.ts';
import { type Finding, Review, ReviewAnswer } from '../../domain/findings/finding.ts';
import { reviewerOf, timeoutMs } from '../../domain/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { StageInput } from '../../domain/workflow/beadStages.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import type { StageHandler } from '../../engine/run/stage.ts';
import { plannedBead } from './changeBead.ts';
import { startOf } from './candidate.ts';
import { confirmFindings, unprovedFixes } from './confirmFindings.ts';
import { readApart } from '../shared/apart/readApart.ts';
import { artifactChange, isoNow, storedDocument, yamlText } from '../shared/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { ticketParts } from '../shared/ask/ticketParts.ts';
import { readInScratch } from '../shared/proof/scratch.ts';
import { appendRecord } from '../shared/records.ts';
import { reviewStep } from '../shared/sessions.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { findingText, reviewSections } from './reviewContext.ts';

/** After so many reviews of one iteration nothing more is fixed (docs/decisions/132-cold-review.md). */
const mostRounds = 3;

/**
 * Lets another model review the proved work of an iteration, in a fresh session that can only read and is told nothing of how the work was made
 * (docs/decisions/132-cold-review.md). Ends `findings` with what is to be fixed, `clean` if there is nothing, and `failed` when the last round still found
 * what blocks.
 */
export const reviewStage: StageHandler<'review'> = async (run, ticket, input) => {
  const { bead, candidate, tree, review: last } = input;
  const ended = (exit: 'clean' | 'findings', review: typeof last) => ({ exit, output: { review, problem: '', failure: null } });
  // Nothing was changed, so there is nothing to review.
  if (candidate === null) return ended('clean', last);
  if (last && last.tree === tree) return last.findings.some(blocks) ? stillFound(last, 'The fix changed nothing.') : ended('clean', last);
  const work = { ...input, candidate };
  const round = (last?.round ?? 0) + 1;
  const { settings } = ticketParts(ticket);
  const reviewer = reviewerOf(settings);
  const answer = await ask(run, ticket, {
    key: reviewStep,
    contextKey: 'review',
    prompt: round === 1 ? 'review' : 'review-again',
    member: reviewer,
    state: { beadData: plannedBead(bead) },
    sections: async (io) => reviewSections({ ...work, diff: await changeOf(io, ticket, work), findings: last?.findings ?? [] }),
    parse: parseStructured({ schema: ReviewAnswer }),
    result: ReviewAnswer,
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
    bead: { id: bead.id, iteration: bead.iteration },
    // The ticket's worktree also has what the engine keeps there, such as notes of failed iterations.
    place: (io) => readInScratch(io, ticket, candidate),
    onProviderFailure: 'member',
  });
  const { findings } = await saveReview(run, ticket, work, { round, reviewer, answer: answer.value });
  const review = { round, candidate, tree, findings: findings.filter(({ standing }) => standing === 'fix') };
  if (review.findings.length === 0) return ended('clean', review);
  if (round < mostRounds) return ended('findings', review);
  return review.findings.some(blocks) ? stillFound(review, `That was review ${String(round)}, the last one.`) : ended('clean', review);
};

type Work = StageInput<'review'> & { readonly candidate: string };
type Last = NonNullable<StageInput<'review'>['review']>;

function blocks({ severity, confirmed }: Finding): boolean {
  return severity === 'high' || confirmed;
}

function stillFound(review: Last, why: string) {
  const found = review.findings.filter(blocks);
  const problem = `The reviewer still finds this. ${why}\n\n${found.map(findingText).join('\n\n')}`;
  const output = { review, problem, failure: failure('review', { reason: found.map(({ claim }) => claim).join(' ') }, { about: problem }) };
  return { exit: 'failed', output } as const;
}

/** The change that is reviewed: all of it, or in a later round what the fix changed. */
function changeOf(io: StepIo, ticket: TicketSnapshot, { bead, candidate, review }: Work): Promise<string> {
  return io.ports.git.diff(ticketParts(ticket).worktree, review?.candidate ?? startOf(bead), candidate);
}

/** Checks what the reviewer claims, and adds the review to the ticket's findings. */
function saveReview(
  run: Run,
  ticket: TicketSnapshot,
  work: Work,
  { round, reviewer, answer }: { readonly round: number; readonly reviewer: string; readonly answer: ReviewAnswer },
): Promise<Review> {
  const { bead, candidate, review: last } = work;
  return run.step('findings', Review, async (io) => {
    const place = { bead: bead.id, iteration: bead.iteration, round };
    const diff = await changeOf(io, ticket, work);
    const whole = last ? await changeOf(io, ticket, { ...work, review: null }) : '';
    const input = { claims: answer.findings, diff, place, ...(last ? { again: { whole, earlier: last.findings } } : {}) };
    const checked = await readApart(io.ports.texts, 'claims', input, diff.length + whole.length, io.signal);
    const believed = checked === 'late' ? unread(input) : checked.read;
    const reviewed = { bead, candidate, limits: run.limits };
    const found = await confirmFindings(io, ticket, reviewed, believed);
    const findings = stillStanding(found, await unprovedFixes(io, ticket, reviewed, last?.findings ?? []), place);
    const review: Review = { ...place, reviewer, candidate, at: isoNow(io), checked: answer.checked, findings: [...findings] };
    const stored = await io.ports.store.artifact(ticket.id, findingsDocument.kind);
    const earlier = stored ? (await storedDocument(io, findingsDocument.kind, Findings)).document.reviews : [];
    const document: Findings = { schema_version: 1, ticket_id: ticket.id, artifact: findingsDocument.kind, reviews: [...earlier, review] };
    io.save(artifactChange(ticket, findingsDocument.kind, yamlText(document)));
    await appendRecord(io, ticket, { bead: bead.id, iteration: bead.iteration, kind: 'review', payload: review });
    return review;
  });
}
