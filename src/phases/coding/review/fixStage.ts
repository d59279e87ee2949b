import * as z from 'zod';
import type { Bead } from '../../../domain/beads/bead.ts';
import { failure } from '../../../domain/beads/failure.ts';
import { Finding } from '../../../domain/findings/finding.ts';
import { timeoutMs } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StageHandler } from '../../../engine/run/run.ts';
import { ask } from '../../shared/ask/ask.ts';
import { callFailure } from '../../shared/ask/callFailure.ts';
import { failedCall, isFailureOf, leftSession } from '../../shared/ask/providerError.ts';
import { becoming, saveFindings, storedFindings, toFix } from '../../shared/findings.ts';
import { parsedAs } from '../../shared/structured/askTypes.ts';
import { prepareSession, workStep } from '../../shared/worktree/sessions.ts';
import { beadSections, plannedBead } from '../bead/beadContext.ts';
import { BeadReport, parseBeadMarker, reportNonce } from '../bead/beadMarker.ts';
import { startOf } from '../bead/proveCandidate.ts';
import { takeDecisions } from './reviewStage.ts';
import { findingText } from './reviewWork.ts';

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
      key: workStep,
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

/** The findings of a fix that starts now; accepted ones are noted as given to it. */
function givenToFix(
  run: Run,
  ticket: TicketSnapshot,
  planned: readonly Finding[],
  { id: bead, iteration }: Bead,
): Promise<Finding[]> {
  return run.record('given', z.array(Finding), async (io) => {
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
