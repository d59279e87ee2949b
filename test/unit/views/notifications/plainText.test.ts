import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countHidden, visible } from '../../../../src/base/visible.ts';
import { plainLabel, plainNotification } from '../../../../src/views/shared/plainText.ts';

/** What the editor makes a link of in a notification. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const pieces = fc.constantFrom(
  '[',
  ']',
  '(',
  ')',
  'run',
  'command:workbench.action.quit',
  'https://evil.example',
  ' ',
  '\n',
  '\t',
  '\r\n',
  '\u200B',
  '\u202E',
  '\u2066',
  '\u0000',
  '\u001B[2J',
  '\u00AD',
  '\uFEFF',
  '$(',
  '$(error)',
  '🙂',
  '👩‍👧',
  'é',
  '"',
  '\\',
);
const hostile = fc
  .array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 400 })
  .map((parts) => parts.join('').toWellFormed());

describe('a text from outside in a notification', () => {
  it('is never a link, whatever stands between its brackets', () => {
    assert.match('[run](command:a.b)', link, 'what the editor would take for one');
    for (const between of ['', ' ', '\n', '\u200B', '\u00AD \t', '\u2028'])
      assert.doesNotMatch(
        plainNotification(`[run]${between}(command:a.b)`).text,
        link,
        JSON.stringify(between),
      );
    fc.assert(
      fc.property(hostile, (text) => !link.test(plainNotification(text).text)),
      { numRuns: 1_000 },
    );
  });

  it('is one short line without anything invisible that turns or hides it, and no half letters', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = plainNotification(text).text;
        assert.equal(countHidden(shown.replaceAll(']\u200B(', '](')), 0, JSON.stringify(shown));
        assert.doesNotMatch(shown, /\n/);
        assert.ok(shown.length <= 290);
        assert.ok(shown.isWellFormed(), JSON.stringify(shown));
      }),
      { numRuns: 1_000 },
    );
    for (let length = 275; length < 285; length++)
      assert.ok(plainNotification(`${'a'.repeat(length)}${'🙂'.repeat(9)}`).text.isWellFormed());
  });

  it('says that it is whole only if every letter is there, in order, and none of them is hidden', () => {
    const letters = (text: string): string => text.replace(/[\u200B\s]+/gu, '');
    fc.assert(
      fc.property(hostile, (text) => {
        const { text: shown, whole } = plainNotification(text);
        if (whole) assert.equal(letters(shown), letters(text));
        assert.equal(
          whole,
          !shown.endsWith(' …') && !text.trim().includes('\n') && visible(text) === text,
          JSON.stringify(text),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('shows no icon of ours in a list', () => {
    fc.assert(fc.property(hostile, (text) => !/\$\([\w~-]+\)/.test(plainLabel(text))));
    assert.equal(plainLabel('costs $5 (about)'), 'costs $5 (about)');
  });
});
