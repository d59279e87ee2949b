import {
  type Interview,
  type InterviewSession,
  interviewDocument,
} from '../../domain/requirements/interview.ts';
import { notAsked } from '../../domain/requirements/interviewChecklist.ts';
import { finalQuestionId } from './interviewQuestions.ts';
import type { AskedQuestion } from './interviewState.ts';

/**
 * `interview.yaml` from the record of the live interview (docs/decisions/021-interview.md): questions in the
 * order they were asked, answers as they were given. A model contributes nothing but the summary's goals,
 * constraints and non-goals.
 */
export function buildInterview(session: InterviewSession, ticketId: string, at: string): Interview {
  return {
    schema_version: 1,
    ticket_id: ticketId,
    artifact: interviewDocument.kind,
    status: 'draft',
    generated_by: { winner_model: session.winner, generated_at: at, canonicalization: 'server_normalized' },
    questions: session.asked.map((question) => {
      const { batch: _batch, ...answer } = session.answers[question.id] ?? unanswered(at);
      const follows = question.source === 'prompt_follow_up' || question.source === 'coverage_follow_up';
      return {
        id: question.id,
        phase: question.phase,
        prompt: question.question,
        source: question.source,
        follow_up_round: follows ? question.round : null,
        answer_type: question.answer_type,
        options: question.options,
        covers: question.covers,
        answer,
      };
    }),
    ...notAsked(session),
    follow_up_rounds: rounds(session.asked),
    summary: {
      goals: session.summary?.goals ?? [],
      constraints: session.summary?.constraints ?? [],
      non_goals: session.summary?.non_goals ?? [],
      final_free_form_answer: session.answers[finalQuestionId]?.free_text ?? '',
    },
    approval: { approved_by: '', approved_at: '' },
  };
}

function unanswered(at: string): InterviewSession['answers'][string] {
  return {
    skipped: true,
    selected_option_ids: [],
    free_text: '',
    answered_by: 'user',
    answered_at: at,
    batch: 0,
  };
}

function rounds(asked: readonly AskedQuestion[]): Interview['follow_up_rounds'] {
  const found = new Map<number, Interview['follow_up_rounds'][number]>();
  for (const { id, source, round } of asked) {
    if (source !== 'prompt_follow_up' && source !== 'coverage_follow_up') continue;
    const entry = found.get(round) ?? {
      round_number: round,
      source: source === 'coverage_follow_up' ? 'coverage' : 'prompt',
      question_ids: [],
    };
    found.set(round, { ...entry, question_ids: [...entry.question_ids, id] });
  }
  return [...found.values()].sort((a, b) => a.round_number - b.round_number);
}
