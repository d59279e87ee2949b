import type * as z from 'zod';
import type { Bead, BeadExpansion, Blueprint } from '../../domain/bead.ts';
import { withInverseEdges } from '../../domain/beadPlan.ts';

/** The beads of a plan as they begin (LoopTroop 7.4): pending, in list order, with the graph's other direction filled in. */
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

/** What a bead's runtime fields are before it was ever run. */
export const freshRun = {
  status: 'pending',
  notes: '',
  iteration: 1,
  createdAt: '',
  updatedAt: '',
  completedAt: '',
  startedAt: '',
  beadStartCommit: null,
} as const satisfies Partial<Bead>;
