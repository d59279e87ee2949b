import * as z from 'zod';
import { Bead } from '../../domain/beads/bead.ts';
import { IterationResult, iterationKey, newIteration } from '../../domain/beads/iteration.ts';
import { getNextBead, isAllComplete } from '../../domain/beads/beadPlan.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { TicketModels } from '../../domain/settings/models.ts';
import { attemptsOf } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import { beadStages } from '../../domain/beads/beadStages.ts';
import type { HandlerDefinition, Run, StageHandlers, StageMachine } from '../../engine/run/run.ts';
import { isoNow, toJson } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { settleBranch } from '../shared/worktree/branchTip.ts';
import { appendRecord } from '../shared/ticket/records.ts';
import { pathsToCommit, settleEdits } from '../shared/proof/personEdits.ts';
import { takeBaseline } from '../shared/proof/baseline.ts';
import { plannedBead } from './bead/beadContext.ts';
import { markBeadDone, changeBead } from './bead/changeBead.ts';
import { analyseStage, settleAnalysis } from './failure/analyseStage.ts';
import { checkStage } from './checkStage.ts';
import { codeStage } from './codeStage.ts';
import { openContextInbox, takeDroppedContext } from './contextInbox.ts';
import { takeInventory } from './ignoredFiles.ts';
import { finalizeStage } from './finalizeStage.ts';
import { followAnalysis } from './failure/followAnalysis.ts';
import { fixStage } from './review/fixStage.ts';
import { reviewStage } from './review/reviewStage.ts';
import { kickoffStage } from './kickoffStage.ts';
import { recoverBeads, updateBase } from './recoverBeads.ts';
import { type Failed, rejectIteration } from './rejectIteration.ts';
import { takeRequests } from './takeRequests.ts';

/** Lost sessions that block the ticket (docs/decisions/003-retry-continue-and-cancel.md). */
const lossLimit = 3;
const lossWindowMs = 600_000;

const handlers: StageHandlers = {
  kickoff: kickoffStage,
  code: codeStage,
  check: checkStage,
  review: reviewStage,
  fix: fixStage,
  finalize: finalizeStage,
  analyse: analyseStage,
};
export const stageMachine: StageMachine = { version: 8, table: beadStages, handlers };

/**
 * Codes the plan bead by bead (docs/decisions/028-bead-scheduling.md). Throws BEAD_DEADLOCK, CRASH_LOOP,
 * BEAD_RETRY_BUDGET_EXHAUSTED, BEAD_FINALIZATION_FAILED.
 */
export const coding: HandlerDefinition<'complete' | 'updated'> = {
  version: 7,
  run: async (run, ticket) => {
    if (ticket.entry.by === 'update_base') return updateBase(run, ticket);
    await followAnalysis(run, ticket);
    await recoverBeads(run, ticket);
    await takeBaseline(run, ticket);
    const inbox = await openContextInbox(run, ticket);
    const failures = new Map<string, Failed[]>();
    const losses: Loss[] = [];
    for (let turn = 1; ; turn += 1) {
      await takeRequests(run, ticket, turn);
      const selection = await selectBead(run, ticket, `select:${turn}`);
      if (selection.kind === 'complete') return { exit: 'complete' };
      if (selection.kind === 'deadlock')
        throw new BeadsmithError('BEAD_DEADLOCK', { beads: selection.waiting.join(', ') });
      const { bead } = selection;
      const failed = failures.get(bead.id) ?? [];
      const models = selection.models ?? ticketParts(ticket).settings;
      const member = memberFor(models, failed.length, attemptsOf(run.limits));
      const context = await inbox.deliver(bead, turn, selection.dropped);
      const { end, result } = await iterate(run, bead, member, context).then((ended) =>
        settleLoss(run, bead, ended, losses),
      );
      await inbox.settle(bead, turn, { ...result, accepted: end === 'accepted' });
      if (end === 'accepted') {
        await markBeadDone(run, ticket, bead, `accept:${bead.id}:${bead.iteration}`);
        continue;
      }
      if (!result.interrupted)
        failures.set(bead.id, [...failed, { iteration: bead.iteration, member, problem: result.problem }]);
      const tried = { tried: failures.get(bead.id) ?? [], allowed: attemptsOf(run.limits) };
      const consequence = await settleAnalysis(run, ticket, bead, result.analysis);
      await rejectIteration(run, ticket, bead, { ...result, member, consequence }, tried);
      if (isCrashLoop(losses))
        throw new BeadsmithError('CRASH_LOOP', { what: `Bead ${bead.id}`, count: losses.length });
    }
  },
};

/** Failed iterations after which the second implementer takes over. It always gets the last one. */
const mainImplementerTries = 2;

function memberFor(
  { mainImplementer, secondImplementer }: Pick<TicketModels, 'mainImplementer' | 'secondImplementer'>,
  failed: number,
  allowed: number,
): string {
  if (secondImplementer === '' || failed === 0) return mainImplementer;
  return failed >= mainImplementerTries || failed === allowed - 1 ? secondImplementer : mainImplementer;
}

function iterate(run: Run, bead: Bead, member: string, context: readonly string[]): Promise<IterationResult> {
  const input = toJson(newIteration(bead, member, context));
  return run.child(iterationKey(bead), IterationResult, 'kickoff', input);
}

/** A lost session; `at` in milliseconds since 1970. */
interface Loss {
  readonly bead: string;
  readonly at: number;
}

/** Counts each third lost session of a bead as an iteration: else one that ends servers would never end. */
async function settleLoss(
  run: Run,
  bead: Bead,
  ended: IterationResult,
  losses: Loss[],
): Promise<IterationResult> {
  const { result } = ended;
  if (ended.end === 'accepted' || !result.interrupted || result.failure?.cause === 'context_added')
    return ended;
  losses.push({ bead: bead.id, at: await run.now(`lost:${bead.id}:${bead.iteration}`) });
  const own = losses.filter((loss) => loss.bead === bead.id).length;
  if (own % lossLimit > 0 || isCrashLoop(losses)) return ended;
  return { ...ended, result: { ...result, interrupted: false } };
}

function isCrashLoop(losses: readonly Loss[]): boolean {
  const last = losses.at(-1)?.at ?? 0;
  return losses.filter(({ at }) => last - at < lossWindowMs).length >= lossLimit;
}

const Selection = z.discriminatedUnion('kind', [
  /** `dropped`: a file with context was taken. `models`: absent in older journals. */
  z.object({
    kind: z.literal('bead'),
    bead: Bead,
    dropped: z.boolean().default(false),
    models: TicketModels.optional(),
  }),
  z.object({ kind: z.literal('complete') }),
  z.object({ kind: z.literal('deadlock'), waiting: z.array(z.string()) }),
]);
type Selection = z.infer<typeof Selection>;

function selectBead(run: Run, ticket: TicketSnapshot, key: string): Promise<Selection> {
  const { worktree, settings } = ticketParts(ticket);
  return run.step(key, Selection, async (io): Promise<Selection> => {
    const beads = await io.ports.store.beads(ticket.id);
    if (isAllComplete(beads)) return { kind: 'complete' };
    const next = getNextBead(beads);
    const waiting = beads.filter(({ status }) => status !== 'done').map(({ id }) => id);
    if (!next) return { kind: 'deadlock', waiting };
    await settleBranch(io, ticket);
    const found = await io.ports.git.inspect(worktree);
    const edits = await pathsToCommit(io, worktree, found.changes);
    await settleEdits(io, ticket, edits);
    // A person who was asked about their edits may have taken long.
    const { ignored } = edits.length === 0 ? found : await io.ports.git.inspect(worktree);
    takeInventory(io, ticket, next.id, ignored);
    const now = isoNow(io);
    const head = await io.ports.git.head(worktree);
    const bead = await changeBead(io, next.id, () => ({
      status: 'in_progress',
      startedAt: next.startedAt === '' ? now : next.startedAt,
      updatedAt: now,
      beadStartCommit: head,
    }));
    const payload = { start: head, bead: plannedBead(bead) };
    await appendRecord(io, ticket, { bead: bead.id, iteration: bead.iteration, kind: 'spec', payload });
    const models = TicketModels.parse((await io.ports.store.ticket(ticket.id))?.settings ?? settings);
    return { kind: 'bead', bead, dropped: await takeDroppedContext(io, ticket), models };
  });
}
