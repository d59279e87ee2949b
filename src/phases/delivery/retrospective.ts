import * as z from 'zod';
import { type HandoffReport, handoffDocument } from '../../domain/documents/handoffReport.ts';
import { type RetrospectiveReport, retrospectiveDocument } from '../../domain/documents/retrospectiveReport.ts';
import { UatChecklist, uatDocument } from '../../domain/documents/uatChecklist.ts';
import { toBeadsmithError } from '../../domain/errors.ts';
import { emptyHandoff, evidenceOf, keepFound } from '../../domain/handoff/handoff.ts';
import { IntegrationReport } from '../../domain/reports.ts';
import { RetrospectiveAnswer } from '../../domain/retrospective/answer.ts';
import { cutTo, storyTokens, summaryTokens, tellBeads } from '../../domain/retrospective/beadStory.ts';
import { metricsText } from '../../domain/retrospective/metrics.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import { interrupts } from '../../engine/run/branches.ts';
import type { HandlerDefinition, Run, StepIo } from '../../engine/run/run.ts';
import { artifactChange, readJson, yamlText } from '../shared/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { ticketParts } from '../shared/ask/ticketParts.ts';
import { optionalPhase, phaseBounds } from '../shared/optionalPhase.ts';
import { readInScratch } from '../shared/proof/scratch.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { beadStories, metricsOf } from './beadStories.ts';
import { Ending } from './review.ts';
import { criteriaText, uatTable } from './uatTable.ts';

const phase = 'retrospective';

/**
 * Looks back at a ticket that is merged or closed (docs/decisions/139-retrospective-and-handoff.md): a retrospective, a handoff for later tickets, and what
 * a person checks by hand. An optional phase: it never holds the ticket up, and does nothing where it is off.
 */
export const retrospective: HandlerDefinition<'done'> = {
  version: 1,
  run: async (run, ticket) => {
    if (ticketParts(ticket).settings.retrospective) {
      const table = await optionalPhase(run, ticket, { phase: 'user acceptance test' }, () => writeTable(run, ticket));
      await optionalPhase(run, ticket, { phase }, () => lookBack(run, ticket, table));
    }
    const { deleteWorktree } = Ending.safeParse(ticket.entry.body).data ?? {};
    return { exit: 'done', ...(deleteWorktree === undefined ? {} : { body: { deleteWorktree } }) };
  },
};

/** What the engine can say by itself is written first: it is there whatever becomes of the rest. */
function writeTable(run: Run, ticket: TicketSnapshot): Promise<UatChecklist> {
  return run.step('uat', UatChecklist, async (io) => {
    const table = await uatTable(io, ticket);
    io.save(artifactChange(ticket, uatDocument.kind, yamlText(table)));
    return table;
  });
}

async function lookBack(run: Run, ticket: TicketSnapshot, table: UatChecklist | undefined): Promise<void> {
  try {
    const { value } = await ask(run, ticket, {
      key: 'look-back',
      contextKey: 'retrospective',
      prompt: 'retrospective',
      member: ticketParts(ticket).settings.mainImplementer,
      sections: async (io) => {
        const stories = await beadStories(io, ticket);
        const count = (text: string): Promise<number> => io.ports.tokens.count(text);
        return [
          { name: 'ticket_metrics', content: metricsText(await metricsOf(io, ticket, stories)) },
          { name: 'bead_stories', content: await tellBeads(stories, { cap: storyTokens, count }) },
          { name: 'criteria', content: table ? criteriaText(table) : '' },
        ];
      },
      parse: parseStructured({ schema: RetrospectiveAnswer }),
      result: RetrospectiveAnswer,
      place: async (io) => readInScratch(io, ticket, await deliveredCommit(io, ticket)),
      ...phaseBounds(run.limits, phase),
    });
    await run.step('documents', z.null(), async (io) => saveDocuments(io, ticket, value, table));
  } catch (thrown) {
    if (interrupts(thrown)) throw thrown;
    const { message } = toBeadsmithError(thrown);
    await run.step('unwritten', z.null(), async (io) => {
      const nothing = RetrospectiveAnswer.parse({ handoff: emptyHandoff });
      io.save(artifactChange(ticket, retrospectiveDocument.kind, yamlText(await reportOf(io, ticket, nothing, message))));
      return null;
    });
    throw thrown;
  }
}

/** The commit that was delivered: its files are what the model reads and may refer to. */
async function deliveredCommit(io: StepIo, ticket: TicketSnapshot): Promise<string> {
  const report = readJson(IntegrationReport, (await io.ports.store.artifact(ticket.id, 'integration_report'))?.content);
  return report?.candidate ?? ticket.baseCommit ?? '';
}

async function saveDocuments(
  io: StepIo,
  ticket: TicketSnapshot,
  answer: RetrospectiveAnswer,
  table: UatChecklist | undefined,
): Promise<null> {
  const named = evidenceOf(answer.handoff);
  const present = named.length === 0 ? [] : await io.ports.git.regularFiles(await deliveredCommit(io, ticket), named);
  const { lists, dropped } = keepFound(answer.handoff, present);
  const handoff: HandoffReport = {
    schema_version: 1,
    ticket_id: ticket.id,
    artifact: handoffDocument.kind,
    ...lists,
    dropped: [...dropped],
  };
  io.save(artifactChange(ticket, retrospectiveDocument.kind, yamlText(await reportOf(io, ticket, answer, ''))));
  io.save(artifactChange(ticket, handoffDocument.kind, yamlText(handoff)));
  if (table) io.save(artifactChange(ticket, uatDocument.kind, yamlText({ ...table, steps: answer.uat })));
  return null;
}

/** The retrospective; `skipped`: why there is no model's part in it. */
async function reportOf(
  io: StepIo,
  ticket: TicketSnapshot,
  { patterns, decisions, gotchas, went_well, went_badly }: RetrospectiveAnswer,
  skipped: string,
): Promise<RetrospectiveReport> {
  const stories = await beadStories(io, ticket);
  const count = (text: string): Promise<number> => io.ports.tokens.count(text);
  return {
    schema_version: 1,
    ticket_id: ticket.id,
    artifact: retrospectiveDocument.kind,
    skipped,
    ...{ patterns, decisions, gotchas, went_well, went_badly },
    metrics: await metricsOf(io, ticket, stories),
    beads: await Promise.all(
      stories.map(async ({ id, title, outcome, iterations, summary }) => {
        return { id, title, outcome, iterations, summary: await cutTo(summary, summaryTokens, count) };
      }),
    ),
  };
}
