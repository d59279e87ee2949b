import { failure } from '../../../domain/beads/failure.ts';
import { stillStanding } from '../../../domain/findings/checkClaims.ts';
import { type Finding, mostReviews, Review, ReviewAnswer } from '../../../domain/findings/finding.ts';
import { reviewerOf, timeoutMs } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { StageInput } from '../../../domain/beads/beadStages.ts';
import type { Run, StageHandler } from '../../../engine/run/run.ts';
import { plannedBead } from '../bead/changeBead.ts';
import { confirmFindings, unprovedFixes } from './confirmFindings.ts';
import { isoNow } from '../../shared/ticket/artifacts.ts';
import { ticketParts } from '../../shared/ticket/ticketParts.ts';
import { tellingSkip } from '../../shared/optionalPhase.ts';
import { readInScratch } from '../../shared/proof/scratch.ts';
import { notQuoted } from '../../shared/structured/notQuoted.ts';
import { parseStructured } from '../../shared/structured/parseStructured.ts';
import { partyReview } from './partyReview.ts';
import {
  addReview,
  checkedClaims,
  judgedTexts,
  placeOf,
  sectionsOf,
  type Work,
  findingText,
} from './reviewWork.ts';
import { askReviewer, settleNotes, tellWaiting } from './reviewNotes.ts';
import { nextFix, stillPlanned, takeDecisions } from './takeDecisions.ts';

/**
 * Lets another model, or the personas of a party (docs/decisions/134-parties.md), review the proved work of
 * an iteration, in fresh sessions that can only read and are told nothing of how the work was made
 * (docs/decisions/132-cold-review.md). Ends `findings` with what is to be fixed, `clean` if there is nothing,
 * and `failed` when the last round still found what blocks. What people decide about findings stands above
 * what the engine makes of them (docs/decisions/133-people-decide-about-findings.md).
 */
export const reviewStage: StageHandler<'review'> = async (run, ticket, input) => {
  const { bead, candidate, tree } = input;
  const ended = (exit: 'clean' | 'findings', review: Last | null) => ({
    exit,
    output: { review, problem: '', failure: null },
  });
  // Nothing was changed, so there is nothing to review.
  if (candidate === null) return ended('clean', input.review);
  await takeDecisions(run, ticket, 'decisions');
  const last = input.review && {
    ...input.review,
    findings: await stillPlanned(run, 'planned', input.review.findings),
  };
  if (last && last.tree === tree)
    return last.findings.some(blocks) ? stillFound(last, 'The fix changed nothing.') : ended('clean', last);
  const work = { ...input, candidate, review: last };
  const { round } = placeOf(work);
  const isParty = ticketParts(ticket).settings.review === 'party';
  const { findings: found } = await tellingSkip(
    run,
    ticket,
    { phase: isParty ? 'party review' : 'review', bead },
    () => (isParty ? partyReview(run, ticket, work) : standardReview(run, ticket, work)),
    tellWaiting,
  );
  await takeDecisions(run, ticket, 'decided');
  const planned = found.filter(({ standing }) => standing === 'fix');
  // After the last round no fix follows: what is accepted then becomes a requested change.
  const findings =
    round < mostReviews
      ? await nextFix(run, 'to-fix', planned, { bead: bead.id, iteration: bead.iteration })
      : await stillPlanned(run, 'to-fix', planned);
  const review = { round, candidate, tree, findings };
  if (findings.length === 0) return ended('clean', review);
  if (round < mostReviews) return ended('findings', review);
  return findings.some(blocks)
    ? stillFound(review, `That was review ${String(round)}, the last one.`)
    : ended('clean', review);
};

type Last = NonNullable<StageInput<'review'>['review']>;

function blocks({ severity, confirmed, accepted }: Finding): boolean {
  return severity === 'high' || confirmed || accepted === true;
}

function stillFound(review: Last, why: string) {
  const found = review.findings.filter(blocks);
  const problem = `The reviewer still finds this. ${why}\n\n${found.map(findingText).join('\n\n')}`;
  const output = {
    review,
    problem,
    failure: failure('review', { reason: found.map(({ claim }) => claim).join(' ') }, { about: problem }),
  };
  return { exit: 'failed', output } as const;
}

async function standardReview(run: Run, ticket: TicketSnapshot, work: Work): Promise<Review> {
  const { bead, candidate, review: last } = work;
  const reviewer = reviewerOf(ticketParts(ticket).settings);
  const prompt = last ? 'review-again' : 'review';
  const { value: answer, said } = await askReviewer(run, ticket, {
    contextKey: 'review',
    prompt,
    member: reviewer,
    state: { beadData: plannedBead(bead) },
    sections: (io) => sectionsOf(io, ticket, work, last?.findings ?? []),
    parse: notQuoted(parseStructured({ schema: ReviewAnswer }), prompt, (io) =>
      judgedTexts(io, ticket, work),
    ),
    result: ReviewAnswer,
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
    bead: { id: bead.id, iteration: bead.iteration },
    // The ticket's worktree also has what the engine keeps there, such as notes of failed iterations.
    place: (io) => readInScratch(io, ticket, candidate),
    onProviderFailure: 'member',
  });
  const review = await run.step('findings', Review, async (io) => {
    const reviewed = { bead, candidate, limits: run.limits };
    const place = placeOf(work);
    const claims = await checkedClaims(io, ticket, work, answer.findings);
    const found = await confirmFindings(io, ticket, reviewed, claims);
    const standing = await unprovedFixes(io, ticket, reviewed, last?.findings ?? []);
    const findings = [...stillStanding(found, standing, place)];
    const { checked } = answer;
    const review: Review = { ...place, reviewer, candidate, at: isoNow(io), checked, findings };
    await addReview(io, ticket, review, { kind: 'review' });
    return review;
  });
  await settleNotes(run, said);
  return review;
}
