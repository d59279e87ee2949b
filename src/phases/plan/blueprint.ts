import { coverageOf } from '../../domain/artifacts.ts';
import type { Section } from '../../context/sections.ts';
import type { ContextState } from '../../context/contextState.ts';
import type { Bead, BlueprintBead } from '../../domain/beads/bead.ts';
import { Blueprint, BlueprintRevision } from '../../domain/beads/bead.ts';
import { beadsDocument } from '../../domain/documents/beads.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Run, RecordIo } from '../../engine/run/run.ts';
import { storedDocument, yamlText } from '../shared/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { gapSections, type Resolution, resolutionsProblem } from '../shared/coverage/coverageLoop.ts';
import { repeatedIds } from '../../domain/documents/check.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';

/** Why a blueprint can't be used; undefined if it can. */
export function blueprintProblem(blueprint: Blueprint): string | undefined {
  return repeatedIds(
    'beads',
    blueprint.beads.map((bead) => bead.id),
  );
}

/** The current plan as a blueprint: its beads without what expansion added, edits of a person included. */
export function blueprintOf(beads: readonly Bead[]): Blueprint {
  return { beads: beads.map(semanticPart) };
}

function semanticPart(bead: Bead): BlueprintBead {
  const { id, title, prdRefs, description, contextGuidance, acceptanceCriteria, tests, testCommands } = bead;
  return { id, title, prdRefs, description, contextGuidance, acceptanceCriteria, tests, testCommands };
}

/** What audits and revisions of a plan see of it: the blueprint, before expansion. */
export async function blueprintState(io: RecordIo): Promise<Partial<ContextState>> {
  return { beads: (await storedDocument(io, 'beads_blueprint', Blueprint)).content };
}

/** One revision of the blueprint for one round of gaps, by the winner in a fresh session. The revised blueprint replaces the current one. */
export async function reviseBlueprint(
  run: Run,
  ticket: TicketSnapshot,
  options: {
    readonly key: string;
    readonly winner: string;
    readonly gaps: readonly string[];
    readonly history: readonly Resolution[];
    readonly sections: readonly Section[];
    /** At a gate the new version is filed where the previous one is, so that both are archived together. */
    readonly atGate: boolean;
  },
): Promise<readonly Resolution[]> {
  const { gaps, history } = options;
  const { value } = await ask(run, ticket, {
    key: options.key,
    contextKey: coverageOf(beadsDocument.kind),
    prompt: 'beads-revise',
    member: options.winner,
    sections: [...options.sections, ...gapSections(gaps, history)],
    state: blueprintState,
    parse: parseStructured({
      schema: BlueprintRevision,
      check: (revision) => blueprintProblem(revision) ?? resolutionsProblem(gaps, revision.gap_resolutions),
    }),
    result: BlueprintRevision,
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
    accept: async (io, revision) => {
      const { status, attempt } = options.atGate ? await storedDocument(io, 'beads_blueprint', Blueprint) : ticket;
      io.save({ type: 'artifact', artifact: 'beads_blueprint', content: yamlText({ beads: revision.beads }), status, attempt });
    },
  });
  return value.gap_resolutions;
}
