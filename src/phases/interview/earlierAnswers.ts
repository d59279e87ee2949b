import { parse, stringify } from 'yaml';
import type { Section } from '../../context/sections.ts';
import {
  Interview,
  type InterviewQuestion,
  type InterviewSession,
  interviewDocument,
} from '../../domain/requirements/interview.ts';
import type { RecordIo } from '../../engine/run/run.ts';
import { newestArtifact } from '../shared/ticket/artifacts.ts';
import { finalQuestionId, sameQuestion } from './interviewQuestions.ts';
import type { AskedQuestion } from './interviewState.ts';

/** The interview that this one replaces, archived by the regenerate; undefined if it is the first. */
async function earlierInterview(io: RecordIo): Promise<Interview | undefined> {
  const newest = await newestArtifact(io, interviewDocument.kind);
  return newest && Interview.safeParse(parse(newest.content)).data;
}

/**
 * Returns the person's answers in the interview before, for those who draft and compile its questions again;
 * nothing in the first interview.
 */
export async function givenAnswers(io: RecordIo): Promise<readonly Section[]> {
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
 * An empty record with the answers of the interview before (docs/decisions/021-interview.md): under the ids
 * of the questions that come again, and as given facts, `E01` and so on, where none does. Each keeps the
 * words that were answered.
 */
export async function withEarlierAnswers(io: RecordIo, session: InterviewSession): Promise<InterviewSession> {
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

/** Returns the ids of the new list's questions that were merged into this question before. */
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
