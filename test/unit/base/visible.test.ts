import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countHidden, hiddenIn, visible } from '../../../src/base/visible.ts';
import { cpuMs } from '../../support/cpuMs.ts';

describe('a text that a person decides on', () => {
  it('shows what turns it around or hides in it', () => {
    assert.equal(visible('rm \u202E/* \u2066 x'), 'rm ⟨U+202E⟩/* ⟨U+2066⟩ x');
    assert.equal(visible('a\u200Bb\u00ADc\uFEFFd\u{E0041}e'), 'a⟨U+200B⟩b⟨U+00AD⟩c⟨U+FEFF⟩d⟨U+E0041⟩e');
    assert.equal(visible('x\uFE01\uFE0F\u{E0100}'), 'x⟨U+FE01⟩⟨U+FE0F⟩⟨U+E0100⟩');
    assert.equal(visible('a\u200Db\u200Cc\u3164'), 'a⟨U+200D⟩b⟨U+200C⟩c⟨U+3164⟩');
    assert.equal(visible('\u001B[2J\u009B0m\rb\u0000'), '⟨U+001B⟩[2J⟨U+009B⟩0m⟨U+000D⟩b⟨U+0000⟩');
    assert.equal(countHidden('a\u202Eb\u200B'), 2);
  });

  it('is left alone where nothing is hidden', () => {
    for (const text of ['a\tb\nc', '👩‍👧 ❤️ 👩🏽‍💻', 'می‌خواهم', 'क्‍ष', 'é ü 漢字', '⟨U+202E⟩', '🏳️‍🌈']) {
      assert.equal(visible(text), text);
      assert.equal(countHidden(text), 0);
    }
    assert.equal(visible('a\r\nb'), 'a\nb');
  });

  it('is marked once, and holds nothing that a terminal obeys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const shown = visible(text);
        assert.equal(visible(shown), shown);
        assert.equal(countHidden(shown), 0);
        assert.doesNotMatch(shown, /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/u);
      }),
    );
  });

  it('takes time that grows with its length alone', () => {
    for (const piece of ['\u202E', '\u200D', 'ब', '\r', '\uFE0F', 'a\u200C']) {
      const start = cpuMs();
      visible(piece.repeat(500_000 / piece.length));
      assert.ok(cpuMs() - start < 2_000, JSON.stringify(piece));
    }
  });

  it('is found in a document, with its place', () => {
    assert.deepEqual(
      hiddenIn({ steps: [{ command: 'npm ci' }, { command: 'a\u202Eb' }], n: 1, none: null }),
      [{ path: 'steps.1.command', text: 'a⟨U+202E⟩b', count: 1 }],
    );
  });
});
