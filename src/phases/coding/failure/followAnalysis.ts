import { type Bead, NewBead } from '../../../domain/beads/bead.ts';
import { FailureAnalysis, skipRefusal } from '../../../domain/beads/analysis.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { type InboxBody, inboxBodies } from '../../../domain/ticket/inbox.ts';
import * as z from 'zod';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { RecordIo, Run } from '../../../engine/run/run.ts';
import { newestJson, artifactChange, isoNow } from '../../shared/ticket/artifacts.ts';
import { appendRecord } from '../../shared/ticket/records.ts';
import { skipBead, addedBead } from '../bead/changeBead.ts';
import { canonicalJson } from '../../../base/json.ts';
import { sha256 } from '../../../base/sha256.ts';
import { graphErrors, planHash, withInverseEdges } from '../../../domain/beads/beadPlan.ts';
import { Sha256 } from '../../../domain/core/ids.ts';
import { refsProblem } from '../../../domain/requirements/criteria.ts';
import { timeoutMs } from '../../../domain/settings/settings.ts';
import { ask } from '../../shared/ask/ask.ts';
import { isFailureOf, replaceableCall } from '../../shared/ask/providerError.ts';
import { ticketParts } from '../../shared/ticket/ticketParts.ts';
import { linkedPrd } from '../../shared/ticket/linkedPrd.ts';
import { parseStructured } from '../../shared/structured/parseStructured.ts';

type Choice = InboxBody<'follow_analysis'>;

/** A person's choice for a failed bead, if that is why coding was entered again. */
export function choiceOf(ticket: TicketSnapshot): Choice | undefined {
  return ticket.entry.by === 'follow_analysis'
    ? inboxBodies.follow_analysis.safeParse(ticket.entry.body).data
    : undefined;
}

/**
 * Does what a person chose for a failed bead (docs/decisions/138-failure-analysis.md); `retry` is left to
 * recovery. Throws BEAD_NOT_FAILED, BEAD_SKIP_REFUSED, FAILURE_ESCALATED, PLAN_CHANGE_PROPOSED,
 * PLAN_CHANGE_FAILED.
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

/** Keeps the analysis in the diagnostics, so that it is still shown. */
async function blocked(
  run: Run,
  code: 'BEAD_SKIP_REFUSED' | 'FAILURE_ESCALATED',
  bead: string,
  reason: string,
): Promise<BeadsmithError> {
  const analysis = await run.record(
    'choice:analysis',
    FailureAnalysis.nullable(),
    async (io) => (await newestJson(io, `failure_analysis:${bead}`, FailureAnalysis)) ?? null,
  );
  const diagnostics = { bead, ...(analysis && { analysis }) };
  return new BeadsmithError(code, { bead, reason }, { diagnostics });
}

const NewBeads = z.object({ beads: z.array(NewBead).min(1).max(20) });

/** `plan_change:{bead}`: beads in place of a failed one. `plan_sha256`: the plan that it was made for. */
const PlanChange = z.object({
  schema_version: z.literal(1),
  bead: z.string(),
  choice: z.enum(['split', 'replan']),
  reason: z.string(),
  plan_sha256: Sha256,
  beads: z.array(NewBead),
});
type PlanChange = z.infer<typeof PlanChange>;

/** Lets a model propose beads in place of a failed one. Throws PLAN_CHANGE_PROPOSED, PLAN_CHANGE_FAILED. */
async function proposePlanChange(
  run: Run,
  ticket: TicketSnapshot,
  { bead, choice, reason }: Pick<PlanChange, 'bead' | 'choice' | 'reason'>,
): Promise<never> {
  const { value } = await ask(run, ticket, {
    key: 'choice:proposal',
    contextKey: 'qa_fix',
    prompt: 'plan-change',
    member: ticketParts(ticket).settings.mainImplementer,
    sections: async (io) => [{ name: 'observations', content: await observations(io, bead, choice, reason) }],
    parse: {
      inStep: async (io) => {
        const prd = await linkedPrd(io);
        const plan = await io.ports.store.beads(ticket.id);
        const check = ({ beads }: z.infer<typeof NewBeads>): string | undefined =>
          problemOf(plan, bead, beads) ?? (prd && refsProblem(beads, prd));
        return parseStructured({ schema: NewBeads, check });
      },
    },
    result: NewBeads,
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
    onProviderFailure: 'fail',
  }).catch((error: unknown) => {
    if (!isFailureOf(error, replaceableCall)) throw error;
    throw changeFailed(bead, error.message);
  });
  const proposal = await run.record('choice:proposed', z.object({ sha256: Sha256 }), async (io) => {
    const plan = await io.ports.store.beads(ticket.id);
    const about = { schema_version: 1, bead, choice, reason } as const;
    const change: PlanChange = { ...about, plan_sha256: planHash(plan), beads: value.beads };
    io.save(artifactChange(ticket, `plan_change:${bead}`, change));
    return { sha256: changeHash(change) };
  });
  const beads = value.beads.map(({ id, title }) => `${id} (${title})`).join(', ');
  throw new BeadsmithError(
    'PLAN_CHANGE_PROPOSED',
    { bead, beads },
    { diagnostics: { bead, ...proposal, proposed: value.beads } },
  );
}

/** Replaces a failed bead, if the person saw exactly this proposal and the plan is still the same. */
async function applyPlanChange(
  run: Run,
  ticket: TicketSnapshot,
  id: string,
  { sha256: seen, reason }: { readonly sha256: string; readonly reason: string },
): Promise<void> {
  const problem = await run.record('choice:apply', z.string(), async (io) => {
    const change = await newestJson(io, `plan_change:${id}`, PlanChange);
    if (!change) return 'nothing was proposed.';
    if (changeHash(change) !== seen) return 'the proposal is another one than the one that was reviewed.';
    const before = await io.ports.store.beads(ticket.id);
    if (planHash(before) !== change.plan_sha256) return 'the plan changed since the proposal was made.';
    const wrong = problemOf(before, id, change.beads);
    if (wrong !== undefined) return wrong;
    const after = changedPlan(before, id, change.beads, { ticket: ticket.id, now: isoNow(io) });
    const replacedBy = change.beads.map((bead) => bead.id);
    const why = `${words[change.choice]} ${replacedBy.join(', ')}. ${reason}`.trim();
    const skipped = await skipBead(io, ticket, id, { reason: why, by: 'user', replacedBy });
    const beads = after.map((bead) => (bead.id === id ? { ...bead, ...runtimeOf(skipped) } : bead));
    io.save({ type: 'beads', beads });
    const receipt = {
      schema_version: 1,
      bead_id: id,
      replaced_by: replacedBy,
      proposal_sha256: seen,
      approved_by: 'user',
      approved_at: isoNow(io),
      reason,
      plan_sha256_before: change.plan_sha256,
      plan_sha256_after: planHash(after),
    };
    io.save(artifactChange(ticket, `plan_change_receipt:${id}`, receipt));
    return '';
  });
  if (problem !== '') throw changeFailed(id, problem);
}

function changeFailed(bead: string, reason: string): BeadsmithError {
  return new BeadsmithError('PLAN_CHANGE_FAILED', { bead, reason }, { diagnostics: { bead } });
}

const words = { split: 'Split into', replan: 'Planned again as' } as const;

function changeHash(change: PlanChange): string {
  return sha256(canonicalJson(change));
}

function runtimeOf({ status, skipped, notes, updatedAt }: Bead): Partial<Bead> {
  return { status, notes, updatedAt, ...(skipped && { skipped }) };
}

async function observations(
  io: RecordIo,
  id: string,
  choice: PlanChange['choice'],
  reason: string,
): Promise<string> {
  const bead = (await io.ports.store.beads(io.ticket)).find((one) => one.id === id);
  const analysis = await newestJson(io, `failure_analysis:${id}`, FailureAnalysis);
  return [
    `The bead ${id} failed and is to be ${choice === 'split' ? 'split into smaller beads' : 'planned again'}.`,
    ...(reason.trim() === '' ? [] : [`A person says: ${reason}`]),
    ...(analysis ? [`Root cause: ${analysis.rootCause}`, `Advice:\n${list(analysis.plan)}`] : []),
    ...(bead ? [`Its criteria:\n${list(bead.acceptanceCriteria)}`] : []),
  ].join('\n\n');
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

function problemOf(plan: readonly Bead[], id: string, beads: readonly NewBead[]): string | undefined {
  const used = beads.filter((bead) => plan.some((other) => other.id === bead.id)).map((bead) => bead.id);
  if (used.length > 0) return `These ids are in use already: ${used.join(', ')}. Choose new ones.`;
  if (beads.some(({ dependencies }) => dependencies.blocked_by.includes(id)))
    return `No bead may be blocked by ${id}, which they replace.`;
  const untested = beads.filter(({ testCommands }) => testCommands.length === 0).map((bead) => bead.id);
  if (untested.length > 0) return `These beads have no testCommands: ${untested.join(', ')}.`;
  return graphErrors(changedPlan(plan, id, beads, { ticket: '', now: '' }))[0];
}

/** New beads wait for what the old one waited for; what waited for it waits for all of them. */
function changedPlan(
  plan: readonly Bead[],
  id: string,
  beads: readonly NewBead[],
  { ticket, now }: { readonly ticket: string; readonly now: string },
): readonly Bead[] {
  const old = plan.find((bead) => bead.id === id);
  const waited = old?.dependencies.blocked_by ?? [];
  const added = beads.map((bead) => {
    const blockedBy = [...new Set([...waited, ...bead.dependencies.blocked_by])];
    return addedBead(bead, { priority: old?.priority ?? 1, ticket, blockedBy, now });
  });
  const ids = added.map((bead) => bead.id);
  const rewired = plan.flatMap((bead): readonly Bead[] => {
    if (bead.id === id) return [{ ...bead, dependencies: { blocked_by: [], blocks: [] } }, ...added];
    if (!bead.dependencies.blocked_by.includes(id)) return [bead];
    const others = bead.dependencies.blocked_by.filter((other) => other !== id);
    return [{ ...bead, dependencies: { blocked_by: [...others, ...ids], blocks: [] } }];
  });
  return withInverseEdges(rewired);
}
