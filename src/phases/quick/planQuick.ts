import * as z from 'zod';
import { Blueprint, NewBead } from '../../domain/beads/bead.ts';
import { hydrateBeads } from '../../domain/beads/readPlan.ts';
import {
  Interview,
  interviewDocument,
  BatchQuestion,
  choiceProblem,
} from '../../domain/requirements/interview.ts';
import { normalPrd, prdDocument, PrdDraft, prdBody } from '../../domain/requirements/prd.ts';
import { inFull, timeoutMs } from '../../domain/settings/settings.ts';
import { type TicketSnapshot, ticketTextHash } from '../../domain/ticket/ticket.ts';
import type { HandlerDefinition, RecordIo, Run } from '../../engine/run/run.ts';
import { artifactChange, storedDocument, yamlText } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { parsedAs, type Parsed } from '../shared/structured/askTypes.ts';
import { takeUserContext, ticketParts } from '../shared/ticket/ticketParts.ts';
import { regenerateNote } from '../shared/panel/drafts.ts';
import { saveBeads } from '../shared/ticket/saveBeads.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { repeatedIds } from '../../domain/documents/base/check.ts';
import { refsProblem } from '../../domain/requirements/criteria.ts';
import { holeText } from '../../domain/links/holes.ts';
import { linksOf } from '../../domain/links/links.ts';

/** A model that has more questions needs an interview. */
const mostQuestions = 3;

export const QuickPlan = z.object({ prd: PrdDraft, beads: z.array(NewBead).min(1).max(50) });
export type QuickPlan = z.infer<typeof QuickPlan>;

export const QuickQuestions = z.object({
  ai_commentary: z.string().max(4_000).default(''),
  questions: z.array(BatchQuestion).min(1).max(50),
});
export type QuickQuestions = z.infer<typeof QuickQuestions>;

const AskedQuestion = z.object({ id: z.string(), prompt: z.string(), skipped: z.boolean() });
type AskedQuestion = z.infer<typeof AskedQuestion>;

const Reply = z.union([
  z.object({ type: z.literal('plan'), plan: QuickPlan }),
  z.object({ type: z.literal('questions'), asked: QuickQuestions }),
]);
type Reply = z.infer<typeof Reply>;

/**
 * PLANNING_QUICK: one model writes PRD and beads in one call, or first asks, once
 * (docs/decisions/103-quick-tickets.md). With too many questions the ticket is planned in full.
 */
export const planQuick: HandlerDefinition<'ready' | 'questions' | 'full'> = {
  version: 1,
  run: async (run, ticket) => {
    const { settings } = ticketParts(ticket);
    const sections = [...(await takeUserContext(run, ticket)), ...regenerateNote(ticket)];
    const hasAsked = ticket.artifacts[interviewDocument.kind] !== undefined;
    const asked = hasAsked ? await run.record('asked', z.array(AskedQuestion), askedQuestions) : [];
    const { value } = await ask(run, ticket, {
      key: 'plan',
      contextKey: 'quick_plan',
      prompt: 'quick-plan',
      member: settings.mainImplementer,
      sections,
      parse: parseReply(hasAsked, asked),
      result: Reply,
      activeMs: timeoutMs(run.limits.councilResponseTimeout),
    });
    if (value.type === 'plan') {
      await savePlan(run, ticket, value.plan);
      return { exit: 'ready' };
    }
    const { questions } = value.asked;
    if (questions.length > mostQuestions)
      return { exit: 'full', patch: { settings: inFull(settings) }, body: { questions: questions.length } };
    await run.record('questions', z.null(), (io) => {
      io.save(artifactChange(ticket, 'quick_questions', yamlText(value.asked)));
      return null;
    });
    return { exit: 'questions' };
  },
};

async function askedQuestions(io: RecordIo): Promise<AskedQuestion[]> {
  const { questions } = (await storedDocument(io, interviewDocument.kind, Interview)).document;
  return questions.map(({ id, prompt, answer }) => ({ id, prompt, skipped: answer.skipped }));
}

/** Reads one of the two blocks: the last one counts. After the answers there is only the plan. */
function parseReply(hasAsked: boolean, known: readonly AskedQuestion[]): (text: string) => Parsed<Reply> {
  const readPlan = parseStructured({
    tag: 'QUICK_PLAN',
    schema: QuickPlan,
    check: (plan) => quickPlanProblem(plan, known),
  });
  const readQuestions = parseStructured({
    tag: 'QUICK_QUESTIONS',
    schema: QuickQuestions,
    check: (asked) =>
      hasAsked
        ? 'The questions were answered. Write the plan now, and list what stays open under risks.'
        : quickQuestionsProblem(asked),
  });
  return (text) => {
    const upper = text.toUpperCase();
    const asks = upper.lastIndexOf('<QUICK_QUESTIONS>') > upper.lastIndexOf('<QUICK_PLAN>');
    if (asks) return parsedAs(readQuestions(text), (asked) => ({ type: 'questions', asked }) as const);
    return parsedAs(readPlan(text), (plan) => ({ type: 'plan', plan }) as const);
  };
}

async function savePlan(run: Run, ticket: TicketSnapshot, { prd, beads }: QuickPlan): Promise<void> {
  await run.record('record', z.null(), (io) => {
    const source = ticket.artifacts[interviewDocument.kind]?.sha256 ?? ticketTextHash(ticket);
    const document = normalPrd(prd, { ticketId: ticket.id, interviewSha256: source });
    io.save(artifactChange(ticket, prdDocument.kind, yamlText(document)));
    const { id, status, attempt } = ticket;
    saveBeads(io, hydrateBeads(Blueprint.parse({ beads }), beads, id), { status, attempt });
    return null;
  });
}

/** `asked`: questions of which each that was answered has to lead to a story. */
function quickPlanProblem({ prd, beads }: QuickPlan, asked: readonly AskedQuestion[]): string | undefined {
  const ids = beads.map(({ id }) => id);
  const skipped = asked.filter((question) => question.skipped).map(({ id }) => id);
  const { holes } = linksOf({ questions: asked, prd: prdBody(prd), beads });
  const problems = [
    repeatedIds('beads', ids),
    ...beads.map((bead, place) => {
      const odd = bead.dependencies.blocked_by.filter((id) => !ids.slice(0, place).includes(id));
      return odd.length === 0
        ? undefined
        : `${bead.id}: blocked_by names ${odd.join(', ')}, which is no earlier bead.`;
    }),
    ...holes
      .filter(({ kind, id }) => kind !== 'unknownName' && (kind !== 'question' || !skipped.includes(id)))
      .map(holeText),
    refsProblem(beads, prdBody(prd)),
  ].filter((problem) => problem !== undefined);
  return problems.length === 0 ? undefined : problems.slice(0, 10).join('\n');
}

function quickQuestionsProblem({ questions }: QuickQuestions): string | undefined {
  const ids = questions.map(({ id }) => id);
  return repeatedIds('questions', ids) ?? choiceProblem('questions', questions);
}
