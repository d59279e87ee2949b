import { failure } from '../../../domain/beads/failure.ts';
import { stillStanding } from '../../../domain/findings/checkClaims.ts';
import { Finding, mostReviews, Review } from '../../../domain/findings/finding.ts';
import { timeoutMs } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { StageInput } from '../../../domain/beads/beadStages.ts';
import type { Run, StageHandler } from '../../../engine/run/run.ts';
import { confirmFindings, unprovedFixes } from './confirmFindings.ts';
import { isoNow } from '../../shared/ticket/artifacts.ts';
import { ticketParts } from '../../shared/ticket/ticketParts.ts';
import { tellingSkip } from '../../shared/optionalPhase.ts';
import { readInScratch } from '../../shared/proof/scratch.ts';
import { partyReview } from './partyReview.ts';
import { addReview, checkedClaims, placeOf, type Work, findingText, reviewCall } from './reviewWork.ts';
import { askReviewer, settleNotes, tellWaiting } from './reviewNotes.ts';
import * as z from 'zod';
import { decideFindings, storedFindings, toFix, withoutDecided } from '../../shared/findings.ts';

/**
 * Lets another model, or a party (docs/decisions/134-parties.md), review the proved work in fresh sessions
 * that can only read and don't know how it was made (docs/decisions/132-cold-review.md). `failed`: the last
 * round still found what blocks. People's decisions stand above the engine's
 * (docs/decisions/133-people-decide-about-findings.md).
 */
export const reviewStage: StageHandler<'review'> = async (run, ticket, input) => {
  const { bead, candidate, tree } = input;
  const ended = (exit: 'clean' | 'findings', review: Last | null) => ({
    exit,
    output: { review, problem: '', failure: null },
  });
  if (candidate === null) return ended('clean', input.review);
  await takeDecisions(run, ticket, 'decisions');
  const { review: before } = input;
  const last = before && {
    ...before,
    findings: await run.record('planned', List, async (io) => [
      ...withoutDecided(await storedFindings(io), before.findings),
    ]),
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
  const findings = await run.record('to-fix', List, async (io) => {
    const document = await storedFindings(io);
    // After the last round no fix follows: what is accepted then becomes a requested change.
    if (round >= mostReviews) return [...withoutDecided(document, planned)];
    return [...toFix(document, planned, { bead: bead.id, iteration: bead.iteration })];
  });
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
  const call = reviewCall(ticket, work);
  const {
    value: answer,
    session,
    said,
  } = await askReviewer(run, ticket, {
    ...call,
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
    // The ticket's worktree also has notes of failed iterations.
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
    const sessions = await io.ports.store.sessions(ticket.id);
    const reviewer = sessions.find(({ id }) => id === session.id)?.member ?? call.member;
    const review: Review = { ...place, reviewer, candidate, at: isoNow(io), checked, findings };
    await addReview(io, ticket, review, { kind: 'review' });
    return review;
  });
  await settleNotes(run, said);
  return review;
}

const List = z.array(Finding);

/** Carries out people's decisions about findings since the last time. `key` keeps steps apart. */
export async function takeDecisions(run: Run, ticket: TicketSnapshot, key: string): Promise<void> {
  const entries = await run.take(key, ['finding']);
  if (entries.length === 0) return;
  await run.record(`${key}:decide`, z.null(), async (io) => {
    await decideFindings(io, ticket, entries);
    return null;
  });
}
