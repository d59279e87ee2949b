import * as z from 'zod';
import { isRecord } from '../../base/json.ts';
import type { Settled } from '../../base/result.ts';
import { checked } from '../documents/base/check.ts';
import type { BeadExpansion, Blueprint, Bead } from './bead.ts';
import { type beadRuntimeFields, EditedBead, freshRun, isSettled, reasonWithoutProof } from './bead.ts';
import { withInverseEdges, graphErrors, planHash } from './beadPlan.ts';

/** A plan's beads at the start: pending, with `blocks` (docs/decisions/025-bead-plan.md). */
export function hydrateBeads(
  blueprint: Blueprint,
  expansions: readonly z.infer<typeof BeadExpansion>[],
  ticketId: string,
): readonly Bead[] {
  return withInverseEdges(
    blueprint.beads.map((bead, index) => {
      const expansion = expansions[index];
      return {
        ...bead,
        ...freshRun,
        priority: index + 1,
        issueType: expansion?.issueType ?? 'task',
        externalRef: ticketId,
        labels: expansion?.labels ?? [],
        dependencies: { blocked_by: [...new Set(expansion?.dependencies.blocked_by)], blocks: [] },
        targetFiles: expansion?.targetFiles ?? [],
      };
    }),
  );
}

/** A plan as people edit it. */
export const EditedPlan = z.array(EditedBead).min(1);

/**
 * The plan after an edit, or why it can't be used. Settled beads don't change, failed ones start again, and
 * missing `blocks` edges are added.
 */
export function readPlan(
  value: unknown,
  former: readonly Bead[],
  ticketId: string,
): Settled<readonly Bead[], string> {
  const edited = checked(EditedPlan, withReasons(value));
  if (!edited.ok) return edited;
  const unproved = edited.value.filter(
    (bead) => (bead.testCommands ?? []).length === 0 && reasonWithoutProof(bead) === '',
  );
  if (unproved.length > 0)
    return { ok: false, error: unproved.map(({ id }) => `${id}: ${unprovedText}`).join('\n') };
  const before = new Map(former.map((bead) => [bead.id, bead]));
  const beads = withMissingBlocks(
    edited.value.map((bead, index): Bead => {
      const known = before.get(bead.id);
      return {
        ...freshRun,
        ...(known ? runtimeOf(known) : {}),
        ...bead,
        prdRefs: bead.prdRefs ?? [],
        tests: bead.tests ?? [],
        testCommands: bead.testCommands ?? [],
        contextGuidance: bead.contextGuidance ?? { patterns: [], anti_patterns: [] },
        priority: bead.priority ?? index + 1,
        externalRef: bead.externalRef ?? ticketId,
      };
    }),
  );
  const errors = [...settledErrors(former, beads), ...graphErrors(beads)];
  return errors.length === 0
    ? { ok: true, value: beads }
    : { ok: false, error: errors.slice(0, 10).join('\n') };
}

const unprovedText = 'there are no testCommands, and unprovedReason doesn’t say why.';

/** `testCommandReason` is another name for `unprovedReason`. */
function withReasons(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((bead: unknown) => {
    if (!isRecord(bead) || bead['testCommandReason'] === undefined) return bead;
    const { testCommandReason, ...rest } = bead;
    return { unprovedReason: testCommandReason, ...rest };
  });
}

function runtimeOf(bead: Bead): Pick<Bead, (typeof beadRuntimeFields)[number]> {
  const { status, notes, iteration, createdAt, updatedAt, completedAt, startedAt, beadStartCommit, skipped } =
    bead;
  const same = {
    notes,
    createdAt,
    updatedAt,
    completedAt,
    startedAt,
    beadStartCommit,
    ...(skipped ? { skipped } : {}),
  };
  const startsAgain = status === 'error' || status === 'in_progress';
  return {
    ...same,
    ...(startsAgain ? { status: 'pending', iteration: iteration + 1 } : { status, iteration }),
  };
}

/** Edits of settled beads. Others may come to depend on them. */
function settledErrors(former: readonly Bead[], edited: readonly Bead[]): readonly string[] {
  const planned = (bead: Bead): string =>
    planHash([{ ...bead, priority: 0, dependencies: { ...bead.dependencies, blocks: [] } }]);
  return former.filter(isSettled).flatMap((bead) => {
    const now = edited.find(({ id }) => id === bead.id);
    if (now && planned(now) === planned(bead)) return [];
    return [
      `${bead.id}: the bead is ${bead.status}, so it can't be ${now ? 'changed' : 'removed'}. Request changes instead.`,
    ];
  });
}

function withMissingBlocks(beads: readonly Bead[]): readonly Bead[] {
  const blocked = new Map<string, string[]>();
  for (const bead of beads)
    for (const id of new Set(bead.dependencies.blocked_by))
      if (id !== bead.id) blocked.set(id, [...(blocked.get(id) ?? []), bead.id]);
  return beads.map((bead) => {
    const blocks = [...new Set([...bead.dependencies.blocks, ...(blocked.get(bead.id) ?? [])])];
    return { ...bead, dependencies: { ...bead.dependencies, blocks } };
  });
}
