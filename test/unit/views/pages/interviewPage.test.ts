import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import type { TicketEvent } from '../../../../src/domain/core/events.ts';
import { BatchQuestion, InterviewSession } from '../../../../src/domain/requirements/interview.ts';
import { InterviewState } from '../../../../src/protocol/pages/interview.ts';
import { interviewPage, interviewState } from '../../../../src/views/pages/interviewPage.ts';
import { definePage } from '../../../../src/views/pages/pageKind.ts';
import type { Workbench } from '../../../../src/views/shared/workbench.ts';
import type { TicketDetail } from '../../../../src/protocol/api.ts';
import { editor } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';

const page = definePage(interviewPage);
const workbench = {} as Workbench;

describe('the interview’s page, on the extension’s side', () => {
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
    const session = InterviewSession.parse({
      schemaVersion: 1,
      winner: 'demo/main',
      maxFollowUps: 0,
      checklist: [],
      asked,
      summary: null,
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
  const build = async (): Promise<InterviewState> => InterviewState.parse(await page.build(place, workbench));

  it('shows what is open, and counts in the title of its tab', async () => {
    const state = await build();
    assert.deepEqual([state.phase, state.batch?.openIds], ['asking', ['Q02']]);
    assert.match(page.title('TST-1', state), /TST-1.*1\/3/);
    assert.match(page.title('TST-1', undefined), /TST-1/);
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

  it('shows the end of what a model writes, on one line', () => {
    const activity = (text: string): TicketEvent => ({
      type: 'activity',
      ticket: 'TST-1',
      at: 0,
      source: 'demo/main',
      kind: 'text',
      text,
    });
    assert.deepEqual(page.hint(activity('  one\n\n two ')), { text: 'one two' });
    assert.equal((page.hint(activity('x'.repeat(500))) as { text: string }).text.length, 160);
    assert.equal(page.hint(activity(' \n ')), undefined);
    assert.equal(
      page.hint({ type: 'waiting', ticket: 'TST-1', at: 0, status: 'DRAFT', kinds: [] }),
      undefined,
    );
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
