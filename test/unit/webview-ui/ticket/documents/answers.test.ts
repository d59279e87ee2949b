import assert from 'node:assert/strict';
import {
  inputOf,
  type Question,
  stillChanged,
  withAnswer,
  withOption,
  withSkip,
} from '../../../../../webview-ui/ticket/documents/drafts.ts';

describe('changed answers', () => {
  it('are those that say something else than what is stored', () => {
    const one = question('Q1', { free_text: 'yes' });
    const changed = withAnswer({}, one, { ...inputOf(one), free_text: 'no' });
    assert.deepEqual(Object.keys(changed), ['Q1']);
    assert.deepEqual(withAnswer(changed, one, { ...inputOf(one), free_text: 'yes' }), {});
  });

  it('are forgotten when they were stored meanwhile, or their question is gone', () => {
    const changed = {
      Q1: { selected_option_ids: [], free_text: 'no', skipped: false },
      Q9: { selected_option_ids: [], free_text: 'x', skipped: false },
    };
    assert.deepEqual(Object.keys(stillChanged(changed, [question('Q1', { free_text: 'yes' })])), ['Q1']);
    assert.deepEqual(stillChanged(changed, [question('Q1', { free_text: 'no' })]), {});
  });

  it('hold one option, or any number where that is asked', () => {
    const single = question('Q1', { selected_option_ids: ['a'] }, 'single_choice');
    assert.deepEqual(withOption(inputOf(single), single, 'b', true).selected_option_ids, ['b']);
    const many = question('Q1', { selected_option_ids: ['a'] }, 'multiple_choice');
    assert.deepEqual(withOption(inputOf(many), many, 'b', true).selected_option_ids, ['a', 'b']);
    assert.deepEqual(withOption(inputOf(many), many, 'a', false).selected_option_ids, []);
  });

  it('skip a question and take that back without losing what was written', () => {
    const one = question('Q1', { free_text: 'yes' });
    const skipped = withSkip(inputOf(one), true);
    assert.deepEqual([skipped.skipped, skipped.skip_reason], [true, '']);
    assert.deepEqual(withSkip(skipped, false), inputOf(one));
  });
});

function question(
  id: string,
  answer: Partial<Question['answer']>,
  answer_type: Question['answer_type'] = 'free_text',
): Question {
  return {
    id,
    phase: 'foundation',
    prompt: 'Why?',
    source: 'compiled',
    follow_up_round: null,
    covers: [],
    answer_type,
    options: answer_type === 'free_text' ? [] : ['a', 'b'].map((option) => ({ id: option, label: option })),
    answer: {
      skipped: false,
      selected_option_ids: [],
      free_text: '',
      answered_by: 'user',
      answered_at: '',
      ...answer,
    },
  };
}
