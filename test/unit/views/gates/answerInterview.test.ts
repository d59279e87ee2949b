import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import { BatchQuestion } from '../../../../src/domain/requirements/interview.ts';
import {
  answerInterview,
  chosen,
  optionsOf,
  skipInterview,
  skipped,
  written,
} from '../../../../src/views/gates/answerInterview.ts';
import { AnswerInput } from '../../../../src/domain/requirements/answers.ts';
import { cancelWork, editor, person } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';
import { until } from '../../../support/until.ts';
import { sampleInterview } from '../../../support/samples.ts';

const long = `Who is greeted, and ${'why is that so, '.repeat(10)}in one sentence?`;
const questions = {
  Q01: {
    id: 'Q01',
    question: 'Who is greeted?',
    answer_type: 'single_choice',
    options: ['people', 'programs'],
  },
  Q02: {
    id: 'Q02',
    question: 'In which languages?',
    answer_type: 'multiple_choice',
    options: ['en', 'de', 'fr'],
  },
  Q03: { id: 'Q03', question: 'What about nobody?', answer_type: 'free_text', options: [] },
  Q04: { id: 'Q04', question: 'Is it loud?', answer_type: 'yes_no', options: [] },
  Q05: { id: 'Q05', question: long, rationale: 'It decides a lot.', answer_type: 'free_text', options: [] },
} as const;
type Id = keyof typeof questions;

const way = (by: string, id?: string): ReturnType<typeof person.picks> =>
  person.picksWhere(({ value }) => {
    const one = value as { by: string; id?: string };
    return one.by === by && one.id === id;
  });
const none = { selected_option_ids: [], free_text: '', skipped: false };

describe('the interview by Quick Pick', () => {
  let place: FakePlace;

  beforeEach(() => {
    place = new FakePlace({ ticket: { status: 'WAITING_INTERVIEW_ANSWERS' }, actions: ['answer', 'skip'] });
  });

  /** None: the interview is over. */
  function ask(number: number, ...ids: readonly Id[]): void {
    const asked = ids.map((id) => {
      const { options, ...question } = questions[id];
      return BatchQuestion.parse({
        ...question,
        options: options.map((option) => ({ id: option, label: option.toUpperCase() })),
      });
    });
    const session = sampleInterview({
      asked: asked.map((question) => ({ ...question, source: 'compiled', round: number, batch: number })),
      currentBatch:
        ids.length === 0 ? null : { number, source: 'prompt', questionIds: [...ids], commentary: '' },
    });
    place.client.documents.set('interview_session', stringify(session));
  }

  function endAfterAnswer(): void {
    const { act } = place.client;
    place.client.act = (...sent) => {
      place.become({ ticket: { status: 'VERIFYING_INTERVIEW_COVERAGE' } });
      place.client.documents.delete('interview_session');
      return act(...sent);
    };
  }

  it('takes an option, several options, own words and a yes in one go', async () => {
    ask(3, 'Q01', 'Q02', 'Q03', 'Q04');
    endAfterAnswer();
    editor.will(
      way('option', 'people'),
      way('options'),
      person.picks('en', 'fr'),
      way('text'),
      person.writes(' Say nothing. '),
      way('option', 'yes'),
    );
    await answerInterview(place);
    assert.deepEqual(place.sent, [
      [
        'answer',
        {
          batch: 3,
          answers: {
            Q01: { ...none, selected_option_ids: ['people'] },
            Q02: { ...none, selected_option_ids: ['en', 'fr'] },
            Q03: { ...none, free_text: 'Say nothing.' },
            Q04: { ...none, selected_option_ids: ['yes'] },
          },
        },
      ],
    ]);
  });

  it('says so when nothing is asked', async () => {
    await answerInterview(place);
    assert.deepEqual(
      editor.shown.map(({ kind }) => kind),
      ['information'],
    );
  });

  it('takes a skip with its reason, or without one', async () => {
    ask(1, 'Q01', 'Q03');
    endAfterAnswer();
    editor.will(way('skip'), person.writes('You know better.'), way('skip'), person.writes('  '));
    await answerInterview(place);
    const [, body] = place.sent[0] ?? [];
    assert.deepEqual((body as { answers: unknown }).answers, {
      Q01: { ...none, skipped: true, skip_reason: 'You know better.' },
      Q03: { ...none, skipped: true },
    });
  });

  it('does not take an empty text for an answer', async () => {
    ask(1, 'Q03');
    endAfterAnswer();
    editor.will(way('text'), person.writes('   '), person.writes('Nothing.'));
    await answerInterview(place);
    assert.equal(editor.refusals.length, 1);
    assert.equal(place.sent.length, 1);
  });

  it('leads back from a text to the ways of answering, and from there to the question before, whose answer is kept', async () => {
    ask(1, 'Q01', 'Q03');
    endAfterAnswer();
    editor.will(
      way('text'),
      person.writes('Children.'),
      way('text'),
      'back',
      'back',
      way('text'),
      person.writes('Children!'),
    );
    editor.will(way('text'), person.writes('Nothing.'));
    await answerInterview(place);
    const texts = editor.shown.filter(({ kind }) => kind === 'input').map(({ items }) => items[0]?.label);
    assert.deepEqual(texts, ['', '', 'Children.', ''], 'what was written is there again');
    const [, body] = place.sent[0] ?? [];
    assert.deepEqual((body as { answers: unknown }).answers, {
      Q01: { ...none, free_text: 'Children!' },
      Q03: { ...none, free_text: 'Nothing.' },
    });
  });

  it('takes no options for no answer', async () => {
    ask(1, 'Q02');
    endAfterAnswer();
    editor.will(way('options'), person.picks(), way('options'), person.picks('de'));
    await answerInterview(place);
    const [, body] = place.sent[0] ?? [];
    assert.deepEqual((body as { answers: unknown }).answers, {
      Q02: { ...none, selected_option_ids: ['de'] },
    });
  });

  it('shows a question that is too long for a title, with its reason, and asks again', async () => {
    ask(1, 'Q05');
    endAfterAnswer();
    editor.will(way('read'), 'cancel', way('text'), person.writes('All.'));
    await answerInterview(place);
    const read = editor.shown.find(({ kind }) => kind === 'information');
    assert.deepEqual([read?.text, read?.detail], [long, 'It decides a lot.']);
    assert.equal(place.sent.length, 1);
  });

  it('skips the rest with a reason, after what was answered', async () => {
    ask(2, 'Q01', 'Q03');
    editor.will(way('option', 'people'), way('skipAll'), person.writes('Enough.'));
    await answerInterview(place);
    assert.deepEqual(place.sent, [
      ['answer', { batch: 2, answers: { Q01: { ...none, selected_option_ids: ['people'] } } }],
      ['skip', { reason: 'Enough.' }],
    ]);
  });

  it('asks who leaves whether to send what was answered', async () => {
    for (const [answer, sent] of [
      [person.presses(0), 1],
      ['cancel', 0],
    ] as const) {
      place = new FakePlace({ ticket: { status: 'WAITING_INTERVIEW_ANSWERS' } });
      ask(1, 'Q01', 'Q03');
      editor.reset();
      editor.will(way('option', 'people'), 'leave', answer);
      await answerInterview(place);
      const warning = editor.shown.find(({ kind }) => kind === 'warning');
      assert.equal(warning?.detail, '- Who is greeted?');
      assert.equal(place.sent.length, sent);
    }
  });

  it('asks nobody who leaves without an answer', async () => {
    ask(1, 'Q01');
    editor.will('leave');
    await answerInterview(place);
    assert.deepEqual(
      editor.shown.map(({ kind }) => kind),
      ['pick'],
    );
    assert.deepEqual(place.sent, []);
  });

  it('waits for the next questions, and asks them', async () => {
    ask(1, 'Q01');
    editor.will(way('option', 'people'), way('text'), person.writes('Nothing.'));
    const asked = answerInterview(place);
    await until(
      () => place.sent.length === 1 && editor.shown.some(({ kind }) => kind === 'progress'),
      'the next questions are awaited',
    );
    endAfterAnswer();
    ask(2, 'Q03');
    place.client.change('TST-1');
    await asked;
    assert.deepEqual(
      place.sent.map(([, body]) => (body as { batch: number }).batch),
      [1, 2],
    );
  });

  it('waits for the first ones while they are prepared', async () => {
    place.become({ ticket: { status: 'WAITING_INTERVIEW_ANSWERS' }, view: { preparing: true } });
    const asked = answerInterview(place);
    await until(
      () => editor.shown.some(({ kind }) => kind === 'progress'),
      'the first questions are awaited',
    );
    endAfterAnswer();
    ask(1, 'Q01');
    editor.will(way('option', 'programs'));
    place.client.change();
    await asked;
    assert.equal(place.sent.length, 1);
  });

  it('stops waiting when the person cancels, or the ticket is held', async () => {
    for (const end of [
      cancelWork,
      () => place.become({ ticket: { status: 'WAITING_INTERVIEW_ANSWERS' }, view: { hold: 'paused' } }),
    ]) {
      editor.reset();
      place = new FakePlace({ ticket: { status: 'WAITING_INTERVIEW_ANSWERS' } });
      ask(1, 'Q01');
      editor.will(way('option', 'people'));
      const asked = answerInterview(place);
      await until(
        () => editor.shown.some(({ kind }) => kind === 'progress'),
        'the next questions are awaited',
      );
      end();
      await asked;
      assert.equal(place.sent.length, 1);
    }
  });

  it('is skipped as a whole by its own command, unless the person leaves', async () => {
    editor.will('leave', person.writes(''));
    await skipInterview(place);
    assert.deepEqual(place.sent, []);
    await skipInterview(place);
    assert.deepEqual(place.sent, [['skip', { reason: '' }]]);
  });
});

describe('answers', () => {
  it('offer yes and no even if the model named no options', () => {
    const asked = BatchQuestion.parse({ id: 'Q1', question: 'Really?', answer_type: 'yes_no' });
    assert.deepEqual(
      optionsOf(asked).map(({ id }) => id),
      ['yes', 'no'],
    );
  });

  it('have the shape the driver takes', () => {
    for (const one of [skipped(' why '), skipped(''), written(' text '), chosen(['a'])])
      assert.deepEqual(AnswerInput.parse(one), one);
    assert.equal(skipped('').skip_reason, undefined);
    assert.equal(written(' text ').free_text, 'text');
  });
});
