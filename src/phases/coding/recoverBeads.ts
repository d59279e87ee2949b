import * as z from 'zod';
import { Bead } from '../../domain/beads/bead.ts';
import { attemptRef, CommitSha } from '../../domain/core/ids.ts';
import { inboxBodies } from '../../domain/ticket/inbox.ts';
import { BeadExecution } from '../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import { isoNow, newestJson } from '../shared/ticket/artifacts.ts';
import { endStraySessions } from '../shared/ask/sessionNotes.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { remakeAndPrepare } from '../shared/worktree/bootstrap.ts';
import { settleEdits, uncommittedPaths } from '../shared/proof/personEdits.ts';
import { endSessions } from '../shared/worktree/sessions.ts';
import { attempted } from '../shared/worktree/worktree.ts';
import { startOf } from './bead/proveCandidate.ts';
import { takeInventory } from './ignoredFiles.ts';
import { appendNote, changeBead, markBeadDone, ofIteration } from './bead/changeBead.ts';
import { choiceOf } from './failure/followAnalysis.ts';
import { finalizeBead } from './finalizeStage.ts';
import { resetBead } from './resetBead.ts';
import { look, Standing } from '../shared/base/standing.ts';
import { takeBase } from '../shared/base/takeBase.ts';

const Found = z.array(z.object({ bead: Bead, execution: BeadExecution.nullable() }));

/**
 * Settles what an earlier run left open (docs/decisions/032-bead-finalization.md): finalizes a bead whose
 * checkpoint and files are as they were checked; else keeps the attempt under its ref, resets the bead and
 * makes it pending. A retry or an update of the base does so for the failed bead, with the user's note.
 */
export async function recoverBeads(run: Run, ticket: TicketSnapshot): Promise<void> {
  const choice = choiceOf(ticket);
  const retry = ['retry', 'update_base'].includes(ticket.entry.by) || choice?.choice === 'retry';
  const given = choice ? choice.reason : inboxBodies.retry.safeParse(ticket.entry.body).data?.note;
  const note = retry ? (given?.trim() ?? '') : '';
  const found = await run.step('recover', Found, async (io) => {
    const isRemade = await remakeAndPrepare(io, ticket, run.limits);
    const beads = (await io.ports.store.beads(ticket.id)).filter(
      ({ id, status }) =>
        status === 'in_progress' || (retry && status === 'error' && (!choice || choice.bead === id)),
    );
    // What the bootstrap installed is no iteration's work, and stays when the bead is reset.
    if (isRemade && beads.length > 0) {
      const { ignored } = await io.ports.git.inspect(ticketParts(ticket).worktree);
      for (const { id } of beads) takeInventory(io, ticket, id, ignored);
    }
    return Promise.all(beads.map(async (bead) => ({ bead, execution: await trusted(io, ticket, bead) })));
  });
  for (const { bead, execution } of found) {
    const prefix = `recover:${bead.id}:`;
    if (execution) {
      await finalizeBead(run, ticket, bead, execution, prefix);
      await markBeadDone(run, ticket, bead, `${prefix}accept`);
    } else {
      await startOver(run, ticket, bead, note, prefix);
    }
  }
}

async function startOver(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  note: string,
  prefix: string,
): Promise<void> {
  if (bead.beadStartCommit !== null) {
    await run.step(`${prefix}reset`, z.null(), async (io) => {
      await endStraySessions(io, run.runId);
      await endSessions(io, ofIteration(bead));
      const ref = attemptRef(ticket.id, bead.id, bead.iteration);
      if (await wasReset(io, bead, ref)) {
        await settleEdits(io, ticket, await uncommittedPaths(io, ticket));
        return null;
      }
      // What the failed iteration left is already kept; what is there now came later.
      const taken = io.resume === 'first' && (await io.ports.git.resolve(ref)) !== undefined;
      await resetBead(io, ticket, bead, { ref: taken ? `${ref}-retry` : ref, limits: run.limits });
      return null;
    });
  }
  const iteration = bead.iteration + 1;
  const heading = `From the user, before iteration ${iteration}`;
  await run.record(`${prefix}requeue`, Bead, (io) =>
    changeBead(io, bead.id, ({ notes }) => ({
      status: 'pending',
      iteration,
      updatedAt: isoNow(io),
      notes: note === '' ? notes : appendNote(notes, heading, note),
    })),
  );
}

/** True if the files of a failed bead were reset: what is there now came from a person. */
async function wasReset(io: StepIo, bead: Bead, ref: string): Promise<boolean> {
  if (bead.status !== 'error' || (await io.ports.git.resolve(ref)) === undefined) return false;
  const execution = await newestJson(io, `bead_execution:${bead.id}`, Checked);
  return execution?.checkpoint.iteration !== bead.iteration;
}

/** Executions of earlier versions have no candidate, and can't be finalized. */
const Checked = BeadExecution.extend({ candidate: CommitSha.nullable() });
type Accepted = z.infer<typeof Checked>;

async function trusted(io: StepIo, ticket: TicketSnapshot, bead: Bead): Promise<BeadExecution | null> {
  const execution = await newestJson(io, `bead_execution:${bead.id}`, Checked);
  if (execution?.outcome !== 'accepted' || !matches(execution, bead)) return null;
  const { worktree } = ticketParts(ticket);
  const { git } = io.ports;
  const present = await attempted(io, async () => {
    const head = await git.head(worktree);
    if (head === execution.candidate) return true;
    if (head !== startOf(bead)) return false;
    return (await git.writeTree(worktree)) === execution.tree || checkOutAgain(io, worktree, execution);
  });
  return present.ok && present.value ? execution : null;
}

/** In a worktree that was made since, also on another machine, only the commit that was proved is left. */
async function checkOutAgain(io: StepIo, worktree: string, { candidate }: Accepted): Promise<boolean> {
  const { git } = io.ports;
  if (candidate === null || (await git.status(worktree)).length > 0) return false;
  if ((await git.resolve(candidate)) === undefined) return false;
  await io.fence();
  await git.resetHard(worktree, candidate);
  return true;
}

function matches({ checkpoint }: BeadExecution, bead: Bead): boolean {
  return (
    checkpoint.beadId === bead.id &&
    checkpoint.iteration === bead.iteration &&
    checkpoint.startedAt === bead.startedAt &&
    checkpoint.updatedAt === bead.updatedAt &&
    checkpoint.beadStartCommit === bead.beadStartCommit
  );
}

/**
 * Puts the finished beads of a blocked ticket on their moved base (docs/decisions/076-update-from-base.md).
 * The next run codes the bead that blocked it: only that one knows the new base.
 */
export async function updateBase(run: Run, ticket: TicketSnapshot): Promise<{ readonly exit: 'updated' }> {
  await recoverBeads(run, ticket);
  const standing = await run.step('base:look', Standing, async (io) => {
    // What nobody committed would be lost with the files of the old base.
    await settleEdits(io, ticket, await uncommittedPaths(io, ticket));
    return look(io, ticket);
  });
  const { base } = standing;
  if (base) await takeBase(run, ticket, { ...standing, base });
  return { exit: 'updated' };
}
