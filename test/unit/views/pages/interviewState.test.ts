import assert from 'node:assert/strict';
import { InterviewSession } from '../../../../src/domain/requirements/interview.ts';
import type { TicketDetail } from '../../../../src/protocol/api.ts';
import { InterviewState } from '../../../../src/protocol/pages/interview.ts';
import { interviewState } from '../../../../src/views/pages/interviewState.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';

const asked = (id: string, source = 'compiled'): object => ({
  id,
  question: `${id}?`,
  source,
  round: 0,
  batch: 1,
});
const given = {
  skipped: false,
  selected_option_ids: [],
  free_text: 'Yes.',
  answered_by: 'user',
  answered_at: '',
  batch: 1,
};
const session = (changes: object = {}): InterviewSession =>
  InterviewSession.parse({
    schemaVersion: 1,
    winner: 'a/b',
    maxFollowUps: 2,
    summary: null,
    checklist: ['Q01', 'Q02', 'Q03'].map((id) => ({ id, phase: 'foundation', question: `${id}?` })),
    asked: [asked('Q01'), asked('Q02')],
    answers: { Q01: given },
    currentBatch: { number: 1, source: 'prompt', questionIds: ['Q01', 'Q02'], commentary: 'Well.' },
    ...changes,
  });
const detail = (
  changes: Parameters<typeof ticketView>[0] = {},
  error: TicketDetail['error'] = null,
): TicketDetail =>
  ({ view: ticketView({ status: 'WAITING_INTERVIEW_ANSWERS', ...changes }), error }) as TicketDetail;
const phase = (from: TicketDetail, record: InterviewSession | undefined): string =>
  interviewState(from, record, '').phase;

describe('the state of the interview page', () => {
  it('holds what is open, what was answered, and how much there is to come', () => {
    const state = InterviewState.parse(interviewState(detail(), session(), ''));
    assert.deepEqual(state.batch, { number: 1, commentary: 'Well.', openIds: ['Q02'] });
    assert.deepEqual(
      state.questions.map(({ id, answer }) => [id, answer?.free_text]),
      [
        ['Q01', 'Yes.'],
        ['Q02', undefined],
      ],
    );
    assert.equal(state.expected, 4, 'two asked, one left of the checklist, and the last one');
    assert.equal(
      interviewState(detail(), session({ asked: [asked('Q01'), asked('QFF1', 'final_free_form')] }), '')
        .expected,
      4,
    );
    assert.equal(
      interviewState(
        detail(),
        session({
          summary: { goals: [], constraints: [], non_goals: [], final_free_form_answer: '' },
          currentBatch: null,
        }),
        '',
      ).expected,
      2,
    );
  });

  it('knows whose turn it is', () => {
    const error = { code: 'PROVIDER_ERROR', message: 'It failed.', nextStep: 'Retry.', continuable: true };
    assert.equal(phase(detail({ status: 'COMPILING_INTERVIEW' }), undefined), 'early');
    assert.equal(phase(detail(), session()), 'asking');
    assert.equal(phase(detail(), session({ answers: { Q01: given, Q02: given } })), 'thinking');
    assert.equal(
      phase(detail({ status: 'VERIFYING_INTERVIEW_COVERAGE' }), session({ currentBatch: null })),
      'thinking',
    );
    assert.equal(phase(detail({ hold: 'paused' }), session()), 'stopped');
    assert.equal(phase(detail({ status: 'WAITING_PRD_APPROVAL' }), session({ currentBatch: null })), 'over');
    const blocked = interviewState(
      detail({ status: 'BLOCKED_ERROR' }, error),
      session(),
      'It failed. Retry.',
    );
    assert.deepEqual([blocked.phase, blocked.problem], ['stopped', 'It failed. Retry.']);
    assert.equal(
      interviewState(detail({ status: 'WAITING_INTERVIEW_APPROVAL' }), session(), '').approvable,
      true,
    );
  });
});
