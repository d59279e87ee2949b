import * as z from 'zod';
import { Bead } from '../../domain/bead.ts';
import { BeadsmithError } from '../../domain/errors.ts';
import { attemptRef } from '../../domain/ids.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Run } from '../../engine/run.ts';
import { appendNote, beadPrompt } from './beadPrompt.ts';
import { CallTrace, endSessions } from './endSessions.ts';
import { changeBead } from './changeBead.ts';
import { errorContext, fallbackNote } from './errorContext.ts';
import { failureNote } from './failureNote.ts';
import { isoNow } from './isoNow.ts';
import type { IterationState } from './iteration.ts';
import { resetBead } from './resetBead.ts';

/**
 * What follows a rejected iteration (seed 001 section 9): a note from the failing session, the attempt kept under its ref, the worktree reset to
 * the bead's start, and the bead back to pending. `exhausted`: it goes to `error` instead, and BEAD_RETRY_BUDGET_EXHAUSTED is thrown.
 */
export async function rejectIteration(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  state: IterationState,
  budget: { readonly used: number; readonly exhausted: boolean },
): Promise<void> {
  const at = `${bead.id}:${String(bead.iteration)}`;
  const mine = { bead: bead.id, iteration: bead.iteration };
  const trace = await run.step(`end:${at}`, CallTrace, (io) =>
    endSessions(io, (session) => session.bead === mine.bead && session.iteration === mine.iteration),
  );
  const note = await failureNote(run, ticket, {
    key: `note:${at}`,
    contextKey: 'context_wipe',
    prompt: 'context-wipe',
    ...(trace.session ? { session: trace.session } : {}),
    state: { ...beadPrompt(bead), errorContext: errorContext(state.problem, trace) },
    fallback: fallbackNote(`The iteration worked on "${bead.title}".`, state.problem, trace),
    bead: { id: bead.id, iteration: bead.iteration },
  });
  await run.step(`reset:${at}`, z.null(), async (io) => {
    // The note was asked for in the same session; it must be over before the files go back.
    await endSessions(io, (session) => session.bead === mine.bead && session.iteration === mine.iteration);
    await resetBead(io, ticket, bead, attemptRef(ticket.id, bead.id, bead.iteration));
    return null;
  });
  await run.record(`requeue:${at}`, Bead, (io) =>
    changeBead(io, bead.id, (current) => ({
      notes: appendNote(current.notes, `Iteration ${bead.iteration} ${state.interrupted ? 'was interrupted' : 'failed'}`, note),
      updatedAt: isoNow(io),
      ...(budget.exhausted ? { status: 'error' } : { status: 'pending', iteration: bead.iteration + 1 }),
    })),
  );
  if (budget.exhausted) throw new BeadsmithError('BEAD_RETRY_BUDGET_EXHAUSTED', { bead: bead.id, iterations: budget.used });
}
