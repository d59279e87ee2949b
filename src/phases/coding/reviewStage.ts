import { failure } from '../../domain/beads/failure.ts';
import type { Findings } from '../../domain/documents/findings.ts';
import { decidedFindings } from '../../domain/findings/decision.ts';
import { hunksOf } from '../../domain/findings/diffPlaces.ts';
import { type Claimed, stillStanding, unread } from '../../domain/findings/checkClaims.ts';
import type { KnownClaim } from '../../domain/findings/dismissal.ts';
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
import { isoNow } from '../shared/artifacts.ts';
import { ticketParts } from '../shared/ask/ticketParts.ts';
import { saveFindings, storedFindings } from '../shared/findings.ts';
import { readInScratch } from '../shared/proof/scratch.ts';
import { appendRecord } from '../shared/records.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { findingText, reviewSections } from './reviewContext.ts';
import { askReviewer } from './review/reviewNotes.ts';
import { nextFix, stillPlanned, takeDecisions } from './review/takeDecisions.ts';

/** What is compared of what people dismissed: the newest about the files of the change. */
const mostDismissals = 200;
/** After so many reviews of one iteration nothing more is fixed (docs/decisions/132-cold-review.md). */
const mostRounds = 3;

/**
 * Lets another model review the proved work of an iteration, in a fresh session that can only read and is told nothing of how the work was made
 * (docs/decisions/132-cold-review.md). Ends `findings` with what is to be fixed, `clean` if there is nothing, and `failed` when the last round still found
 * what blocks. What people decide about findings stands above what the engine makes of them (docs/decisions/133-people-decide-about-findings.md).
 */
export const reviewStage: StageHandler<'review'> = async (run, ticket, input) => {
  const { bead, candidate, tree } = input;
  const ended = (exit: 'clean' | 'findings', review: Last | null) => ({ exit, output: { review, problem: '', failure: null } });
  // Nothing was changed, so there is nothing to review.
  if (candidate === null) return ended('clean', input.review);
  await takeDecisions(run, ticket, 'decisions');
  const last = input.review && { ...input.review, findings: await stillPlanned(run, 'planned', input.review.findings) };
  if (last && last.tree === tree) return last.findings.some(blocks) ? stillFound(last, 'The fix changed nothing.') : ended('clean', last);
  const work = { ...input, candidate, review: last };
  const round = (last?.round ?? 0) + 1;
  const reviewer = reviewerOf(ticketParts(ticket).settings);
  const answer = await askReviewer(run, ticket, {
    contextKey: 'review',
    prompt: round === 1 ? 'review' : 'review-again',
    member: reviewer,
    state: { beadData: plannedBead(bead) },
    sections: async (io) => {
      const [diff, dismissals] = [await changeOf(io, ticket, work), await io.ports.store.dismissals()];
      return reviewSections({ ...work, diff, dismissals, findings: last?.findings ?? [] });
    },
    parse: parseStructured({ schema: ReviewAnswer }),
    result: ReviewAnswer,
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
    bead: { id: bead.id, iteration: bead.iteration },
    // The ticket's worktree also has what the engine keeps there, such as notes of failed iterations.
    place: (io) => readInScratch(io, ticket, candidate),
    onProviderFailure: 'member',
  });
  const { findings: found } = await saveReview(run, ticket, work, { round, reviewer, answer });
  await takeDecisions(run, ticket, 'decided');
  const planned = found.filter(({ standing }) => standing === 'fix');
  // After the last round no fix follows: what is accepted then becomes a requested change.
  const findings =
    round < mostRounds
      ? await nextFix(run, 'to-fix', planned, { bead: bead.id, iteration: bead.iteration })
      : await stillPlanned(run, 'to-fix', planned);
  const review = { round, candidate, tree, findings };
  if (findings.length === 0) return ended('clean', review);
  if (round < mostRounds) return ended('findings', review);
  return findings.some(blocks) ? stillFound(review, `That was review ${String(round)}, the last one.`) : ended('clean', review);
};

type Work = StageInput<'review'> & { readonly candidate: string };
type Last = NonNullable<StageInput<'review'>['review']>;

function blocks({ severity, confirmed, accepted }: Finding): boolean {
  return severity === 'high' || confirmed || accepted === true;
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
    const earlier = await storedFindings(io);
    const decided = await decidedOf(io, bead.id, earlier, whole === '' ? diff : whole);
    const input = { claims: answer.findings, diff, place, decided, ...(last ? { again: { whole, earlier: last.findings } } : {}) };
    const length = diff.length + whole.length + JSON.stringify(decided).length;
    const checked = await readApart(io.ports.texts, 'claims', input, length, io.signal);
    const believed = checked === 'late' ? unread(input) : checked.read;
    const reviewed = { bead, candidate, limits: run.limits };
    const found = await confirmFindings(io, ticket, reviewed, believed);
    const findings = stillStanding(found, await unprovedFixes(io, ticket, reviewed, last?.findings ?? []), place);
    const review: Review = { ...place, reviewer, candidate, at: isoNow(io), checked: answer.checked, findings: [...findings] };
    saveFindings(io, ticket, { ...earlier, reviews: [...earlier.reviews, review] });
    await appendRecord(io, ticket, { bead: bead.id, iteration: bead.iteration, kind: 'review', payload: review });
    return review;
  });
}

/** What people decided that a claim may repeat: dismissals about the files of the change, newest first, and accepted findings of the bead. */
async function decidedOf(
  io: StepIo,
  bead: string,
  { reviews, decisions }: Findings,
  diff: string,
): Promise<NonNullable<Claimed['decided']>> {
  const changed = hunksOf(diff);
  const dismissed = (await io.ports.store.dismissals()).filter(({ file }) => changed.has(file)).slice(-mostDismissals);
  const accepted = decidedFindings(reviews, decisions).filter(
    ({ decision, review }) => decision?.verdict === 'accept' && review.bead === bead,
  );
  const known = ({ file, category, claim }: KnownClaim): KnownClaim => ({ file, category, claim });
  return {
    dismissed: dismissed.map((one) => ({ ...known(one), number: one.number })).toReversed(),
    accepted: accepted.map(({ finding }) => known(finding)),
  };
}
