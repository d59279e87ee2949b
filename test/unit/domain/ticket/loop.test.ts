import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { loopBead, loopCriteria, LoopRequest, readLoopPrompt } from '../../../../src/domain/ticket/loop.ts';

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);
const request = LoopRequest.parse({ tests: ['npm test'] });

describe('the prompt of a loop', () => {
  const titles: readonly [text: string, title: string][] = [
    ['# Tidy up\n\nText', 'Tidy up'],
    ['Some words first.\n\n## A heading\n', 'A heading'],
    ['\n\n- Only a list\n- of things', 'Only a list'],
    ['---\n***\nWords', 'Words'],
    [`# ${'x'.repeat(300)}`, 'x'.repeat(200)],
    ['# Tab\there', 'Tab here'],
  ];
  for (const [text, title] of titles)
    it(`has the title ${title.slice(0, 20)}`, () =>
      assert.deepEqual(readLoopPrompt(encoded(text)), { ok: true, title, text, removed: 0 }));

  const refused: readonly [what: string, bytes: Uint8Array, reason: RegExp][] = [
    ['nothing', encoded(''), /empty/],
    ['only blank lines', encoded(' \n\t\n'), /empty/],
    ['no words', encoded('---\n***\n'), /empty/],
    ['a zero byte', encoded('# A\u0000B'), /binary/],
    ['another encoding', new Uint8Array([0x23, 0x20, 0xe4, 0x20]), /not UTF-8/],
    ['too many characters', encoded(`# A\n${'x'.repeat(50_000)}`), /50,000 characters/],
    ['1 MB', new Uint8Array(1_000_000).fill(0x41), /50,000 characters/],
  ];
  for (const [what, bytes, reason] of refused)
    it(`is refused with ${what}`, () => {
      const read = readLoopPrompt(bytes);
      assert.match(read.ok ? 'it was read' : read.reason, reason);
    });

  it('is read without the colors of a terminal', () => {
    assert.deepEqual(readLoopPrompt(encoded('# A\u001b[31m\n')), {
      ok: true,
      title: 'A',
      text: '# A\n',
      removed: 1,
    });
  });

  it('may have as many characters as a ticket’s description, of any length in bytes', () => {
    const text = `# A\n${'€'.repeat(49_996)}`;
    assert.equal(text.length, 50_000);
    assert.ok(readLoopPrompt(encoded(text)).ok);
  });

  it('becomes a bead whatever it says, and is in it whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const read = readLoopPrompt(encoded(text));
        if (!read.ok) return;
        const bead = loopBead({ id: 'TST-1', title: read.title, description: read.text }, request, '');
        assert.equal(bead.description, read.text);
        assert.ok(bead.acceptanceCriteria.length > 0 && bead.title.length > 0);
      }),
    );
  });
});

describe('the bead of a loop', () => {
  it('has the open items of checklists as criteria, each once, and none that is ticked', () => {
    const description =
      '# A\n- [ ] one\n* [ ] two\n  1. [ ] three\n- [x] done\n- [ ] one\n- [ ]* four\n- plain\n';
    assert.deepEqual(loopCriteria({ title: 'A', description }), ['one', 'two', 'three', 'four']);
  });

  it('has its title as the only criterion where the prompt has no checklist', () => {
    assert.deepEqual(loopCriteria({ title: 'Tidy up', description: '- plain' }), [
      'What the prompt asks for is done: “Tidy up”.',
    ]);
  });

  it('has the commands it is proved by, or the reason why there are none', () => {
    const ticket = { id: 'TST-1', title: 'A', description: '# A' };
    const proved = loopBead(ticket, request, '');
    assert.deepEqual([proved.testCommands, proved.unprovedReason], [['npm test'], undefined]);
    const unproved = loopBead(ticket, { tests: [], noTests: 'Only text.' }, '');
    assert.deepEqual([unproved.testCommands, unproved.unprovedReason], [[], 'Only text.']);
    assert.ok(!LoopRequest.safeParse({ tests: ['npm test'], noTests: 'Only text.' }).success);
  });
});
