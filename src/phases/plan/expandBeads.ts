import * as z from 'zod';
import type { Section } from '../../context/sections.ts';
import { beadsDocument } from '../../domain/documents/beads.ts';
import { type Bead, BeadExpansion, Blueprint } from '../../domain/beads/bead.ts';
import { listed } from '../../domain/requirements/criteria.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Status } from '../../domain/workflow/workflow.ts';
import type { HandlerDefinition, Run, StepIo } from '../../engine/run/run.ts';
import { storedDocument } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { takeUserContext } from '../shared/ticket/ticketParts.ts';
import { winnerOf } from '../shared/council/drafts.ts';
import { parseLines } from '../shared/structured/parseLines.ts';
import { placeOfBeads, saveBeads } from '../shared/ticket/saveBeads.ts';
import { hydrateBeads } from '../../domain/beads/readPlan.ts';
import { revisedPlan } from '../../domain/beads/revisedPlan.ts';

/**
 * EXPANDING_BEADS: the blueprint becomes the bead plan that is approved and coded
 * (docs/decisions/025-bead-plan.md).
 */
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
 * Turns the current blueprint into beads that can be scheduled (docs/decisions/025-bead-plan.md): the model
 * adds kind, labels, dependencies and files; every other text is the blueprint's. The beads replace the
 * ticket's plan.
 */
export async function expandPlan(
  run: Run,
  ticket: TicketSnapshot,
  options: {
    readonly key: string;
    readonly winner: string;
    readonly sections: readonly Section[];
    readonly place: (io: StepIo) => Promise<{ readonly status: Status; readonly attempt: number }>;
    /** The beads to expand; the others stay as the current plan has them. Default: all. */
    readonly only?: readonly string[];
  },
): Promise<void> {
  const { only } = options;
  const blueprint = await run.record(`${options.key}-blueprint`, Blueprint, async (io) => {
    return (await storedDocument(io, 'beads_blueprint', Blueprint)).document;
  });
  await ask(run, ticket, {
    key: options.key,
    contextKey: 'beads_expand',
    prompt: 'beads-expand',
    member: options.winner,
    sections: [
      ...options.sections,
      ...(only ? [{ name: 'to_expand', content: only.join('\n') } as const] : []),
    ],
    parse: parseLines({ schema: Line, check: (lines) => expansionProblem(blueprint, lines, only) }),
    result: z.array(Line).readonly(),
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
    accept: async (io, lines) => {
      const beads: readonly Bead[] = only
        ? revisedPlan(blueprint, wanted(lines, only), await io.ports.store.beads(io.ticket), ticket.id)
        : hydrateBeads(blueprint, lines, ticket.id);
      saveBeads(io, beads, await options.place(io));
    },
  });
}

/**
 * Brings the current plan in line with its revised blueprint. Only the beads of `only` are expanded; the
 * others stay as they are.
 */
export async function expandAgain(
  run: Run,
  ticket: TicketSnapshot,
  {
    key,
    winner,
    only,
  }: { readonly key: string; readonly winner: string; readonly only: readonly string[] | undefined },
): Promise<void> {
  if (only?.length !== 0)
    return expandPlan(run, ticket, {
      key,
      winner,
      sections: [],
      place: placeOfBeads,
      ...(only ? { only } : {}),
    });
  await run.record(`${key}-without`, z.null(), async (io) => {
    const { document } = await storedDocument(io, 'beads_blueprint', Blueprint);
    saveBeads(
      io,
      revisedPlan(document, [], await io.ports.store.beads(io.ticket), ticket.id),
      await placeOfBeads(io),
    );
    return null;
  });
}

/** The lines that were asked for. A model may repeat those of other beads, which are ignored. */
function wanted(lines: readonly Line[], only: readonly string[]): readonly Line[] {
  return lines.filter(({ id }) => only.includes(id));
}

/** Same beads in the same order; dependencies only on earlier ones, so that there can be no cycle. */
function expansionProblem(
  blueprint: Blueprint,
  all: readonly Line[],
  only?: readonly string[],
): string | undefined {
  const problems: string[] = [];
  const lines = only ? wanted(all, only) : all;
  const beads = only ? blueprint.beads.filter(({ id }) => only.includes(id)) : blueprint.beads;
  if (lines.length !== beads.length)
    problems.push(`There are ${lines.length} lines for ${beads.length} beads.`);
  beads.forEach((bead, place) => {
    const line = lines[place];
    const index = blueprint.beads.indexOf(bead);
    if (!line) return;
    if (line.id !== bead.id) {
      problems.push(
        `Line ${place + 1}: the id is "${line.id}", and the blueprint's bead there is "${bead.id}".`,
      );
      return;
    }
    if (line.title !== undefined && line.title !== bead.title)
      problems.push(`${bead.id}: the title was changed.`);
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
