import { QaChecklist, qaChecklistDocument, QaResults } from '../../domain/documents/qaChecklist.ts';
import { type UatChecklist, uatDocument } from '../../domain/documents/uatChecklist.ts';
import { passed } from '../../domain/core/evidence.ts';
import { criteriaNamed, criteriaOf } from '../../domain/requirements/criteria.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { linkedPrd } from '../shared/ticket/linkedPrd.ts';
import { newestProofs } from './evidenceTable.ts';
import { storedReport } from './deliveryFacts.ts';

type Row = UatChecklist['criteria'][number];

/**
 * Each criterion of the PRD, or of the beads where there is no PRD, with what the engine saw of it
 * (docs/decisions/139-retrospective-and-handoff.md). No model has a say in it.
 */
export async function uatTable(io: StepIo, ticket: TicketSnapshot): Promise<UatChecklist> {
  const prd = await linkedPrd(io);
  const beads = await io.ports.store.beads(ticket.id);
  const proofs = await newestProofs(io, ticket.id);
  const tried = await triedOf(io);
  const done = beads.filter(({ status }) => status === 'done');
  const rowOf = (id: string, criterion: string, meeting: readonly string[], found: Row['tried']): Row => {
    const proving = proofs.filter(({ bead }) => bead !== null && meeting.includes(bead));
    const proved_by = proving.flatMap(({ commands, commit }) =>
      commands.filter(passed).map(({ command }) => ({ command, commit })),
    );
    const seen =
      proved_by.length > 0 && meeting.every((bead) => proving.some((proof) => proof.bead === bead));
    const by_hand = !seen && found !== 'pass';
    return { id, criterion, beads: [...meeting], proved_by, tried: found, by_hand };
  };
  const criteria = prd
    ? criteriaOf(prd).map(({ id, text }) => {
        const names = (refs: readonly string[]): boolean =>
          criteriaNamed(prd, refs).some((one) => one.id === id);
        const meeting = done.filter(({ prdRefs }) => names(prdRefs)).map((bead) => bead.id);
        const results = tried.filter(({ refs }) => names(refs)).map(({ result }) => result);
        return rowOf(id, text, meeting, worst(results));
      })
    : beads.flatMap((bead) =>
        bead.acceptanceCriteria.map((text, place) =>
          rowOf(`${bead.id}.AC${String(place + 1)}`, text, bead.status === 'done' ? [bead.id] : [], null),
        ),
      );
  return { schema_version: 1, ticket_id: ticket.id, artifact: uatDocument.kind, criteria, steps: [] };
}

/** The table as models get it. */
export function criteriaText({ criteria }: UatChecklist): string {
  return criteria
    .map(
      ({ id, criterion, by_hand: byHand }) =>
        `- ${id} (${byHand ? 'nothing shows it yet' : 'seen by the engine or a person'}): ${criterion}`,
    )
    .join('\n');
}

interface Tried {
  readonly refs: readonly string[];
  readonly result: NonNullable<Row['tried']>;
}

async function triedOf(io: StepIo): Promise<readonly Tried[]> {
  const checklist = await storedReport(io, qaChecklistDocument.kind, QaChecklist);
  const { results = {} } = (await storedReport(io, 'manual_qa_results', QaResults)) ?? {};
  return (checklist?.items ?? []).flatMap(({ id, prdRefs: refs }) => {
    const found = results[id];
    return found ? [{ refs, result: found.result }] : [];
  });
}

function worst(results: readonly Tried['result'][]): Row['tried'] {
  return (['fail', 'waive', 'pass'] as const).find((result) => results.includes(result)) ?? null;
}
