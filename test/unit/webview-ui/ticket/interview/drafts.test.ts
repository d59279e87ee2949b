import assert from 'node:assert/strict';
import { AnswerInput } from '../../../../../src/domain/requirements/answers.ts';
import { PageQuestion } from '../../../../../src/protocol/pages/interview.ts';
import {
  draftOf,
  type Drafts,
  emptyDraft,
  isComplete,
  keptDraft,
  toInput,
  unsent,
  withDraft,
  without,
} from '../../../../../webview-ui/ticket/interview/drafts.ts';

const question = (changes: object = {}): PageQuestion =>
  PageQuestion.parse({
    id: 'Q01',
    question: 'Which?',
    batch: 1,
    answer: null,
    options: [{ id: 'a', label: 'A' }],
    ...changes,
  });
const typed = (draft: object): Drafts => withDraft({}, question(), { ...emptyDraft, ...draft });
const answer = {
  skipped: true,
  selected_option_ids: [],
  free_text: '',
  answered_by: 'user',
  answered_at: '',
  skip_reason: 'No idea.',
};

describe('what a person types into the interview', () => {
  it('is complete once it says something, or that it says nothing', () => {
    assert.equal(isComplete(emptyDraft), false);
    assert.equal(isComplete({ ...emptyDraft, text: '  ' }), false);
    assert.equal(isComplete({ ...emptyDraft, selected: ['a'] }), true);
    assert.equal(isComplete({ ...emptyDraft, skip: true }), true);
  });

  it('becomes an answer the engine takes; a skip takes nothing else along', () => {
    const typed = { selected: ['a'], text: ' And more. ', skip: false, reason: '' };
    assert.deepEqual(AnswerInput.parse(toInput(typed)), {
      selected_option_ids: ['a'],
      free_text: 'And more.',
      skipped: false,
    });
    const skipped = { selected_option_ids: [], free_text: '', skipped: true };
    assert.deepEqual(toInput({ ...typed, skip: true }), skipped);
    assert.deepEqual(toInput({ ...typed, skip: true, reason: ' Why not. ' }), {
      ...skipped,
      skip_reason: 'Why not.',
    });
  });

  it('begins with the answer there is, and forgets options that are gone', () => {
    assert.deepEqual(draftOf({}, question({ answer })), { ...emptyDraft, skip: true, reason: 'No idea.' });
    assert.deepEqual(draftOf(typed({ selected: ['a', 'z'] }), question()).selected, ['a']);
    assert.deepEqual(
      Object.keys(without({ ...typed({}), ...withDraft({}, question({ id: 'Q02' }), emptyDraft) }, ['Q01'])),
      ['Q02'],
    );
  });

  it('is never taken for an answer to another question that got the same id', () => {
    const drafts = typed({ text: 'Blue.' });
    assert.equal(keptDraft(drafts, question())?.text, 'Blue.');
    assert.equal(keptDraft(drafts, question({ question: 'How fast?' })), undefined);
    assert.equal(draftOf(drafts, question({ question: 'How fast?' })).text, '');
  });

  it('counts as sent once the answer says the same, although nobody was there to see it taken', () => {
    const given = { ...answer, skipped: false, free_text: 'Blue.', skip_reason: undefined };
    assert.deepEqual(unsent(typed({ text: ' Blue.\n' }), [question({ answer: given })]), {});
    const changed = typed({ text: 'Blue or green.' });
    assert.equal(unsent(changed, [question({ answer: given })])['Q01']?.text, 'Blue or green.');
    assert.equal(unsent(changed, [question()])['Q01']?.text, 'Blue or green.');
    assert.deepEqual(unsent(typed({ skip: true, reason: 'No idea.' }), [question({ answer })]), {});
  });
});
