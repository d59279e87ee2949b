import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shrink } from '../../../src/context/buildMinimalContext.ts';

/** Four UTF-8 bytes a token, so that a character may cost more than another. */
const count = (text: string): number => Math.ceil(new TextEncoder().encode(text).length / 4);

describe('shrink', () => {
  it('keeps two thirds of the head, one third of the tail, and says what is missing', async () => {
    const text = `${'a'.repeat(10_000)}${'z'.repeat(10_000)}`;
    const { content } = await shrink(text, count(text), 300, count);
    const [, head = '', left = '', of = '', tail = ''] =
      /^(a+)\n\[… (\d+) of (\d+) characters left out …\]\n(z+)$/.exec(content) ?? [];
    assert.equal(Number(of), text.length);
    assert.equal(head.length + tail.length + Number(left), text.length);
    assert.ok(Math.abs(head.length / (head.length + tail.length) - 2 / 3) < 0.01);
  });

  it('keeps to the limit and never breaks a character, whatever the text', async () => {
    const text = fc.string({ unit: 'binary', minLength: 200, maxLength: 2_000 });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 20, max: 49 }), async (text, limit) => {
        const shrunk = await shrink(text, count(text), limit, count);
        assert.ok(shrunk.tokens <= limit);
        assert.equal(shrunk.tokens, count(shrunk.content));
        assert.ok(shrunk.content.isWellFormed());
      }),
    );
  });

  it('uses most of the room', async () => {
    const text = 'word '.repeat(50_000);
    const { tokens } = await shrink(text, count(text), 500, count);
    assert.ok(tokens > 450, `${tokens}`);
  });
});
