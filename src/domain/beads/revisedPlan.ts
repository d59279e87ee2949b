import type * as z from 'zod';
import { canonicalJson } from '../../base/json.ts';
import { bareText } from '../documents/base/outline.ts';
import type { Bead, BeadExpansion, Blueprint, BlueprintBead } from './bead.ts';
import { withInverseEdges } from './beadPlan.ts';
import { hydrateBeads } from './readPlan.ts';

/** A bead without its expansion. */
export function semanticPart(bead: Bead): BlueprintBead {
  const {
    id,
    title,
    prdRefs,
    description,
    contextGuidance,
    acceptanceCriteria,
    tests,
    testCommands,
    unprovedReason,
  } = bead;
  const part = { id, title, prdRefs, description, contextGuidance, acceptanceCriteria, tests, testCommands };
  return unprovedReason === undefined ? part : { ...part, unprovedReason };
}

/** Beads that a revision changed or added: to be expanded again. */
export function changedBeads(blueprint: Blueprint, former: readonly Bead[]): readonly string[] {
  const before = new Map(former.map((bead) => [bead.id, meaning(semanticPart(bead))]));
  return blueprint.beads.filter((bead) => before.get(bead.id) !== meaning(bead)).map(({ id }) => id);
}

function meaning(bead: BlueprintBead): string {
  const texts = JSON.stringify(bead, (key, value: unknown) =>
    typeof value === 'string' && key !== 'testCommands' ? bareText(value) : value,
  );
  return canonicalJson({ texts: JSON.parse(texts) as unknown, commands: bead.testCommands });
}

/**
 * The plan after a revision. Unchanged beads keep their expansion; waiters of removed beads wait for those
 * beads' dependencies.
 */
export function revisedPlan(
  blueprint: Blueprint,
  expansions: readonly z.infer<typeof BeadExpansion>[],
  former: readonly Bead[],
  ticketId: string,
): readonly Bead[] {
  const [lines, before] = [
    new Map(expansions.map((line) => [line.id, line])),
    new Map(former.map((bead) => [bead.id, bead])),
  ];
  const ids = new Set(blueprint.beads.map(({ id }) => id));
  const blockersOf = (id: string, seen: readonly string[] = []): readonly string[] => {
    if (ids.has(id) || seen.includes(id)) return ids.has(id) ? [id] : [];
    return (before.get(id)?.dependencies.blocked_by ?? []).flatMap((other) =>
      blockersOf(other, [...seen, id]),
    );
  };
  const fresh = new Map(
    hydrateBeads(
      blueprint,
      blueprint.beads.map(({ id }) => lines.get(id) ?? unexpanded(id)),
      ticketId,
    ).map((bead) => [bead.id, bead]),
  );
  let priority = 1;
  const beads = blueprint.beads.flatMap(({ id }): readonly Bead[] => {
    const [known, made] = [before.get(id), fresh.get(id)];
    priority = known?.priority ?? priority;
    if (lines.has(id) && made) return [{ ...made, priority }];
    if (!known) return made ? [{ ...made, priority }] : [];
    const blocked_by = [...new Set(known.dependencies.blocked_by.flatMap((other) => blockersOf(other)))];
    return [{ ...known, dependencies: { ...known.dependencies, blocked_by } }];
  });
  return withInverseEdges(beads).map((bead) => {
    const known = before.get(bead.id);
    return known && !lines.has(bead.id) && isSameEdges(known, bead) ? known : bead;
  });
}

function isSameEdges({ dependencies: a }: Bead, { dependencies: b }: Bead): boolean {
  return sorted(a.blocked_by) === sorted(b.blocked_by) && sorted(a.blocks) === sorted(b.blocks);
}

function sorted(ids: readonly string[]): string {
  return [...ids].sort().join('\n');
}

function unexpanded(id: string): z.infer<typeof BeadExpansion> {
  return { id, issueType: 'task', labels: [], dependencies: { blocked_by: [] }, targetFiles: [] };
}
