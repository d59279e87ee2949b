import * as z from 'zod';
import type { Bead } from '../../domain/bead.ts';
import { BeadsmithError } from '../../domain/errors.ts';
import { inboxBodies } from '../../domain/inbox.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { HandlerDefinition, Run } from '../../engine/run.ts';
import { acceptBead } from './acceptBead.ts';
import { artifactChange } from './artifactChange.ts';
import { IterationResult } from './iteration.ts';
import { recoverBeads } from './recoverBeads.ts';
import { rejectIteration } from './rejectIteration.ts';
import { selectBead } from './selectBead.ts';
import { takeRequests } from './takeRequests.ts';
import { toJson } from './toJson.ts';

/** How many lost sessions within ten minutes are taken as chance (architecture.md section 9). */
const lossLimit = 3;
const lossWindowMs = 600_000;

/**
 * Codes the plan bead by bead (seed 001 sections 6 to 12): the scheduler picks, a child run works, the outcome is recorded. Ends when every bead is
 * done. Throws BEAD_RETRY_BUDGET_EXHAUSTED, BEAD_FINALIZATION_FAILED, BEAD_DEADLOCK, CRASH_LOOP.
 */
export const coding: HandlerDefinition<'complete'> = {
  version: 2,
  run: async (run, ticket) => {
    await recoverBeads(run, ticket);
    const failures = new Map<string, number>();
    const losses: number[] = [];
    for (let turn = 1; ; turn += 1) {
      await takeRequests(run, ticket, turn);
      const selection = await selectBead(run, ticket, `select:${turn}`);
      if (selection.kind === 'complete') return { exit: 'complete' };
      if (selection.kind === 'deadlock') throw new BeadsmithError('BEAD_DEADLOCK', { beads: selection.waiting.join(', ') });
      const { bead } = selection;
      const { end, result } = await iterate(run, ticket, bead, turn);
      if (end === 'accepted') {
        await acceptBead(run, ticket, bead, `accept:${bead.id}:${bead.iteration}`);
        continue;
      }
      if (result.interrupted) losses.push(await run.now(`lost:${bead.id}:${bead.iteration}`));
      else failures.set(bead.id, (failures.get(bead.id) ?? 0) + 1);
      const used = failures.get(bead.id) ?? 0;
      await rejectIteration(run, ticket, bead, result, { used, exhausted: used > run.limits.maxIterations });
      checkLosses(bead, losses);
    }
  },
};

async function iterate(run: Run, ticket: TicketSnapshot, bead: Bead, turn: number): Promise<IterationResult> {
  const context = await takeContext(run, ticket, turn);
  return run.child(`bead:${bead.id}:${bead.iteration}`, IterationResult, 'kickoff', toJson({ bead, context }));
}

/** What the user wants told: `once` to this iteration only; `always` becomes part of the ticket, which every later prompt carries. */
async function takeContext(run: Run, ticket: TicketSnapshot, turn: number): Promise<string[]> {
  const entries = (await run.take(`context:${turn}`, ['context'])).map(({ body }) => inboxBodies.context.parse(body));
  const always = entries.filter(({ scope }) => scope === 'always').map(({ text }) => text);
  if (always.length > 0) {
    await run.step(`context:${turn}:keep`, z.null(), async (io) => {
      const standing = (await io.ports.store.artifact(ticket.id, 'user_context'))?.content.trim() ?? '';
      io.save(artifactChange(ticket, 'user_context', [standing, ...always].filter((text) => text !== '').join('\n\n')));
      return null;
    });
  }
  return entries.filter(({ scope }) => scope === 'once').map(({ text }) => text);
}

function checkLosses(bead: Bead, losses: readonly number[]): void {
  const last = losses.at(-1) ?? 0;
  const recent = losses.filter((at) => last - at < lossWindowMs);
  if (recent.length >= lossLimit) throw new BeadsmithError('CRASH_LOOP', { what: `Bead ${bead.id}`, count: recent.length });
}
