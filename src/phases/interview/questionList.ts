import * as z from 'zod';
import {
  InterviewDraft,
  interviewDocument,
  CompiledInterview,
  type InterviewSession,
} from '../../domain/requirements/interview.ts';
import { timeoutMs, type Settings } from '../../domain/settings/settings.ts';
import type { HandlerDefinition, RecordIo } from '../../engine/run/run.ts';
import { artifactChange, yamlText } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { ticketParts, takeUserContext } from '../shared/ticket/ticketParts.ts';
import { regenerateNote, winnerOf } from '../shared/council/drafts.ts';
import { runCouncil } from '../shared/council/runCouncil.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { givenAnswers, withEarlierAnswers } from './earlierAnswers.ts';
import {
  inPhaseOrder,
  maxQuestions,
  questionsProblem,
  maxFollowUps,
  isSimilar,
  sameWords,
} from './interviewQuestions.ts';
import { readText } from '../../domain/documents/base/text.ts';
import { type Parsed, parsedAs } from '../shared/structured/askTypes.ts';
import { refineSections, winnerFirst } from '../shared/council/refineContext.ts';
import { saveLedger } from '../shared/council/saveLedger.ts';

/**
 * COUNCIL_DELIBERATING: every member drafts the questions it would ask
 * (docs/decisions/018-council-drafts-and-quorum.md).
 */
export const draftInterview: HandlerDefinition<'ready'> = {
  version: 1,
  run: async (run, ticket) => {
    const { settings } = ticketParts(ticket);
    const sections = [
      ...(await takeUserContext(run, ticket)),
      ...regenerateNote(ticket),
      { name: 'counters', content: `max_questions: ${maxQuestions(settings)}` } as const,
    ];
    await runCouncil(run, ticket, interviewDocument.kind, async (branch, member, onProviderFailure, lens) => {
      const { value } = await ask(branch, ticket, {
        key: 'draft',
        contextKey: 'interview_draft',
        prompt: 'interview-draft',
        member,
        sections: async (io) => [...sections, ...lens, ...(await givenAnswers(io))],
        parse: parseStructured({ schema: InterviewDraft, check: questionsProblem(settings) }),
        result: InterviewDraft,
        activeMs: timeoutMs(run.limits.councilResponseTimeout),
        onProviderFailure,
      });
      const questions = inPhaseOrder(value.questions);
      return { content: yamlText({ questions }), metrics: { questionCount: questions.length } };
    });
    return { exit: 'ready' };
  },
};

/**
 * A compiled list that lost nothing of the winner's draft without saying so. `restored`: the ids of what was
 * put back.
 */
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
    const Own = InterviewDraft.shape.questions.or(z.tuple([]));
    const own = await run.record('winner-draft', Own, winnersQuestions);
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
      io.save(artifactChange(ticket, 'interview_compiled', yamlText(compiled)));
      const record = yamlText(await withEarlierAnswers(io, session));
      io.save(artifactChange(ticket, 'interview_session', record));
      await saveLedger(io, ticket, interviewDocument.kind, { questions: compiled.questions });
      return null;
    });
    return { exit: 'ready' };
  },
};

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

type Questions = InterviewDraft['questions'];
type Change = CompiledInterview['changes'][number];

/**
 * Puts back every question of the winner's draft that is neither in the compiled list nor among its declared
 * changes (docs/decisions/020-refining-the-winner.md).
 */
function withWinner(winner: Questions, { questions, changes }: CompiledInterview): Kept {
  const lost = winner.filter(
    (question) => !isThere(questions, question) && !changes.some((change) => declares(change, question)),
  );
  const ids = new Set([...questions, ...winner].map(({ id }) => id));
  const restored = lost.map((question) => {
    if (!questions.some(({ id }) => id === question.id)) return question;
    const id = nextId(ids);
    ids.add(id);
    return { ...question, id };
  });
  return { questions: [...questions, ...restored], changes, restored: restored.map(({ id }) => id) };
}

/**
 * The same list with at most so many questions: the last of those that the winner didn't have give way, and
 * are listed as removed.
 */
function cutToCeiling(winner: Questions, kept: Kept, most: number): Kept {
  const added = kept.questions.filter((question) => !isThere(winner, question));
  const cut = new Set(added.slice(Math.max(0, added.length - (kept.questions.length - most))));
  const removed = [...cut].map(({ id, question }): Change => {
    const before = `${id}: ${question}`;
    return { type: 'removed', item_type: 'question', before, after: null, inspiration: null };
  });
  return {
    ...kept,
    questions: kept.questions.filter((question) => !cut.has(question)),
    changes: [...kept.changes, ...removed],
  };
}

function isThere(questions: Questions, { id, question }: Questions[number]): boolean {
  return questions.some(
    (other) =>
      sameWords(other.question, question) || (other.id === id && isSimilar(other.question, question)),
  );
}

/** Returns true if a change says that this question was changed or left out. */
function declares({ type, before }: Change, { id, question }: Questions[number]): boolean {
  if (type !== 'modified' && type !== 'replaced' && type !== 'removed') return false;
  const said = typeof before === 'string' ? before : JSON.stringify(before ?? '');
  return new RegExp(`(?<![\\w-])${id}(?![\\w-])`).test(said) || said.includes(question);
}

function nextId(taken: ReadonlySet<string>): string {
  const highest = Math.max(0, ...[...taken].map((id) => Number(/^Q(\d+)$/.exec(id)?.[1] ?? 0)));
  return `Q${String(highest + 1).padStart(2, '0')}`;
}
