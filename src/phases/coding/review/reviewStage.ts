import { failure } from '../../../domain/beads/failure.ts';
import { stillStanding } from '../../../domain/findings/checkClaims.ts';
import { Finding, mostReviews, Review } from '../../../domain/findings/finding.ts';
import { timeoutMs } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { StageInput } from '../../../domain/beads/beadStages.ts';
import type { Run, StageHandler } from '../../../engine/run/run.ts';
import { plannedBead } from '../bead/changeBead.ts';
import { confirmFindings, unprovedFixes } from './confirmFindings.ts';
import { isoNow } from '../../shared/ticket/artifacts.ts';
import { ticketParts } from '../../shared/ticket/ticketParts.ts';
import { tellingSkip } from '../../shared/optionalPhase.ts';
import { readInScratch } from '../../shared/proof/scratch.ts';
import { partyReview } from './partyReview.ts';
import { addReview, checkedClaims, placeOf, type Work, findingText, reviewQuestion } from './reviewWork.ts';
import { askReviewer, settleNotes, tellWaiting } from './reviewNotes.ts';
import { BeadReport, parseBeadMarker, reportNonce } from '../bead/beadMarker.ts';
import { startOf } from '../bead/candidate.ts';
import { beadSections } from '../bead/beadContext.ts';
import { ask } from '../../shared/ask/ask.ts';
import { parsedAs } from '../../shared/structured/askTypes.ts';
import { callFailure } from '../../shared/ask/callFailure.ts';
import { failedCall, isFailureOf, leftSession } from '../../shared/ask/providerError.ts';
import { prepareSession } from '../../shared/worktree/sessions.ts';
import * as z from 'zod';
import {
  becoming,
  decideFindings,
  saveFindings,
  storedFindings,
  toFix,
  withoutDecided,
} from '../../shared/findings.ts';
import type { Bead } from '../../../domain/beads/bead.ts';

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
  const question = reviewQuestion(ticket, work);
  const {
    value: answer,
    session,
    said,
  } = await askReviewer(run, ticket, {
    ...question,
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
    const reviewer = sessions.find(({ id }) => id === session.id)?.member ?? question.member;
    const review: Review = { ...place, reviewer, candidate, at: isoNow(io), checked, findings };
    await addReview(io, ticket, review, { kind: 'review' });
    return review;
  });
  await settleNotes(run, said);
  return review;
}

/** Lets the implementer fix a review's findings, in a fresh session (docs/decisions/132-cold-review.md). */
export const fixStage: StageHandler<'fix'> = async (
  run,
  ticket,
  { bead, member, review, session: coder, marker: done },
) => {
  const nonce = reportNonce(run, `fix:${String(review?.round ?? 0)}`);
  const read = parseBeadMarker({ bead: bead.id, nonce });
  await takeDecisions(run, ticket, 'decisions');
  const findings = await givenToFix(run, ticket, review?.findings ?? [], bead);
  const given = review && { ...review, findings };
  const lost = { review: given, session: null, marker: null, problem: '', failure: null, interrupted: false };
  if (findings.length === 0) return { exit: 'skipped', output: { ...lost, session: coder, marker: done } };
  await prepareSession(run, ticket, 'prepare');
  try {
    const { value, session } = await ask(run, ticket, {
      key: 'ask',
      contextKey: 'fix',
      prompt: 'fix',
      member,
      state: { beadData: plannedBead(bead) },
      sections: async (io) => [
        ...(await beadSections(io, ticket, bead, { commit: given?.candidate ?? startOf(bead) })),
        { name: 'findings', content: findings.map(findingText).join('\n\n') },
        { name: 'report_nonce', content: nonce },
      ],
      parse: (text) => parsedAs(read(text), ({ marker, unclear }) => ({ marker, unclear })),
      result: BeadReport.omit({ devRecord: true }),
      activeMs: timeoutMs(run.limits.perIterationTimeout),
      limit: { name: 'perIterationTimeout', ms: timeoutMs(run.limits.perIterationTimeout) },
      bead,
      endsWhenLost: true,
    });
    const { marker, unclear } = value;
    if (unclear === '') return { exit: 'done', output: { ...lost, session, marker } };
    const failed = failure('unclear', { reason: unclear });
    return { exit: 'failed', output: { ...lost, session, marker, problem: unclear, failure: failed } };
  } catch (error) {
    if (!isFailureOf(error, failedCall)) throw error;
    const left = leftSession(error);
    // The work may still be done: the checks say so, and then only the marker is asked for.
    if (left) return { exit: 'done', output: { ...lost, session: left } };
    const problem = `The findings of the review could not be fixed. ${error.message}`;
    const interrupted = error.code === 'SESSION_LOST' && error.diagnostics['losses'] === undefined;
    const why = callFailure(error, run.limits, problem);
    return { exit: 'failed', output: { ...lost, problem, failure: why, interrupted } };
  }
};

const List = z.array(Finding);

/** Carries out people's decisions about findings since the last time. `key` keeps steps apart. */
async function takeDecisions(run: Run, ticket: TicketSnapshot, key: string): Promise<void> {
  const entries = await run.take(key, ['finding']);
  if (entries.length === 0) return;
  await run.record(`${key}:decide`, z.null(), async (io) => {
    await decideFindings(io, ticket, entries);
    return null;
  });
}

/** The findings of a fix that starts now; accepted ones are noted as given to it. */
function givenToFix(
  run: Run,
  ticket: TicketSnapshot,
  planned: readonly Finding[],
  { id: bead, iteration }: Bead,
): Promise<Finding[]> {
  return run.record('given', List, async (io) => {
    const document = await storedFindings(io);
    const given = toFix(document, planned, { bead, iteration });
    const accepted = document.decisions.filter(
      ({ finding, became }) => became === null && given.some(({ id }) => id === finding),
    );
    const ids = accepted.map(({ finding }) => finding);
    if (ids.length > 0) saveFindings(io, ticket, becoming(document, ids, 'fix'));
    return [...given];
  });
}
