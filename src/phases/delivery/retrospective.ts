import * as z from 'zod';
import { type HandoffReport, handoffDocument } from '../../domain/documents/handoffReport.ts';
import {
  type RetrospectiveReport,
  retrospectiveDocument,
} from '../../domain/documents/retrospectiveReport.ts';
import { UatChecklist, uatDocument } from '../../domain/documents/uatChecklist.ts';
import { toBeadsmithError } from '../../domain/core/errors.ts';
import { emptyHandoff, evidenceOf, keepFound } from '../../domain/handoff/handoff.ts';
import { IntegrationReport, BeadExecution, Failures } from '../../domain/beads/reports.ts';
import { RetrospectiveAnswer } from '../../domain/retrospective/answer.ts';
import {
  cutTo,
  storyTokens,
  summaryTokens,
  tellBeads,
  type BeadStory,
} from '../../domain/records/beadStory.ts';
import { mergeRetrospectives } from '../../domain/retrospective/mergeAnswers.ts';
import { metricsText, type Metrics } from '../../domain/records/metrics.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import { interrupts } from '../../engine/run/branches.ts';
import type { HandlerDefinition, Run, StepIo, RecordIo } from '../../engine/run/run.ts';
import { artifactChange, yamlText, storedJson, newestJson } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { optionalPhase } from '../shared/optionalPhase.ts';
import { partyNote, type PartyResult, runParty } from '../shared/panel/runParty.ts';
import { lookBackStep } from '../shared/worktree/sessions.ts';
import { notQuoted } from '../shared/structured/notQuoted.ts';
import { Ending } from './review.ts';
import type { Bead } from '../../domain/beads/bead.ts';
import { tokensOf } from '../../domain/usage/budgets.ts';
import { readRecords } from '../shared/ticket/records.ts';
import { tell } from '../../engine/run/tell.ts';
import { QaChecklist, qaChecklistDocument, QaResults } from '../../domain/documents/qaChecklist.ts';
import { passed } from '../../domain/core/evidence.ts';
import { criteriaNamed, criteriaOf } from '../../domain/requirements/criteria.ts';
import { linkedPrd } from '../shared/ticket/linkedPrd.ts';
import { newestProofs } from './evidenceTable.ts';

const phase = 'retrospective';

/** Looks back at a ticket that has ended (docs/decisions/139-retrospective-and-handoff.md). */
export const retrospective: HandlerDefinition<'done'> = {
  version: 1,
  run: async (run, ticket) => {
    if (ticketParts(ticket).settings.retrospective) {
      const table = await optionalPhase(run, ticket, { phase: 'user acceptance test' }, () =>
        writeTable(run, ticket),
      );
      await optionalPhase(run, ticket, { phase }, () => lookBack(run, ticket, table));
    }
    const { deleteWorktree } = Ending.safeParse(ticket.entry.body).data ?? {};
    return { exit: 'done', ...(deleteWorktree === undefined ? {} : { body: { deleteWorktree } }) };
  },
};

/** Comes first, so that it is there whatever happens to the rest. */
function writeTable(run: Run, ticket: TicketSnapshot): Promise<UatChecklist> {
  return run.step('uat', UatChecklist, async (io) => {
    const table = await uatTable(io, ticket);
    io.save(artifactChange(ticket, uatDocument.kind, yamlText(table)));
    return table;
  });
}

async function lookBack(run: Run, ticket: TicketSnapshot, table: UatChecklist | undefined): Promise<void> {
  try {
    const party = await consult(run, ticket, table);
    await run.step('documents', z.null(), async (io) => saveDocuments(io, ticket, party, table));
  } catch (thrown) {
    if (interrupts(thrown)) throw thrown;
    const { message } = toBeadsmithError(thrown);
    await run.step('unwritten', z.null(), async (io) => {
      const nothing = RetrospectiveAnswer.parse({ handoff: emptyHandoff });
      const report = yamlText(await reportOf(io, ticket, nothing, { skipped: message }));
      io.save(artifactChange(ticket, retrospectiveDocument.kind, report));
      return null;
    });
    throw thrown;
  }
}

function consult(
  run: Run,
  ticket: TicketSnapshot,
  table: UatChecklist | undefined,
): Promise<PartyResult<RetrospectiveAnswer>> {
  return runParty(run, ticket, {
    key: 'party',
    kind: 'retrospective',
    phase,
    commit: (io) => deliveredCommit(io, ticket),
    soloWithOneModel: true,
    call: {
      key: lookBackStep,
      contextKey: 'retrospective',
      member: ticketParts(ticket).settings.mainImplementer,
      sections: async (io) => {
        const stories = await beadStories(io, ticket);
        return [
          { name: 'ticket_metrics', content: metricsText(await metricsOf(io, ticket, stories)) },
          { name: 'bead_stories', content: await told(io, stories) },
          { name: 'criteria', content: table ? criteriaText(table) : '' },
        ];
      },
      ...notQuoted('retrospective', RetrospectiveAnswer, async (io) => [
        ticket.title,
        ticket.description,
        await told(io, await beadStories(io, ticket)),
      ]),
    },
  });
}

function told(io: StepIo, stories: Awaited<ReturnType<typeof beadStories>>): Promise<string> {
  return tellBeads(stories, { cap: storyTokens, count: async (text) => io.ports.tokens.count(text) });
}

async function deliveredCommit(io: StepIo, ticket: TicketSnapshot): Promise<string> {
  const report = await storedJson(io, 'integration_report', IntegrationReport);
  return report?.candidate ?? ticket.baseCommit ?? '';
}

async function saveDocuments(
  io: StepIo,
  ticket: TicketSnapshot,
  party: PartyResult<RetrospectiveAnswer>,
  table: UatChecklist | undefined,
): Promise<null> {
  const answer = mergeRetrospectives(party.answers.map(({ answer: said }) => said));
  const named = evidenceOf(answer.handoff);
  const present =
    named.length === 0 ? [] : await io.ports.git.regularFiles(await deliveredCommit(io, ticket), named);
  const { lists, dropped } = keepFound(answer.handoff, present);
  const handoff: HandoffReport = {
    schema_version: 1,
    ticket_id: ticket.id,
    artifact: handoffDocument.kind,
    ...lists,
    dropped: [...dropped],
  };
  const report = await reportOf(io, ticket, answer, { skipped: '', party: partyNote(party) });
  io.save(artifactChange(ticket, retrospectiveDocument.kind, yamlText(report)));
  io.save(artifactChange(ticket, handoffDocument.kind, yamlText(handoff)));
  if (table) io.save(artifactChange(ticket, uatDocument.kind, yamlText({ ...table, steps: answer.uat })));
  for (const { voice, error } of party.missing) {
    tell(io, `Retrospective without ${voice.name}: ${error.message}`);
  }
  return null;
}

/** `skipped`: why there is no model's part in it. */
async function reportOf(
  io: StepIo,
  ticket: TicketSnapshot,
  { patterns, decisions, gotchas, went_well, went_badly }: RetrospectiveAnswer,
  written: Pick<RetrospectiveReport, 'skipped' | 'party'>,
): Promise<RetrospectiveReport> {
  const stories = await beadStories(io, ticket);
  const count = (text: string): Promise<number> => io.ports.tokens.count(text);
  return {
    schema_version: 1,
    ticket_id: ticket.id,
    artifact: retrospectiveDocument.kind,
    ...written,
    patterns,
    decisions,
    gotchas,
    went_well,
    went_badly,
    metrics: await metricsOf(io, ticket, stories),
    beads: await Promise.all(
      stories.map(async ({ id, title, outcome, iterations, summary }) => {
        return { id, title, outcome, iterations, summary: await cutTo(summary, summaryTokens, count) };
      }),
    ),
  };
}

async function beadStories(io: StepIo, ticket: TicketSnapshot): Promise<readonly BeadStory[]> {
  const records = await readRecords(io);
  const beads = await io.ports.store.beads(ticket.id);
  return Promise.all(
    beads.map(async ({ id, title, status, iteration }) => ({
      id,
      title,
      outcome: outcomeOf(status),
      iterations: iteration,
      summary: await summaryOf(io, id),
      records: records.filter(({ bead }) => bead === id),
    })),
  );
}

async function metricsOf(
  io: StepIo,
  ticket: TicketSnapshot,
  stories: readonly BeadStory[],
): Promise<Metrics> {
  const usage = await io.ports.store.usage(ticket.id);
  const cost = usage.reduce((sum, one) => sum + one.cost, 0);
  const ended = (outcome: BeadStory['outcome']): number =>
    stories.filter((story) => story.outcome === outcome).length;
  const ms = ticket.startedAt === null ? 0 : Math.max(0, io.ports.clock.now() - ticket.startedAt);
  return {
    completed: ended('completed'),
    failed: ended('failed'),
    skipped: ended('skipped'),
    retries: stories.reduce((sum, { iterations }) => sum + iterations - 1, 0),
    minutes: Math.round(ms / 60_000),
    tokens: usage.reduce((sum, one) => sum + tokensOf(one), 0),
    money: cost > 0 ? cost : null,
  };
}

function outcomeOf(status: Bead['status'] | 'skipped'): BeadStory['outcome'] {
  if (status === 'done') return 'completed';
  return status === 'skipped' ? 'skipped' : 'failed';
}

async function summaryOf(io: RecordIo, bead: string): Promise<string> {
  const execution = await newestJson(io, `bead_execution:${bead}`, BeadExecution);
  const failed = (await newestJson(io, `bead_failures:${bead}`, Failures))?.failures ?? [];
  const { summary = '', decisions = [], notes_for_reviewer: notes = [] } = execution?.devRecord ?? {};
  return [
    ...(summary === '' ? [] : [summary]),
    ...failed.map(
      ({ iteration, note }) =>
        `- Iteration ${String(iteration)} failed: ${note.replaceAll(/\s+/gu, ' ').slice(0, 300)}`,
    ),
    ...decisions.map((decision) => `- Decided: ${decision}`),
    ...notes.map((note) => `- Noted: ${note}`),
  ].join('\n');
}

type Row = UatChecklist['criteria'][number];

/**
 * Each criterion with what the engine saw of it, without a model
 * (docs/decisions/139-retrospective-and-handoff.md).
 */
async function uatTable(io: StepIo, ticket: TicketSnapshot): Promise<UatChecklist> {
  const prd = await linkedPrd(io);
  const beads = await io.ports.store.beads(ticket.id);
  const proofs = await newestProofs(io);
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

function criteriaText({ criteria }: UatChecklist): string {
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
  const checklist = await storedJson(io, qaChecklistDocument.kind, QaChecklist);
  const { results = {} } = (await storedJson(io, 'manual_qa_results', QaResults)) ?? {};
  return (checklist?.items ?? []).flatMap(({ id, prdRefs: refs }) => {
    const found = results[id];
    return found ? [{ refs, result: found.result }] : [];
  });
}

function worst(results: readonly Tried['result'][]): Row['tried'] {
  return (['fail', 'waive', 'pass'] as const).find((result) => results.includes(result)) ?? null;
}
