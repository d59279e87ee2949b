import assert from 'node:assert/strict';
import { AnswerInput } from '../../../src/domain/interview.ts';
import { PageQuestion } from '../../../src/protocol/pages/interview.ts';
import { draftOf, emptyDraft, isComplete, toInput, without } from '../../../webview-ui/interview/drafts.ts';

const question = (changes: object = {}): PageQuestion =>
  PageQuestion.parse({ id: 'Q01', question: 'Which?', batch: 1, answer: null, options: [{ id: 'a', label: 'A' }], ...changes });
const answer = { skipped: true, selected_option_ids: [], free_text: '', answered_by: 'user', answered_at: '', skip_reason: 'No idea.' };

describe('what a person types into the interview', () => {
  it('is complete once it says something, or that it says nothing', () => {
    assert.equal(isComplete(emptyDraft), false);
    assert.equal(isComplete({ ...emptyDraft, text: '  ' }), false);
    assert.equal(isComplete({ ...emptyDraft, selected: ['a'] }), true);
    assert.equal(isComplete({ ...emptyDraft, skip: true }), true);
  });

  it('becomes an answer the engine takes; a skip takes nothing else along', () => {
    const typed = { selected: ['a'], text: ' And more. ', skip: false, reason: '' };
    assert.deepEqual(AnswerInput.parse(toInput(typed)), { selected_option_ids: ['a'], free_text: 'And more.', skipped: false });
    const skipped = { selected_option_ids: [], free_text: '', skipped: true };
    assert.deepEqual(toInput({ ...typed, skip: true }), skipped);
    assert.deepEqual(toInput({ ...typed, skip: true, reason: ' Why not. ' }), { ...skipped, skip_reason: 'Why not.' });
  });

  it('begins with the answer there is, and forgets options that are gone', () => {
    assert.deepEqual(draftOf({}, question({ answer })), { ...emptyDraft, skip: true, reason: 'No idea.' });
    assert.deepEqual(draftOf({ Q01: { ...emptyDraft, selected: ['a', 'z'] } }, question()).selected, ['a']);
    assert.deepEqual(without({ Q01: emptyDraft, Q02: emptyDraft }, ['Q01']), { Q02: emptyDraft });
  });
});
