import assert from 'node:assert/strict';
import { type AgentQuestion, takesWords } from '../../../../../src/domain/ticket/agentRequest.ts';
import {
  answersOf,
  emptyDraft,
  withOption,
  withText,
} from '../../../../../webview-ui/ticket/requests/requestDrafts.ts';

const options = [
  { label: 'CSV', description: '' },
  { label: 'JSON', description: '' },
];
const one: AgentQuestion = { header: '', text: 'Which?', options, multiple: false, custom: true };
const several: AgentQuestion = { ...one, multiple: true };

describe('what a person says to an agent', () => {
  it('is nothing as long as one question has no answer', () => {
    assert.equal(answersOf([one, several], []), undefined);
    assert.equal(answersOf([one, several], [withOption(one, emptyDraft, 1, true)]), undefined);
    assert.equal(answersOf([one], [withText(one, emptyDraft, '  ')]), undefined);
  });

  it('may always be words where there is nothing to choose from', () => {
    assert.deepEqual(
      [one, { ...one, custom: false }, { ...one, custom: false, options: [] }].map((question) =>
        takesWords(question),
      ),
      [true, false, true],
    );
  });

  it('is one option or own words, where one answer is wanted', () => {
    const json = withOption(one, withOption(one, emptyDraft, 0, true), 1, true);
    assert.deepEqual(answersOf([one], [json]), [['JSON']]);
    const own = withText(one, json, ' XML ');
    assert.deepEqual(answersOf([one], [own]), [['XML']]);
    assert.deepEqual(answersOf([one], [withOption(one, own, 0, true)]), [['CSV']]);
  });

  it('is all of it, in the order of the options, where several are', () => {
    const both = withOption(several, withOption(several, emptyDraft, 1, true), 0, true);
    assert.deepEqual(answersOf([several], [withText(several, both, 'XML')]), [['CSV', 'JSON', 'XML']]);
    assert.deepEqual(answersOf([several], [withOption(several, both, 0, false)]), [['JSON']]);
  });
});
