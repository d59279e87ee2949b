import { QaChecklist, qaChecklistDocument, QaResults } from '../../domain/documents/qaChecklist.ts';
import { type UatChecklist, uatDocument } from '../../domain/documents/uatChecklist.ts';
import { passed } from '../../domain/core/evidence.ts';
import { criteriaNamed, criteriaOf } from '../../domain/requirements/criteria.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { readJson } from '../shared/ticket/artifacts.ts';
import { linkedPrd } from '../shared/ticket/linkedPrd.ts';
import { newestProofs } from './evidenceTable.ts';

type Row = UatChecklist['criteria'][number];

/**
 * Each criterion of the PRD, or of the beads where there is no PRD, with what the engine saw of it
 * (docs/decisions/139-retrospective-and-handoff.md). No model has a say in it.
 */
export async function uatTable(io: StepIo, ticket: TicketSnapshot): Promise<UatChecklist> {
  const { store } = io.ports;
  const [prd, beads, proofs, tried] = [
    await linkedPrd(io),
    await store.beads(ticket.id),
    await newestProofs(io, ticket.id),
    await triedOf(io),
  ];
  const done = beads.filter(({ status }) => status === 'done');
  const rowOf = (id: string, criterion: string, meeting: readonly string[], found: Row['tried']): Row => {
    const proving = proofs.filter(({ bead }) => bead !== null && meeting.includes(bead));
    const proved_by = proving.flatMap(({ commands, commit }) =>
      commands.filter(passed).map(({ command }) => ({ command, commit })),
    );
    const seen =
      proved_by.length > 0 && meeting.every((bead) => proving.some((proof) => proof.bead === bead));
    return {
      id,
      criterion,
      beads: [...meeting],
      proved_by,
      tried: found,
      by_hand: !seen && found !== 'pass',
    };
  };
  const criteria = prd
    ? criteriaOf(prd).map(({ id, text }) => {
        const names = (refs: readonly string[]): boolean =>
          criteriaNamed(prd, refs).some((one) => one.id === id);
        const meeting = done.filter(({ prdRefs }) => names(prdRefs)).map((bead) => bead.id);
        return rowOf(
          id,
          text,
          meeting,
          worst(tried.filter(({ refs }) => names(refs)).map(({ result }) => result)),
        );
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

/** Returns a person's results of the newest round of manual QA. */
async function triedOf(io: StepIo): Promise<readonly Tried[]> {
  const { store } = io.ports;
  const checklist = readJson(
    QaChecklist,
    (await store.artifact(io.ticket, qaChecklistDocument.kind))?.content,
  );
  const results =
    readJson(QaResults, (await store.artifact(io.ticket, 'manual_qa_results'))?.content)?.results ?? {};
  return (checklist?.items ?? []).flatMap(({ id, prdRefs: refs }) => {
    const found = results[id];
    return found ? [{ refs, result: found.result }] : [];
  });
}

function worst(results: readonly Tried['result'][]): Row['tried'] {
  return (['fail', 'waive', 'pass'] as const).find((result) => results.includes(result)) ?? null;
}
