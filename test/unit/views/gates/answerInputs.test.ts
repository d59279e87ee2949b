import assert from 'node:assert/strict';
import { AnswerInput } from '../../../../src/domain/requirements/answers.ts';
import { BatchQuestion } from '../../../../src/domain/requirements/interview.ts';
import { chosen, optionsOf, skipped, written } from '../../../../src/views/gates/answerInputs.ts';

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
