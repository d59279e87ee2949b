import * as z from 'zod';
import type { Section } from '../../context/sections.ts';
import { beadsDocument } from '../../domain/documents/beads.ts';
import { type Bead, BeadExpansion, Blueprint } from '../../domain/beads/bead.ts';
import { listed } from '../../domain/links/criteria.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Status } from '../../domain/workflow/workflow.ts';
import type { HandlerDefinition, Run, StepIo } from '../../engine/run/run.ts';
import { storedDocument } from '../shared/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { takeUserContext } from '../shared/ask/ticketParts.ts';
import { winnerOf } from '../shared/council/drafts.ts';
import { parseLines } from '../shared/structured/parseLines.ts';
import { saveBeads } from '../shared/saveBeads.ts';
import { hydrateBeads } from '../../domain/beads/readPlan.ts';

/** EXPANDING_BEADS: the blueprint becomes the bead plan that is approved and coded (docs/decisions/025-bead-plan.md). */
export const expandBeads: HandlerDefinition<'expanded'> = {
  version: 1,
  run: async (run, ticket) => {
    const sections = await takeUserContext(run, ticket);
    const winner = await winnerOf(run, beadsDocument.kind);
    await expandPlan(run, ticket, { key: 'expand', winner, sections, place: () => Promise.resolve(ticket) });
    return { exit: 'expanded' };
  },
};

/** A line of the answer. Title and references may be repeated, but not changed. */
const Line = BeadExpansion.extend({ title: z.string().optional(), prdRefs: z.array(z.string()).optional() });
type Line = z.infer<typeof Line>;

/**
 * Turns the current blueprint into beads that can be scheduled (docs/decisions/025-bead-plan.md): the model adds kind, labels, dependencies and
 * files; every other text is the blueprint's. The beads replace the ticket's plan.
 */
export async function expandPlan(
  run: Run,
  ticket: TicketSnapshot,
  options: {
    readonly key: string;
    readonly winner: string;
    readonly sections: readonly Section[];
    readonly place: (io: StepIo) => Promise<{ readonly status: Status; readonly attempt: number }>;
  },
): Promise<void> {
  const blueprint = await run.record(`${options.key}-blueprint`, Blueprint, async (io) => {
    return (await storedDocument(io, 'beads_blueprint', Blueprint)).document;
  });
  await ask(run, ticket, {
    key: options.key,
    contextKey: 'beads_expand',
    prompt: 'beads-expand',
    member: options.winner,
    sections: options.sections,
    parse: parseLines({ schema: Line, check: (lines) => expansionProblem(blueprint, lines) }),
    result: z.array(Line).readonly(),
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
    accept: async (io, lines) => {
      const beads: readonly Bead[] = hydrateBeads(blueprint, lines, ticket.id);
      saveBeads(io, beads, await options.place(io));
    },
  });
}

/** Same beads in the same order; dependencies only on earlier ones, so that there can be no cycle. */
function expansionProblem(blueprint: Blueprint, lines: readonly Line[]): string | undefined {
  const problems: string[] = [];
  if (lines.length !== blueprint.beads.length) problems.push(`There are ${lines.length} lines for ${blueprint.beads.length} beads.`);
  blueprint.beads.forEach((bead, index) => {
    const line = lines[index];
    if (!line) return;
    if (line.id !== bead.id) {
      problems.push(`Line ${index + 1}: the id is "${line.id}", and the blueprint's bead there is "${bead.id}".`);
      return;
    }
    if (line.title !== undefined && line.title !== bead.title) problems.push(`${bead.id}: the title was changed.`);
    if (line.prdRefs !== undefined && line.prdRefs.join('\n') !== bead.prdRefs.join('\n'))
      problems.push(`${bead.id}: prdRefs were changed.`);
    const earlier = blueprint.beads.slice(0, index).map((other) => other.id);
    const odd = line.dependencies.blocked_by.filter((id) => !earlier.includes(id));
    if (odd.length > 0)
      problems.push(
        `${bead.id}: blocked_by names ${odd.join(', ')}, which is no earlier bead. ${earlier.length === 0 ? 'It is the first one.' : `Earlier ones are ${listed(earlier)}.`}`,
      );
  });
  return problems.length === 0 ? undefined : problems.slice(0, 10).join('\n');
}
