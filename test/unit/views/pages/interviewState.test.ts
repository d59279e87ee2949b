import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import type { InterviewSession } from '../../../../src/domain/requirements/interview.ts';
import { BatchQuestion } from '../../../../src/domain/requirements/interview.ts';
import { InterviewState } from '../../../../src/protocol/pages/interview.ts';
import { interviewState } from '../../../../src/views/pages/interviewState.ts';
import { ticketPage } from '../../../../src/views/pages/ticketPage.ts';
import { definePage } from '../../../../src/views/pages/pageKind.ts';
import type { Workbench } from '../../../../src/views/shared/workbench.ts';
import type { TicketDetail } from '../../../../src/protocol/api.ts';
import { editor } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';
import { sampleInterview } from '../../../support/samples.ts';

const page = definePage(ticketPage);
const workbench = {} as Workbench;

describe('the interview on a ticket’s page, on the extension’s side', () => {
  let place: FakePlace;

  beforeEach(() => {
    editor.reset();
    place = new FakePlace({ ticket: { status: 'WAITING_INTERVIEW_ANSWERS' }, actions: ['answer', 'skip'] });
    const asked = ['Q01', 'Q02'].map((id) => ({
      ...BatchQuestion.parse({ id, question: `${id}?` }),
      source: 'compiled',
      round: 1,
      batch: 1,
    }));
    const session = sampleInterview({
      asked,
      answers: {
        Q01: {
          selected_option_ids: [],
          free_text: 'All.',
          skipped: false,
          answered_by: 'user',
          answered_at: 'now',
          batch: 1,
        },
      },
      currentBatch: { number: 1, source: 'prompt', questionIds: ['Q01', 'Q02'], commentary: '' },
    });
    place.client.documents.set('interview_session', stringify(session));
  });

  const serve = (method: string, params: unknown = {}): Promise<unknown> =>
    page.serve(method, params, place, workbench);
  const build = async (): Promise<InterviewState> => InterviewState.parse(await serve('interview'));

  it('shows what is open', async () => {
    const state = await build();
    assert.deepEqual([state.phase, state.batch?.openIds], ['asking', ['Q02']]);
  });

  it('is none where nothing was asked, and nothing will be', async () => {
    place.client.documents.clear();
    place.become({ ticket: { status: 'PLANNING_QUICK' } });
    assert.equal(await serve('interview'), null);
  });

  it('says why the interview is paused', async () => {
    place.become({ ticket: { status: 'WAITING_INTERVIEW_ANSWERS' }, view: { hold: 'paused' } });
    const state = await build();
    assert.equal(state.phase, 'stopped');
    assert.notEqual(state.problem, '');
    const error = {
      code: 'PROVIDER_ERROR',
      message: 'The provider is down.',
      nextStep: 'Try again.',
      continuable: true,
    };
    place.become({ ticket: { status: 'BLOCKED_ERROR' }, error });
    assert.match((await build()).problem, /The provider is down\./);
  });

  it('is early as long as there is no record', async () => {
    place.client.documents.clear();
    assert.deepEqual([(await build()).phase, (await build()).questions], ['early', []]);
  });

  it('sends answers with their batch, or without one when an earlier one is changed', async () => {
    const answers = { Q02: { selected_option_ids: [], free_text: 'No.', skipped: false } };
    const act = (body: unknown) => serve('act', { kind: 'answer', body });
    assert.deepEqual(await act({ batch: 1, answers }), { state: 'consumed' });
    await act({ answers });
    assert.deepEqual(place.sent, [
      ['answer', { batch: 1, answers }],
      ['answer', { answers }],
    ]);
  });

  it('skips the rest, and leads to the approval without waiting for the person', async () => {
    await serve('act', { kind: 'skip', body: { reason: 'Enough.' } });
    assert.deepEqual(place.sent, [['skip', { reason: 'Enough.' }]]);
    place.become({ actions: ['approve'] });
    await serve('run', { command: 'approve' });
    assert.deepEqual(editor.ran, [['beadsmith.approve', { root: '/sample', ticket: 'TST-1' }]]);
  });

  it('fails with the words of a driver that refuses', async () => {
    place.client.becomes = {
      state: 'refused',
      code: 'STALE_APPROVAL',
      message: 'Other questions are open now.',
    };
    const skip = { kind: 'skip', body: { reason: '' } };
    await assert.rejects(serve('act', skip), /Other questions are open now\./);
  });
});

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
  sampleInterview({
    checklist: ['Q01', 'Q02', 'Q03'].map((id) => ({ id, phase: 'foundation', question: `${id}?` })),
    asked: [asked('Q01'), asked('Q02')],
    answers: { Q01: given },
    currentBatch: { number: 1, source: 'prompt', questionIds: ['Q01', 'Q02'], commentary: 'Well.' },
    ...changes,
  });
const detail = (
  changes: NonNullable<Parameters<typeof ticketView>[0]> = {},
  error: TicketDetail['error'] = null,
): TicketDetail =>
  ({
    view: ticketView({ status: 'WAITING_INTERVIEW_ANSWERS', ...changes }),
    ticket: { previousStatus: changes.previousStatus ?? null },
    error,
  }) as TicketDetail;
const phase = (from: TicketDetail, record: InterviewSession | undefined): string =>
  interviewState(from, record, '').phase;

describe('the state of the interview', () => {
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
  });

  it('is over whatever stops the ticket later', () => {
    const error = { code: 'PROVIDER_ERROR', message: 'It failed.', nextStep: 'Retry.', continuable: true };
    const over = session({ currentBatch: null });
    assert.equal(phase(detail({ status: 'WAITING_INTERVIEW_APPROVAL', hold: 'paused' }), over), 'over');
    assert.equal(phase(detail({ status: 'CODING', hold: 'question' }), over), 'over');
    assert.equal(phase(detail({ status: 'BLOCKED_ERROR', previousStatus: 'CODING' }, error), over), 'over');
    assert.equal(
      phase(
        detail({ status: 'BLOCKED_ERROR', previousStatus: 'WAITING_INTERVIEW_ANSWERS' }, error),
        session(),
      ),
      'stopped',
    );
  });
});
