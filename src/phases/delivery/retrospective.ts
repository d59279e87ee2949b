import * as z from 'zod';
import { type HandoffReport, handoffDocument } from '../../domain/documents/handoffReport.ts';
import {
  type RetrospectiveReport,
  retrospectiveDocument,
} from '../../domain/documents/retrospectiveReport.ts';
import { UatChecklist, uatDocument } from '../../domain/documents/uatChecklist.ts';
import { toBeadsmithError } from '../../domain/core/errors.ts';
import { emptyHandoff, evidenceOf, keepFound } from '../../domain/handoff/handoff.ts';
import { IntegrationReport } from '../../domain/beads/reports.ts';
import { RetrospectiveAnswer } from '../../domain/retrospective/answer.ts';
import { cutTo, storyTokens, summaryTokens, tellBeads } from '../../domain/records/beadStory.ts';
import { mergeRetrospectives } from '../../domain/retrospective/mergeAnswers.ts';
import { metricsText } from '../../domain/records/metrics.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import { interrupts } from '../../engine/run/branches.ts';
import type { HandlerDefinition, Run, StepIo } from '../../engine/run/run.ts';
import { artifactChange, readJson, yamlText } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { optionalPhase, phaseBounds } from '../shared/optionalPhase.ts';
import { partyNote, type PartyResult, runParty } from '../shared/party/runParty.ts';
import { readInScratch } from '../shared/proof/scratch.ts';
import { lookBackStep } from '../shared/worktree/sessions.ts';
import { notQuoted } from '../shared/structured/notQuoted.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { beadStories, metricsOf } from './beadStories.ts';
import { Ending } from './review.ts';
import { criteriaText, uatTable } from './uatTable.ts';

const phase = 'retrospective';

/**
 * Looks back at a ticket that is merged or closed (docs/decisions/139-retrospective-and-handoff.md): a
 * retrospective, a handoff for later tickets, and what a person checks by hand. An optional phase: it never
 * holds the ticket up, and does nothing where it is off.
 */
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

/**
 * Writes what the engine can say by itself. It comes first, so that it is there whatever happens to the rest.
 */
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
      io.save(
        artifactChange(
          ticket,
          retrospectiveDocument.kind,
          yamlText(await reportOf(io, ticket, nothing, { skipped: message })),
        ),
      );
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
  // The sessions of all personas share one place, which is made once: making it again would take files away
  // from those who read.
  let made: Promise<string> | undefined;
  return runParty(run, ticket, {
    key: 'party',
    kind: 'retrospective',
    soloWithOneModel: true,
    question: {
      key: lookBackStep,
      contextKey: 'retrospective',
      prompt: 'retrospective',
      member: ticketParts(ticket).settings.mainImplementer,
      sections: async (io) => {
        const stories = await beadStories(io, ticket);
        return [
          { name: 'ticket_metrics', content: metricsText(await metricsOf(io, ticket, stories)) },
          { name: 'bead_stories', content: await told(io, stories) },
          { name: 'criteria', content: table ? criteriaText(table) : '' },
        ];
      },
      parse: notQuoted(parseStructured({ schema: RetrospectiveAnswer }), 'retrospective', async (io) => [
        ticket.title,
        ticket.description,
        await told(io, await beadStories(io, ticket)),
      ]),
      result: RetrospectiveAnswer,
      place: (io) =>
        (made ??= deliveredCommit(io, ticket).then((commit) => readInScratch(io, ticket, commit))),
      ...phaseBounds(run.limits, phase),
    },
  });
}

function told(io: StepIo, stories: Awaited<ReturnType<typeof beadStories>>): Promise<string> {
  return tellBeads(stories, { cap: storyTokens, count: async (text) => io.ports.tokens.count(text) });
}

/** The commit that was delivered: its files are what the model reads and may refer to. */
async function deliveredCommit(io: StepIo, ticket: TicketSnapshot): Promise<string> {
  const report = readJson(
    IntegrationReport,
    (await io.ports.store.artifact(ticket.id, 'integration_report'))?.content,
  );
  return report?.candidate ?? ticket.baseCommit ?? '';
}

async function saveDocuments(
  io: StepIo,
  ticket: TicketSnapshot,
  party: PartyResult<RetrospectiveAnswer>,
  table: UatChecklist | undefined,
): Promise<null> {
  const answer = mergeRetrospectives(party.voices.map(({ answer: said }) => said.value));
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
  io.save(
    artifactChange(
      ticket,
      retrospectiveDocument.kind,
      yamlText(await reportOf(io, ticket, answer, { skipped: '', party: partyNote(party) })),
    ),
  );
  io.save(artifactChange(ticket, handoffDocument.kind, yamlText(handoff)));
  if (table) io.save(artifactChange(ticket, uatDocument.kind, yamlText({ ...table, steps: answer.uat })));
  for (const { participant, reason } of party.missing) {
    const text = `Retrospective without ${participant.name}: ${reason}`;
    io.ports.events.emit({
      type: 'activity',
      ticket: ticket.id,
      at: io.ports.clock.now(),
      source: 'engine',
      kind: 'info',
      text,
    });
  }
  return null;
}

/** The retrospective; `skipped`: why there is no model's part in it. */
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
