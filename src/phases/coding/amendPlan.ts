import * as z from 'zod';
import { canonicalJson } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';
import { type Bead, BeadExpansion, BlueprintBead } from '../../domain/beads/bead.ts';
import { graphErrors, planHash, withInverseEdges } from '../../domain/beads/beadPlan.ts';
import { Sha256 } from '../../domain/core/ids.ts';
import { type ChangeItem, inboxBodies } from '../../domain/ticket/inbox.ts';
import { listed, refsProblem } from '../../domain/requirements/criteria.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run } from '../../engine/run/run.ts';
import { artifactChange, isoNow } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { linkedPrd } from '../shared/ticket/linkedPrd.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';

const FixBead = BlueprintBead.extend(BeadExpansion.omit({ id: true }).shape).extend({
  issueType: z.string().default('qa-fix'),
});
type FixBead = z.infer<typeof FixBead>;
/** Reviewers may have asked more than once before the plan was amended. */
const Requested = z.array(inboxBodies.changes.shape.items.element);
const FixBeads = z.object({ beads: z.array(FixBead).min(1).max(50) });

/**
 * `bead_amendment:{bead}`: the receipt of a bead that was added to an approved plan
 * (docs/decisions/016-changes-after-approval.md).
 */
export const BeadAmendment = z.object({
  schema_version: z.literal(1),
  bead_id: z.string(),
  bead_sha256: Sha256,
  plan_sha256_before: Sha256,
  plan_sha256_after: Sha256,
  requested: Requested,
  amended_at: z.string(),
});
export type BeadAmendment = z.infer<typeof BeadAmendment>;

/**
 * Turns requested changes into fix beads at the end of the plan, each with its own receipt. Existing beads
 * don't change. `prefix` keeps the step keys of several requests in one run apart.
 */
export async function amendPlan(
  run: Run,
  ticket: TicketSnapshot,
  items: readonly ChangeItem[],
  prefix: string,
): Promise<void> {
  const { settings } = ticketParts(ticket);
  const taken = await run.record(`${prefix}taken`, z.array(z.string()), async (io) =>
    (await io.ports.store.beads(ticket.id)).map(({ id }) => id),
  );
  const { value } = await ask(run, ticket, {
    key: `${prefix}fix-beads`,
    contextKey: 'qa_fix',
    prompt: 'qa-fix',
    member: settings.mainImplementer,
    sections: [{ name: 'observations', content: items.map(describe).join('\n\n') }],
    parse: {
      inStep: async (io) => {
        const prd = await linkedPrd(io);
        const check = ({ beads }: z.infer<typeof FixBeads>): string | undefined =>
          problemOf(beads, taken) ?? (prd && refsProblem(beads, prd));
        return parseStructured({ schema: FixBeads, check });
      },
    },
    result: FixBeads,
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
  });
  await run.record(`${prefix}amend`, z.array(z.string()), async (io) => {
    const before = await io.ports.store.beads(ticket.id);
    const now = isoNow(io);
    const lowest = Math.max(0, ...before.map((bead) => bead.priority));
    const added = value.beads.map((bead, index) => asBead(bead, ticket.id, lowest + 1 + index, now));
    const after = withInverseEdges([...before, ...added]);
    io.save({ type: 'beads', beads: after });
    const hashes = { plan_sha256_before: planHash(before), plan_sha256_after: planHash(after) };
    for (const bead of added) {
      const receipt: BeadAmendment = {
        schema_version: 1,
        bead_id: bead.id,
        bead_sha256: sha256(canonicalJson(bead)),
        ...hashes,
        requested: [...items],
        amended_at: now,
      };
      io.save(artifactChange(ticket, `bead_amendment:${bead.id}`, receipt));
    }
    return added.map(({ id }) => id);
  });
}

function describe(item: ChangeItem, index: number): string {
  const place =
    item.file === undefined ? '' : ` (${item.file}${item.line === undefined ? '' : `, line ${item.line}`})`;
  const bead = item.bead === undefined ? '' : `, about bead ${item.bead}`;
  return `Finding ${index + 1}${place}${bead}:\n${item.text}`;
}

/** Returns the first problem of the new beads that the schema can't check; undefined if they fit the plan. */
function problemOf(beads: readonly FixBead[], taken: readonly string[]): string | undefined {
  const used = beads.map(({ id }) => id).filter((id) => taken.includes(id));
  if (used.length > 0) return `These ids are in use already: ${used.join(', ')}. Choose new ones.`;
  const untested = beads.filter(({ testCommands }) => testCommands.length === 0).map(({ id }) => id);
  if (untested.length > 0) return `These beads have no testCommands: ${untested.join(', ')}.`;
  const known = new Set([...taken, ...beads.map(({ id }) => id)]);
  const unknown = beads.flatMap(({ dependencies }) => dependencies.blocked_by).filter((id) => !known.has(id));
  if (unknown.length > 0)
    return `blocked_by names beads that don't exist: ${[...new Set(unknown)].join(', ')}. The beads are ${listed([...known])}.`;
  const plan = beads.map((bead) => asBead({ ...bead, dependencies: ownEdges(bead, taken) }, '', 0, ''));
  return graphErrors(withInverseEdges(plan))[0];
}

/** Beads that exist can't be blocked by new ones, so only the edges among the new ones can go wrong. */
function ownEdges(bead: FixBead, taken: readonly string[]): FixBead['dependencies'] {
  return { blocked_by: bead.dependencies.blocked_by.filter((id) => !taken.includes(id)) };
}

function asBead(bead: FixBead, ticket: string, priority: number, now: string): Bead {
  return {
    ...bead,
    priority,
    status: 'pending',
    issueType: 'qa-fix',
    externalRef: ticket,
    dependencies: { blocked_by: bead.dependencies.blocked_by, blocks: [] },
    notes: '',
    iteration: 1,
    createdAt: now,
    updatedAt: now,
    completedAt: '',
    startedAt: '',
    beadStartCommit: null,
  };
}
