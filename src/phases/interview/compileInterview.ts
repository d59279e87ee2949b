import * as z from 'zod';
import {
  CompiledInterview,
  InterviewDraft,
  type InterviewSession,
  interviewDocument,
} from '../../domain/requirements/interview.ts';
import { readText } from '../../domain/documents/base/text.ts';
import { type Settings, timeoutMs } from '../../domain/settings/settings.ts';
import type { HandlerDefinition, RecordIo } from '../../engine/run/run.ts';
import { yamlText } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { type Parsed, parsedAs } from '../shared/structured/askTypes.ts';
import { ticketParts, takeUserContext } from '../shared/ticket/ticketParts.ts';
import { winnerOf } from '../shared/council/drafts.ts';
import { refineSections, winnerFirst } from '../shared/council/refineContext.ts';
import { saveLedger } from '../shared/council/saveLedger.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { givenAnswers, withEarlierAnswers } from './earlierAnswers.ts';
import { inPhaseOrder, maxFollowUps, maxQuestions, questionsProblem } from './interviewQuestions.ts';
import { cutToCeiling, withWinner } from './keepWinner.ts';

const Kept = CompiledInterview.extend({ restored: z.array(z.string()) });
type Kept = z.infer<typeof Kept>;

/**
 * COMPILING_INTERVIEW: the winner makes the final question list from its draft and the others, in which
 * nothing of its draft gets lost undeclared, and the empty record of the live interview is created.
 */
export const compileInterview: HandlerDefinition<'ready'> = {
  version: 2,
  run: async (run, ticket) => {
    const { settings } = ticketParts(ticket);
    const context = await takeUserContext(run, ticket);
    const winner = await winnerOf(run, interviewDocument.kind);
    const own = await run.record(
      'winner-draft',
      InterviewDraft.shape.questions.or(z.tuple([])),
      winnersQuestions,
    );
    const { value } = await ask(run, ticket, {
      key: 'compile',
      contextKey: 'interview_refine',
      prompt: 'interview-refine',
      member: winner,
      sections: async (io) => [
        ...context,
        ...(await refineSections(io, interviewDocument.kind)),
        ...(await givenAnswers(io)),
        { name: 'counters', content: `max_questions: ${maxQuestions(settings)}` },
      ],
      state: async (io) => ({ drafts: await winnerFirst(io, interviewDocument.kind) }),
      parse: parseCompiled(settings, own),
      result: Kept,
      activeMs: timeoutMs(run.limits.councilResponseTimeout),
    });
    const compiled = { ...value, questions: inPhaseOrder(value.questions) };
    const session: InterviewSession = {
      schemaVersion: 1,
      winner,
      maxFollowUps: maxFollowUps(settings),
      checklist: compiled.questions,
      asked: [],
      settled: [],
      trimmed: [],
      answers: {},
      currentBatch: null,
      summary: null,
    };
    await run.record('record', z.null(), async (io) => {
      const place = { status: ticket.status, attempt: ticket.attempt };
      io.save({ type: 'artifact', artifact: 'interview_compiled', content: yamlText(compiled), ...place });
      io.save({
        type: 'artifact',
        artifact: 'interview_session',
        content: yamlText(await withEarlierAnswers(io, session)),
        ...place,
      });
      await saveLedger(io, ticket, interviewDocument.kind, { questions: compiled.questions });
      return null;
    });
    return { exit: 'ready' };
  },
};

/** The questions of the winner's draft; none if it can't be read. */
async function winnersQuestions(io: RecordIo): Promise<InterviewDraft['questions'] | []> {
  const [draft = ''] = await winnerFirst(io, interviewDocument.kind);
  const read = readText('yaml', draft);
  return InterviewDraft.safeParse(read.ok ? read.value : undefined).data?.questions ?? [];
}

/**
 * The compiled list with what it lost. Where both together are more than may be asked, the model chooses; if
 * it doesn't, its own additions give way.
 */
function parseCompiled(settings: Settings, own: InterviewDraft['questions']): (text: string) => Parsed<Kept> {
  const read = parseStructured({ schema: CompiledInterview, check: questionsProblem(settings) });
  const most = maxQuestions(settings);
  return (text) => {
    const parsed = parsedAs(read(text), (compiled): Kept => withWinner(own, compiled));
    if (!parsed.ok || parsed.value.questions.length <= most) return parsed;
    const { questions, restored } = parsed.value;
    const lost = questions
      .filter(({ id }) => restored.includes(id))
      .map(({ id, question }) => `- ${id}: ${question}`);
    const problem = `questions: these of your draft are neither in the list nor listed as removed, and with them there are more than ${most}:\n${lost.join('\n')}`;
    return { ok: false, problem, fallback: cutToCeiling(own, parsed.value, most) };
  };
}
