import assert from 'node:assert/strict';
import { demoScript } from '../../../../src/demo/sample/sample.ts';
import { AnswersFile, recordedAnswer } from '../../../../src/domain/ticket/answersFile.ts';
import { BatchQuestion } from '../../../../src/domain/requirements/interview.ts';
import { sampleAnswers } from '../../../support/samples.ts';

const question = BatchQuestion.parse({
  id: 'Q01',
  question: 'Which Colour shall it be?',
  answer_type: 'single_choice',
  options: [
    { id: 'r', label: 'Red' },
    { id: 'b', label: 'Blue' },
  ],
});

describe('an answers file', () => {
  it('goes by id, then by words of the question, then by the star', () => {
    const file = AnswersFile.parse([
      { match: '*', text: 'rest' },
      { match: 'which colour', text: 'words' },
      { match: 'Q01', text: 'id' },
    ]);
    assert.equal(recordedAnswer(file, question)?.free_text, 'id');
    assert.equal(recordedAnswer(file, { ...question, id: 'Q09' })?.free_text, 'words');
    assert.equal(recordedAnswer(file, { ...question, id: 'Q09', question: 'Why?' })?.free_text, 'rest');
    assert.equal(recordedAnswer(file.slice(1), { ...question, id: 'Q09', question: 'Why?' }), undefined);
  });

  it('selects options by id or label', () => {
    assert.deepEqual(
      recordedAnswer(AnswersFile.parse([{ match: 'Q01', select: 'red' }]), question)?.selected_option_ids,
      ['r'],
    );
    assert.deepEqual(
      recordedAnswer(AnswersFile.parse([{ match: 'Q01', select: ['b'] }]), question)?.selected_option_ids,
      ['b'],
    );
    const yesNo = BatchQuestion.parse({ id: 'Q02', question: 'Really?', answer_type: 'yes_no' });
    assert.deepEqual(
      recordedAnswer(AnswersFile.parse([{ match: 'Q02', select: 'Yes' }]), yesNo)?.selected_option_ids,
      ['yes'],
    );
  });

  it('refuses an option the question does not have, and names those it has', () => {
    assert.throws(
      () => recordedAnswer(AnswersFile.parse([{ match: 'Q01', select: 'Green' }]), question),
      /"Green"; its options: Red, Blue/,
    );
  });

  it('skips with a reason, and takes no answer beside a skip', () => {
    const skip = recordedAnswer(AnswersFile.parse([{ match: 'Q01', skip: true, reason: 'later' }]), question);
    assert.deepEqual([skip?.skipped, skip?.skip_reason], [true, 'later']);
    assert.equal(AnswersFile.safeParse([{ match: 'Q01', skip: true, text: 'x' }]).success, false);
    assert.equal(AnswersFile.safeParse([{ match: 'Q01' }]).success, false);
    assert.equal(AnswersFile.safeParse([{ match: 'Q01', text: 'x', reason: 'y' }]).success, false);
  });

  it("fits the sample's interview", () => {
    const file = AnswersFile.parse(sampleAnswers);
    const texts = [
      'What opens the exported file?',
      'Which filters does a report need?',
      'Which separator?',
      'What with a filter that does not exist?',
    ];
    const answers = Object.entries(demoScript.questions).map(([id, form], index) =>
      recordedAnswer(file, BatchQuestion.parse({ id, question: texts[index], ...form })),
    );
    assert.deepEqual(
      answers.map((answer) => answer?.skipped),
      [false, false, true, false],
    );
    assert.deepEqual(answers[1]?.selected_option_ids, ['category', 'shelf', 'quantity']);
  });
});
