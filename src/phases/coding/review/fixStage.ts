import { timeoutMs } from '../../../domain/settings/settings.ts';
import { failure } from '../../../domain/beads/failure.ts';
import type { StageHandler } from '../../../engine/run/run.ts';
import { BeadReport, parseBeadMarker, reportNonce } from '../bead/beadMarker.ts';
import { startOf } from '../bead/candidate.ts';
import { plannedBead } from '../bead/changeBead.ts';
import { beadSections } from '../context/beadContext.ts';
import { ask } from '../../shared/ask/ask.ts';
import { parsedAs } from '../../shared/structured/askTypes.ts';
import { callFailure } from '../../shared/ask/callFailure.ts';
import { failedCall, isFailureOf, leftSession } from '../../shared/ask/providerError.ts';
import { prepareSession } from '../../shared/worktree/sessions.ts';
import { findingText } from './reviewWork.ts';
import { givenToFix, takeDecisions } from './takeDecisions.ts';

/**
 * Lets the implementer fix what a review found, in a fresh session that is told the bead and these findings
 * (docs/decisions/132-cold-review.md). The checks follow, and then the review of what changed. What people
 * decided meanwhile changes what is fixed.
 */
export const fixStage: StageHandler<'fix'> = async (
  run,
  ticket,
  { bead, member, review, session: coder, marker: done },
) => {
  const nonce = reportNonce(run, `fix:${String(review?.round ?? 0)}`);
  const read = parseBeadMarker({ bead: bead.id, nonce });
  await takeDecisions(run, ticket, 'decisions');
  const place = { bead: bead.id, iteration: bead.iteration };
  const findings = await givenToFix(run, ticket, review?.findings ?? [], place);
  const given = review && { ...review, findings };
  const lost = { review: given, session: null, marker: null, problem: '', failure: null, interrupted: false };
  // People dismissed all of it.
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
      bead: { id: bead.id, iteration: bead.iteration },
      endsWhenLost: true,
    });
    const { marker, unclear } = value;
    if (unclear === '') return { exit: 'done', output: { ...lost, session, marker } };
    const failed = failure('unclear', { reason: unclear });
    return { exit: 'failed', output: { ...lost, session, marker, problem: unclear, failure: failed } };
  } catch (error) {
    if (!isFailureOf(error, failedCall)) throw error;
    const left = leftSession(error);
    // The work may be done all the same: the checks say so, and then only the marker is asked for.
    if (left) return { exit: 'done', output: { ...lost, session: left } };
    const problem = `The findings of the review could not be fixed. ${error.message}`;
    const interrupted = error.code === 'SESSION_LOST' && error.diagnostics['losses'] === undefined;
    const why = callFailure(error, run.limits, problem);
    return { exit: 'failed', output: { ...lost, problem, failure: why, interrupted } };
  }
};
