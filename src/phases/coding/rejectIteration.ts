import * as z from 'zod';
import { redact } from '../../base/redact.ts';
import { Bead } from '../../domain/beads/bead.ts';
import { failureText } from '../../domain/beads/failure.ts';
import type { IterationResult } from '../../domain/beads/iteration.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { attemptRef } from '../../domain/core/ids.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run } from '../../engine/run/run.ts';
import { isoNow } from '../shared/ticket/artifacts.ts';
import { errorContext, fallbackNote, failureNote, keepFailure } from '../shared/failureNote.ts';
import { appendRecord } from '../shared/ticket/records.ts';
import { CallTrace, endSessions } from '../shared/worktree/sessions.ts';
import type { Settled } from './failure/analyseStage.ts';
import { beadSlices } from './bead/beadContext.ts';
import { appendNote, changeBead, ofIteration, skipBead } from './bead/changeBead.ts';
import { resetBead } from './resetBead.ts';

export interface Failed {
  readonly iteration: number;
  readonly member: string;
  readonly problem: string;
}

/**
 * Settles a rejected iteration (docs/decisions/029-iterations-and-reset.md): a note, the attempt under its
 * ref, a reset worktree, and the bead pending, skipped, or after its last iteration in `error`. Throws
 * BEAD_RETRY_BUDGET_EXHAUSTED, FAILURE_NEEDS_DECISION.
 */
export async function rejectIteration(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  state: IterationResult['result'] & { readonly member: string; readonly consequence: Settled },
  { tried, allowed }: { readonly tried: readonly Failed[]; readonly allowed: number },
): Promise<void> {
  const { consequence } = state;
  const skips = consequence.kind === 'skip';
  const exhausted = !skips && (consequence.kind === 'ask' || tried.length >= allowed);
  const at = `${bead.id}:${String(bead.iteration)}`;
  const ref = attemptRef(ticket.id, bead.id, bead.iteration);
  const trace = await run.step(`end:${at}`, CallTrace, (io) => endSessions(io, ofIteration(bead)));
  // A person ended it: nothing was wrong with the work.
  const isWanted = state.failure?.cause === 'context_added';
  const note = isWanted
    ? state.problem
    : await failureNote(run, ticket, {
        key: `note:${at}`,
        member: state.member,
        contextKey: 'context_wipe',
        prompt: 'coding-note',
        ...(trace.session ? { session: trace.session } : {}),
        state: { ...beadSlices(bead), errorContext: errorContext(state.problem, trace) },
        fallback: fallbackNote(`The iteration worked on "${bead.title}".`, state.problem, trace),
        bead,
      });
  await run.step(`reset:${at}`, z.null(), async (io) => {
    // The note was asked for in the same session, which must end before the reset.
    await endSessions(io, ofIteration(bead));
    await resetBead(io, ticket, bead, { ref, limits: run.limits });
    return null;
  });
  await run.record(`requeue:${at}`, Bead, async (io) => {
    const { failure, interrupted, ended: end } = state;
    const { iteration } = bead;
    await keepFailure(io, ticket, `bead_failures:${bead.id}`, { iteration, interrupted, failure, note, ref });
    const outcome = interrupted ? 'interrupted' : 'rejected';
    const payload = { outcome, model: state.member, failure, note, ref, ...(end && { end }) };
    await appendRecord(io, ticket, { bead: bead.id, iteration, kind: 'gate', payload });
    if (skips) return skipBead(io, ticket, bead.id, { reason: skipReason(state), by: 'analysis' });
    const heading = `Iteration ${iteration} ${interrupted ? 'was interrupted' : 'failed'}`;
    return changeBead(io, bead.id, ({ notes }) => ({
      notes: appendNote(notes, heading, note),
      updatedAt: isoNow(io),
      ...(exhausted ? { status: 'error' } : { status: 'pending', iteration: bead.iteration + 1 }),
    }));
  });
  if (!exhausted) return;
  const { failure, ended, analysis } = state;
  const diagnostics = {
    bead: bead.id,
    ...(failure && { failure }),
    ...(ended && { end: ended }),
    ...(analysis && { analysis }),
    tried: tried.map(({ iteration, member, problem }) => {
      return { iteration, model: member, problem: redact(problem.slice(0, 4_000)).slice(0, 1_000) };
    }),
  };
  if (consequence.kind === 'ask' && analysis) {
    const reason = `${consequence.why} ${analysis.rootCause}`.trim();
    const decision = { bead: bead.id, choice: consequence.choice, reason };
    throw new BeadsmithError('FAILURE_NEEDS_DECISION', decision, { diagnostics });
  }
  const spent = { bead: bead.id, iterations: tried.length, ...(failure && failureText(failure)) };
  throw new BeadsmithError('BEAD_RETRY_BUDGET_EXHAUSTED', spent, { diagnostics });
}

function skipReason({ analysis }: Pick<IterationResult['result'], 'analysis'>): string {
  return `${analysis?.rootCause ?? ''} ${analysis?.rationale ?? ''}`.trim();
}
