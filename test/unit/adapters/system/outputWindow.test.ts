import assert from 'node:assert/strict';
import fc from 'fast-check';
import { OutputWindow } from '../../../../src/adapters/system/outputWindow.ts';

function windowOf(limit: number, pieces: readonly Buffer[]): ReturnType<OutputWindow['read']> {
  const window = new OutputWindow(limit);
  for (const piece of pieces) window.add(piece);
  return window.read();
}

function cut(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

describe('the window on the output of a command', () => {
  const texts = fc.string({ maxLength: 200, unit: fc.constantFrom('a', 'b', '\n', 'ü', '€', '🙂') });

  it('keeps the same of an output in whatever pieces it comes', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat()), fc.integer({ min: 1, max: 40 }), (text, places, limit) => {
        const bytes = Buffer.from(text);
        assert.deepEqual(windowOf(limit, cut(bytes, places)), windowOf(limit, [bytes]));
      }),
    );
  });

  it('shows the beginning and the end, never a character that was cut in two, and counts every byte', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 4, max: 40 }), (text, limit) => {
        const bytes = Buffer.from(text);
        const { head, tail, outputBytes } = windowOf(limit, [bytes]);
        assert.equal(outputBytes, bytes.length);
        assert.ok(text.startsWith(head) && text.endsWith(tail));
        assert.ok(Buffer.byteLength(head) <= limit && Buffer.byteLength(tail) <= limit);
        if (bytes.length <= limit) assert.deepEqual([head, tail], [text, '']);
      }),
    );
  });

  it('is bounded, however much a command prints', () => {
    const line = Buffer.from(`${'x'.repeat(99)}\n`);
    const { head, tail, outputBytes } = windowOf(1_000, [
      ...Array.from({ length: 5_000 }, () => line),
      Buffer.from('the end'),
    ]);
    assert.deepEqual([head.length, tail.length, outputBytes], [1_000, 1_000, 500_007]);
    assert.ok(tail.endsWith('the end'));
  });

  it('holds no part of a secret, whichever edge cuts it', () => {
    const secret = ['ghp_', 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'].join('');
    for (const length of [0, 60, 30_000])
      for (let before = 0; before < 120; before++) {
        const text = `${'-'.repeat(before)} ${secret} ${'.'.repeat(length)} ${secret} ${'-'.repeat(before)}`;
        const { head, tail } = windowOf(100, cut(Buffer.from(text), [before + 5, before + 20]));
        for (let at = 0; at + 6 <= secret.length; at += 3)
          assert.ok(!`${head}\n${tail}`.includes(secret.slice(at, at + 6)), `${head}\n${tail}`);
      }
    const { head } = windowOf(100, [Buffer.from(`${secret} and allowed`)]);
    assert.equal(head, '[redacted: github] and allowed');
  });

  it('is empty for a command that prints nothing', () => {
    assert.deepEqual(windowOf(10, []), { outputBytes: 0, head: '', tail: '' });
  });
});
