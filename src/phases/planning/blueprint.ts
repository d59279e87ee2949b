import type { Bead, Blueprint, BlueprintBead } from '../../domain/bead.ts';
import { repeatedIds } from './repeatedIds.ts';

/** Why a blueprint is no use, if it isn't. */
export function blueprintProblem(blueprint: Blueprint): string | undefined {
  return repeatedIds(
    'beads',
    blueprint.beads.map((bead) => bead.id),
  );
}

/** What a plan's beads say before anything was added to them: the present plan as a blueprint, edits of a person included. */
export function blueprintOf(beads: readonly Bead[]): Blueprint {
  return { beads: beads.map(semanticPart) };
}

function semanticPart(bead: Bead): BlueprintBead {
  const { id, title, prdRefs, description, contextGuidance, acceptanceCriteria, tests, testCommands } = bead;
  return { id, title, prdRefs, description, contextGuidance, acceptanceCriteria, tests, testCommands };
}
