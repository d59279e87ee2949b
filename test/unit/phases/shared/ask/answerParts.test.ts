import assert from 'node:assert/strict';
import { AnswerParts } from '../../../../../src/phases/shared/structured/whole.ts';

describe('an answer in parts', () => {
  const joined = (...texts: readonly string[]): string => {
    const parts = new AnswerParts();
    for (const text of texts.slice(0, -1)) assert.ok(parts.keep(text), text);
    return parts.whole(texts.at(-1) ?? '');
  };

  it('is its whole lines, one part after the other', () => {
    assert.equal(joined('a: 1\nb: tw', 'b: two\nc: 3'), 'a: 1\nb: two\nc: 3');
    assert.equal(joined('a: 1\nb: tw', 'b: two\nc: th', 'c: three'), 'a: 1\nb: two\nc: three');
    assert.equal(joined('list:\n  - x\n  - y', '  - y\n  - z'), 'list:\n  - x\n  - y\n  - z');
  });

  it('has nothing twice that a model repeats, and no fence that opens again', () => {
    assert.equal(joined('a: 1\nb: 2\nc:', 'b: 2\nc: 3'), 'a: 1\nb: 2\nc: 3');
    assert.equal(joined('```yaml\na: 1\nb', '```yaml\nb: 2\n```'), '```yaml\na: 1\nb: 2\n```');
  });

  it('is what was sent again as a whole', () => {
    assert.equal(joined('<X>\na: 1\nb', '<X>\na: 1\nb: 2\n</X>'), '<X>\na: 1\nb: 2\n</X>');
  });

  it('is given up where a part brings nothing, or there are too many', () => {
    const parts = new AnswerParts();
    assert.equal(parts.keep('no line that ended'), false);
    assert.ok(parts.keep('a: 1\nb'));
    assert.equal(parts.keep('a: 1\nb'), false);
    for (const name of ['b', 'c', 'd']) assert.ok(parts.keep(`${name}: 1\nx`), name);
    assert.equal(parts.keep('e: 1\nx'), false);
    assert.equal(parts.lastLine, 'd: 1');
    parts.clear();
    assert.equal(parts.lastLine, '');
  });
});
