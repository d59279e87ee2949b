import * as z from 'zod';
import { redact } from '../../base/redact.ts';
import { Bead } from '../../domain/beads/bead.ts';
import { failureText } from '../../domain/beads/failure.ts';
import type { IterationResult } from '../../domain/beads/iteration.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { attemptRef } from '../../domain/core/ids.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import { isoNow } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { prepareAfterReset } from '../shared/worktree/bootstrap.ts';
import { recordTip, recordedTip, takeBranchBack } from '../shared/worktree/branchTip.ts';
import { errorContext, fallbackNote, failureNote, keepFailure } from '../shared/failureNote.ts';
import { askAboutEdits, keepEdits, editsBeside, uncommittedPaths } from '../shared/proof/personEdits.ts';
import { appendRecord } from '../shared/ticket/records.ts';
import { CallTrace, endSessions } from '../shared/worktree/sessions.ts';
import { madeMeanwhile } from './ignoredFiles.ts';
import type { Settled } from './failure/analysis.ts';
import { appendNote, beadPrompt, changeBead, ofIteration, skipBead } from './bead/changeBead.ts';
import { startOf } from './bead/candidate.ts';
import { tell } from '../../engine/run/tell.ts';

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
        prompt: 'context-wipe',
        ...(trace.session ? { session: trace.session } : {}),
        state: { ...beadPrompt(bead), errorContext: errorContext(state.problem, trace) },
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

/**
 * Resets the worktree to a bead's start, after keeping its state under `ref`
 * (docs/decisions/011-attempt-refs.md). A person is asked about their edits; unless `isFinal`, these stay
 * uncommitted until the iteration has ended. It can be repeated: once the tree is that of the start, nothing
 * is left to keep.
 */
export async function resetBead(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: Bead,
  {
    ref,
    limits,
    isFinal = true,
  }: { readonly ref: string; readonly limits: Run['limits']; readonly isFinal?: boolean },
): Promise<void> {
  const { worktree } = ticketParts(ticket);
  const { git } = io.ports;
  const to = await resetPoint(io, bead.id, startOf(bead));
  const kept =
    io.resume !== 'first' && (await git.resolve(ref)) !== undefined && (await isClean(io, worktree, to));
  if (!kept)
    await git.keep(worktree, ref, `${ticket.id} ${bead.id}, iteration ${bead.iteration}: what was left`);
  await io.fence();
  const edits = await unfoldedEdits(io, ticket, bead, to);
  const decided = isFinal ? await askAboutEdits(io, ticket, edits) : await keepEdits(io, ticket, edits);
  const isKept = decided !== undefined && (!('wanted' in decided) || decided.wanted);
  await io.fence();
  const target = isKept ? decided.commit : to;
  const left = await git.resetHard(worktree, target, await madeMeanwhile(io, ticket, bead.id));
  if (left !== null) {
    const what = "ignored files, repositories, or names that aren't UTF-8";
    tell(io, `What git can't keep of ${bead.id} is in ${left}: ${what}.`);
  }
  if (isKept && !isFinal) await git.unfold(worktree, to);
  else await recordTip(io, { commit: target, by: isKept ? 'edits' : 'reset' });
  const from = await git.resolve(ref);
  if (from !== undefined) await prepareAfterReset(io, ticket, { from, to, limits });
}

/** Paths that a person changed meanwhile; commits made meanwhile become uncommitted changes again. */
async function unfoldedEdits(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: Bead,
  to: string,
): Promise<readonly string[]> {
  const { worktree } = ticketParts(ticket);
  const { git } = io.ports;
  // If an agent rewrote the branch, all of it stays under the ref of the attempt.
  if (!(await git.isAncestor(to, await git.head(worktree)))) return [];
  await takeBranchBack(io, ticket, to);
  return editsBeside(io, ticket, await uncommittedPaths(io, ticket), ofIteration(bead));
}

async function isClean(io: StepIo, worktree: string, start: string): Promise<boolean> {
  const { git } = io.ports;
  return (await git.head(worktree)) === start && (await git.status(worktree)).length === 0;
}

/** The bead's start, or a later recorded tip: a person's commits are never discarded. */
async function resetPoint(io: StepIo, bead: string, start: string): Promise<string> {
  const tip = await recordedTip(io);
  if (tip === undefined || tip.bead === bead) return start;
  return (await io.ports.git.isAncestor(start, tip.commit)) ? tip.commit : start;
}
