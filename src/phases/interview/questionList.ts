import * as z from 'zod';
import {
  InterviewDraft,
  interviewDocument,
  CompiledInterview,
  type InterviewSession,
  Interview,
  type InterviewQuestion,
} from '../../domain/requirements/interview.ts';
import { timeoutMs, type Settings } from '../../domain/settings/settings.ts';
import type { HandlerDefinition, RecordIo } from '../../engine/run/run.ts';
import { artifactChange, yamlText, newestArtifact } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { ticketParts, takeUserContext } from '../shared/ticket/ticketParts.ts';
import { regenerateNote, winnerOf } from '../shared/panel/drafts.ts';
import { runCouncil } from '../shared/panel/runCouncil.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import {
  inPhaseOrder,
  maxQuestions,
  questionsProblem,
  maxFollowUps,
  isSimilar,
  sameWords,
  finalQuestionId,
  sameQuestion,
} from './interviewQuestions.ts';
import { readText } from '../../domain/documents/base/text.ts';
import { type Parsed, parsedAs } from '../shared/structured/askTypes.ts';
import { refineSections, winnerFirst } from '../shared/panel/refineContext.ts';
import { saveLedger } from '../shared/panel/saveLedger.ts';
import { parse, stringify } from 'yaml';
import type { Section } from '../../context/sections.ts';
import type { AskedQuestion } from './interviewState.ts';

/** COUNCIL_DELIBERATING (docs/decisions/018-council-drafts-and-quorum.md). */
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

/** `restored`: ids of questions of the winner's draft that were put back. */
const Kept = CompiledInterview.extend({ restored: z.array(z.string()) });
type Kept = z.infer<typeof Kept>;

/** COMPILING_INTERVIEW: the winner makes the question list, and loses nothing of its draft undeclared. */
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
 * The list with what it lost. If that is too much and the model doesn't choose, its own additions give way.
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

/** Puts back what a list lost without saying so (docs/decisions/020-refining-the-winner.md). */
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

/** The last of the questions that the winner didn't have give way, and are listed as removed. */
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

function declares({ type, before }: Change, { id, question }: Questions[number]): boolean {
  if (type !== 'modified' && type !== 'replaced' && type !== 'removed') return false;
  const said = typeof before === 'string' ? before : JSON.stringify(before ?? '');
  return new RegExp(`(?<![\\w-])${id}(?![\\w-])`).test(said) || said.includes(question);
}

function nextId(taken: ReadonlySet<string>): string {
  const highest = Math.max(0, ...[...taken].map((id) => Number(/^Q(\d+)$/.exec(id)?.[1] ?? 0)));
  return `Q${String(highest + 1).padStart(2, '0')}`;
}

/** The interview that this one replaces. */
async function earlierInterview(io: RecordIo): Promise<Interview | undefined> {
  const newest = await newestArtifact(io, interviewDocument.kind);
  return newest && Interview.safeParse(parse(newest.content)).data;
}

async function givenAnswers(io: RecordIo): Promise<readonly Section[]> {
  const questions = (await earlierInterview(io))?.questions ?? [];
  const given = questions.flatMap(({ id, prompt, options, answer }): object[] => {
    if (answer.skipped)
      return answer.skip_reason === undefined
        ? []
        : [{ id, question: prompt, skipped: answer.skip_reason.slice(0, 500) }];
    const selected = options
      .filter((option) => answer.selected_option_ids.includes(option.id))
      .map(({ label }) => label);
    return [
      {
        id,
        question: prompt,
        ...(selected.length > 0 ? { selected } : {}),
        ...(answer.free_text === '' ? {} : { text: answer.free_text }),
      },
    ];
  });
  return given.length === 0
    ? []
    : [{ name: 'given_answers', content: stringify({ given_answers: given }, { lineWidth: 0 }) }];
}

/**
 * A record with the answers of the interview before (docs/decisions/021-interview.md): under the ids of
 * questions that come again, else as given facts, `E01` and so on.
 */
async function withEarlierAnswers(io: RecordIo, session: InterviewSession): Promise<InterviewSession> {
  const earlier = await earlierInterview(io);
  if (!earlier) return session;
  const taken = new Set<string>([finalQuestionId]);
  const asked: AskedQuestion[] = [];
  const answers: InterviewSession['answers'] = {};
  for (const question of earlier.questions.filter(({ answer }) => !answer.skipped)) {
    const again = session.checklist.find(
      (item) => !taken.has(item.id) && sameQuestion(worded(item), worded(question)),
    );
    const isFinal = question.id === finalQuestionId;
    const id = again?.id ?? (isFinal ? finalQuestionId : freeId(session, taken));
    taken.add(id);
    asked.push({
      id,
      phase: again?.phase ?? question.phase,
      question: question.prompt,
      priority: 'medium',
      rationale: '',
      answer_type: question.answer_type,
      options: question.options,
      covers: coversOf(session, earlier, question),
      source: isFinal ? 'final_free_form' : again ? 'compiled' : 'earlier',
      round: 0,
      batch: 0,
    });
    answers[id] = { ...question.answer, batch: 0 };
  }
  return { ...session, asked, answers };
}

function coversOf(
  { checklist }: InterviewSession,
  { merged }: Interview,
  { id }: InterviewQuestion,
): string[] {
  const into = merged.filter((one) => one.into === id);
  return checklist
    .filter((item) => into.some((one) => sameQuestion(worded(item), worded(one))))
    .map((item) => item.id);
}

function freeId({ checklist }: InterviewSession, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const id = `E${String(number).padStart(2, '0')}`;
    if (!taken.has(id) && !checklist.some((item) => item.id === id)) return id;
  }
}

function worded(
  question:
    { readonly id: string; readonly question: string } | { readonly id: string; readonly prompt: string },
): {
  readonly id: string;
  readonly text: string;
} {
  return { id: question.id, text: 'question' in question ? question.question : question.prompt };
}
