import assert from 'node:assert/strict';
import { cleanedText, removedNote, titleFrom } from '../../../../src/domain/description/ticketText.ts';

describe('The text of a ticket', () => {
  it('has none of a terminal’s colors and control characters, and everything else as it was', () => {
    const texts: readonly [text: string, clean: string, removed: number][] = [
      ['\u001b[31mFAIL\u001b[0m test/cart.test.ts\n', 'FAIL test/cart.test.ts\n', 2],
      ['\u001b[38;5;196;1mred\u001b[m and \u001b[2Kline', 'red and line', 3],
      ['\u001b]0;title\u0007text\u001b]8;;https://x\u001b\\link', 'textlink', 2],
      ['a\u0007b\u0008c\u007fd\u000ce', 'abcde', 4],
      ['\u001b(Bplain\u001b7', 'plain', 2],
      ['tab\there\r\nand "emoji" 😀 \u00e9', 'tab\there\r\nand "emoji" 😀 \u00e9', 0],
      ['half \u001b', 'half ', 1],
    ];
    for (const [text, clean, removed] of texts)
      assert.deepEqual(cleanedText(text), { text: clean, removed }, JSON.stringify(text));
    assert.equal(cleanedText('a\u0000b').text, 'a\u0000b', 'a zero byte says that it is no text');
    assert.deepEqual(
      [removedNote(1), removedNote(2)].map((note) => /^\d+ /.test(note)),
      [true, true],
    );
  });

  const titles: readonly [text: string, title: string][] = [
    ['---\nid: task-42\ntitle: Add a cart\nstatus: To Do\n---\n\n## Description\n\nAdd one.\n', 'Add a cart'],
    ['---\ntitle: "Fix: the cart"\n---\n# Other\n', 'Fix: the cart'],
    ['---\r\ntitle: Windows\r\n---\r\nText\r\n', 'Windows'],
    ['---\nid: 7\n---\n\n# From the heading\n', 'From the heading'],
    ["---\ntitle: 'It''s slow' # really\n---\n", "It's slow"],
    ['---\ntitle: >\n  folded\n---\n# Heading\n', 'Heading'],
    ['---\n***\nWords', 'Words'],
    [
      '<!-- Please fill in this template. -->\n\n### Description\n\nThe total is wrong.\n',
      'The total is wrong.',
    ],
    ['<!-- one\ntwo -->\n## Summary:\n<!-- three -->\n- Cart is slow\n', 'Cart is slow'],
    ['### Steps to reproduce\n\n1. Open the cart\n', 'Open the cart'],
    ['## Description\n\nSome words.\n\n## Cart total\n', 'Some words.'],
    ['# Implementation Plan\n\n- [ ] 1. Set up\n', 'Implementation Plan'],
    ['- [ ] Set up the project\n', 'Set up the project'],
    ['## Description\n', 'Description'],
    ['<!-- only a comment', '<!-- only a comment'],
    ['# Closed heading ##\n', 'Closed heading'],
    ['\n \n---\n', ''],
  ];
  it('may be a heading that stands behind words', () =>
    assert.equal(titleFrom('Words.\n\n## Summary\n\n## Cart\n', { prefer: 'heading' }), 'Cart'));
  for (const [text, title] of titles)
    it(`gives the title ${JSON.stringify(title)} to ${JSON.stringify(text.slice(0, 40))}`, () =>
      assert.equal(titleFrom(text), title));
});
