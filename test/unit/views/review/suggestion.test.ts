import assert from 'node:assert/strict';
import {
  replaceLines,
  suggestedLines,
  suggestionBlock,
  withoutSuggestion,
} from '../../../../src/views/review/suggestion.ts';

describe('a suggestion', () => {
  it('survives being written and read, whatever its lines are', () => {
    for (const lines of ['', 'one', 'one\ntwo', '```js\ncode\n```', '  indented\n\n', '````'])
      assert.equal(
        suggestedLines(`Better so:\n\n${suggestionBlock(lines)}\nThanks.`),
        lines,
        JSON.stringify(lines),
      );
  });

  it('is there only as a block of its own', () => {
    assert.equal(suggestedLines('no suggestion here'), undefined);
    assert.equal(suggestedLines('```js\ncode\n```'), undefined);
    assert.equal(suggestedLines('```suggestion\nnever closed'), undefined);
  });

  it('is one, too, when the editor indented its fences', () => {
    assert.equal(suggestedLines('  ```suggestion\n  one\n  ```'), '  one');
  });

  it('leaves what was said besides', () => {
    assert.equal(withoutSuggestion(`Better so:\n\n${suggestionBlock('one')}`), 'Better so:');
  });

  it('replaces exactly its lines and keeps every line end', () => {
    assert.equal(replaceLines('a\nb\nc\n', { line: 2, endLine: 2 }, 'B1\nB2'), 'a\nB1\nB2\nc\n');
    assert.equal(replaceLines('a\nb', { line: 2, endLine: 2 }, 'B'), 'a\nB');
    assert.equal(replaceLines('a\nb\n', { line: 1, endLine: 1 }, ''), 'b\n');
    assert.equal(replaceLines('a\r\nb\r\nc\n', { line: 1, endLine: 2 }, 'A\nB'), 'A\r\nB\r\nc\n');
  });
});
