import type { Bead } from '../../../domain/beads/bead.ts';
import { FailureAnalysis, skipRefusal } from '../../../domain/beads/analysis.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { type InboxBody, inboxBodies } from '../../../domain/ticket/inbox.ts';
import * as z from 'zod';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { RecordIo, Run } from '../../../engine/run/run.ts';
import { newestArtifact, readJson } from '../../shared/ticket/artifacts.ts';
import { appendRecord } from '../../shared/ticket/records.ts';
import { applyPlanChange, proposePlanChange } from './planChange.ts';
import { skipBead } from '../bead/changeBead.ts';

type Choice = InboxBody<'follow_analysis'>;

/**
 * Returns a person's choice for a failed bead, if that is why coding was entered again; undefined otherwise.
 */
export function choiceOf(ticket: TicketSnapshot): Choice | undefined {
  return ticket.entry.by === 'follow_analysis'
    ? inboxBodies.follow_analysis.safeParse(ticket.entry.body).data
    : undefined;
}

/**
 * Does what a person chose for a bead that failed (docs/decisions/138-failure-analysis.md), before any work
 * continues. `retry` is left to what settles failed beads. Throws BEAD_NOT_FAILED, BEAD_SKIP_REFUSED,
 * FAILURE_ESCALATED, PLAN_CHANGE_PROPOSED, PLAN_CHANGE_FAILED: the ticket is then blocked again, with the
 * same choices.
 */
export async function followAnalysis(run: Run, ticket: TicketSnapshot): Promise<void> {
  const body = choiceOf(ticket);
  if (!body) return;
  const { bead: id, choice } = body;
  const beads = await run.record(
    'choice:beads',
    z.array(z.object({ id: z.string(), failed: z.boolean(), refusal: z.string() })),
    async (io) => {
      const plan = await io.ports.store.beads(ticket.id);
      await noteChoice(io, ticket, plan, body);
      return plan.map(({ id: one, status }) => {
        return { id: one, failed: status === 'error', refusal: skipRefusal(plan, one) };
      });
    },
  );
  const bead = beads.find((one) => one.id === id && one.failed);
  if (!bead) {
    const failed = beads.flatMap((one) => (one.failed ? [one.id] : [])).join(', ');
    throw new BeadsmithError('BEAD_NOT_FAILED', { bead: id, beads: failed || 'none' });
  }
  switch (choice) {
    case 'retry':
      return;
    case 'skip':
      if (bead.refusal !== '') throw await blocked(run, 'BEAD_SKIP_REFUSED', id, bead.refusal);
      await run.record('choice:skip', z.null(), async (io) => {
        await skipBead(io, ticket, id, { reason: body.reason, by: 'user' });
        return null;
      });
      return;
    case 'escalate':
      throw await blocked(run, 'FAILURE_ESCALATED', id, body.reason.trim() || 'no reason was given.');
    case 'split':
    case 'replan':
      return proposePlanChange(run, ticket, { bead: id, choice, reason: body.reason });
    case 'approve':
      return applyPlanChange(run, ticket, id, body);
  }
}

async function noteChoice(
  io: RecordIo,
  ticket: TicketSnapshot,
  plan: readonly Bead[],
  { bead, choice, reason }: Choice,
): Promise<void> {
  const about = plan.find(({ id }) => id === bead);
  if (!about) return;
  const { iteration } = about;
  await appendRecord(io, ticket, { bead, iteration, kind: 'human_note', payload: { choice, reason } });
}

/** An error that keeps the analysis in its diagnostics, so that it is still shown. */
async function blocked(
  run: Run,
  code: 'BEAD_SKIP_REFUSED' | 'FAILURE_ESCALATED',
  bead: string,
  reason: string,
): Promise<BeadsmithError> {
  const analysis = await run.record(
    'choice:analysis',
    FailureAnalysis.nullable(),
    async (io) =>
      readJson(FailureAnalysis, (await newestArtifact(io, `failure_analysis:${bead}`))?.content) ?? null,
  );
  const diagnostics = { bead, ...(analysis && { analysis }) };
  return new BeadsmithError(code, { bead, reason }, { diagnostics });
}
