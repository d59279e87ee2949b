import { commandsRef } from '../../domain/core/ids.ts';
import * as z from 'zod';
import { type Bead, DevRecord } from '../../domain/beads/bead.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { provedCommand } from '../../domain/proof/provedCommand.ts';
import { type BeadExecution, BeadCommit } from '../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run, StepIo, StageHandler } from '../../engine/run/run.ts';
import { artifactChange } from '../shared/ticket/artifacts.ts';
import { unansweredAsAssumptions } from '../shared/ask/askForAgent.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { selectPaths } from '../shared/worktree/commit.ts';
import { editsBeside } from '../shared/proof/personEdits.ts';
import { adoptCandidate } from '../shared/proof/candidate.ts';
import { saveEvidence } from '../shared/proof/saveEvidence.ts';
import { appendRecord } from '../shared/ticket/records.ts';
import { attempted } from '../shared/worktree/worktree.ts';
import { startOf, changedPaths } from './bead/proveCandidate.ts';
import { changeBead, ofIteration } from './bead/changeBead.ts';
import { claimProblem, isProved } from './checkStage.ts';

export const finalizeStage: StageHandler<'finalize'> = async (run, ticket, { bead, ...proof }) => {
  const execution: BeadExecution = {
    schema_version: 1,
    checkpoint: {
      beadId: bead.id,
      iteration: bead.iteration,
      startedAt: bead.startedAt,
      updatedAt: bead.updatedAt,
      beadStartCommit: startOf(bead),
    },
    outcome: 'accepted',
    ...proof,
    reason: '',
  };
  await finalizeBead(run, ticket, bead, execution);
  return { exit: 'done', output: {} };
};

const Done = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), reason: z.string() }),
]);
type Done = z.infer<typeof Done>;

/**
 * Finalizes a bead whose checks passed (docs/decisions/032-bead-finalization.md). A failure leaves the
 * worktree as it is, the bead in `error`, and throws BEAD_FINALIZATION_FAILED.
 */
export async function finalizeBead(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  execution: BeadExecution,
  prefix = '',
): Promise<void> {
  const settle = (done: Done): void => {
    if (!done.ok)
      throw new BeadsmithError('BEAD_FINALIZATION_FAILED', { bead: bead.id, reason: done.reason });
  };
  settle(
    await run.step(`${prefix}checkpoint`, Done, async (io): Promise<Done> => {
      // No bead is done on a model's word.
      const problem = claimProblem(execution.marker);
      if (problem !== '' || !isProved(bead, execution.evidence)) {
        return fail(io, bead, problem || 'its test commands were not all seen to pass');
      }
      const devRecord = await withAssumptions(io, bead, execution.devRecord);
      io.save(artifactChange(ticket, `bead_execution:${bead.id}`, { ...execution, devRecord }));
      // A checkpoint that is finalized again was recorded when it was made.
      if (prefix !== '') return { ok: true };
      const { marker, evidence, candidate } = execution;
      const commands = evidence.map(({ command, exitCode, timedOut }) => ({ command, exitCode, timedOut }));
      const place = { bead: bead.id, iteration: bead.iteration } as const;
      await appendRecord(
        io,
        ticket,
        { ...place, kind: 'dev', payload: { devRecord, marker } },
        { ...place, kind: 'gate', payload: { outcome: 'accepted', candidate, commands } },
      );
      return { ok: true };
    }),
  );
  const finish = async (key: string, work: (io: StepIo) => Promise<void>): Promise<void> => {
    const done = await run.step(`${prefix}${key}`, Done, async (io): Promise<Done> => {
      const outcome = await attempted(io, () => work(io));
      return outcome.ok ? { ok: true } : fail(io, bead, outcome.error.message);
    });
    settle(done);
  };
  await finish('commit', (io) => commitBead(io, ticket, bead, execution));
  await finish('diff', async (io) => {
    const { worktree } = ticketParts(ticket);
    const start = startOf(bead);
    const diff = await io.ports.git.diff(worktree, start, execution.candidate ?? start);
    io.save(artifactChange(ticket, `bead_diff:${bead.id}`, diff));
  });
}

/** Adds the questions that nobody answered: the agent assumed something there. */
async function withAssumptions(
  io: StepIo,
  { id, iteration }: Bead,
  devRecord: DevRecord | null,
): Promise<DevRecord | null> {
  const unanswered = await unansweredAsAssumptions(io, id, iteration);
  if (unanswered.length === 0) return devRecord;
  const record = devRecord ?? DevRecord.parse({});
  return { ...record, assumptions: [...new Set([...record.assumptions, ...unanswered])] };
}

async function commitBead(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: Bead,
  execution: BeadExecution,
): Promise<void> {
  const { candidate, leftOut, evidence } = execution;
  const start = startOf(bead);
  const about = { of: 'bead', bead: bead.id, iteration: bead.iteration } as const;
  const made = { commit: candidate ?? start, made: candidate !== null };
  await saveEvidence(io, ticket, { ...about, ...made, commands: evidence.map(provedCommand) });
  await adoptCandidate(io, ticket, { commit: candidate, start, by: 'bead', bead: bead.id });
  const files = candidate === null ? [] : await changedPaths(io, start, candidate);
  const record: BeadCommit = {
    schema_version: 1,
    beadId: bead.id,
    iteration: bead.iteration,
    commit: candidate,
    noop: candidate === null,
    leftOut,
    files,
  };
  io.save(artifactChange(ticket, `bead_commit:${bead.id}`, BeadCommit.parse(record)));
  const payload = { commit: candidate, leftOut, files };
  await appendRecord(io, ticket, { bead: bead.id, iteration: bead.iteration, kind: 'commit', payload });
  await takeBack(io, ticket, bead, leftOut);
}

/**
 * Restores tracked files that were left out, so that they aren't changes of the next bead
 * (docs/decisions/048-clean-room-proof.md). A person's edits stay.
 */
async function takeBack(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: Bead,
  leftOut: readonly string[],
): Promise<void> {
  if (leftOut.length === 0) return;
  const { git } = io.ports;
  const { worktree } = ticketParts(ticket);
  const tracked = (await git.status(worktree)).filter(
    ({ path, state }) => state !== 'untracked' && leftOut.includes(path),
  );
  const { paths } = (await selectPaths(io))(tracked);
  const edits = await editsBeside(io, ticket, paths, ofIteration(bead));
  const rewritten = paths.filter((path) => !edits.includes(path));
  if (rewritten.length === 0) return;
  const ref = commandsRef(ticket.id);
  await git.keep(worktree, ref, `${ticket.id}: what commands changed`);
  await io.fence();
  await git.restore(worktree, rewritten);
}

/** `updatedAt` stays, so that a retry still trusts the checkpoint. */
async function fail(io: StepIo, bead: Bead, reason: string): Promise<Done> {
  await changeBead(io, bead.id, () => ({ status: 'error' }));
  return { ok: false, reason };
}
