import assert from 'node:assert/strict';
import {
  emptyHandoff,
  entriesIn,
  evidenceOf,
  HandoffDraft,
  handoffText,
  keepFound,
  withinTokens,
} from '../../../../src/domain/handoff/handoff.ts';

const count = (text: string): number => Math.ceil(text.length / 4);
const draft = HandoffDraft.parse({
  patterns: [
    { text: 'One file a rule.', evidence: ['src/a.ts', 'src/gone.ts'] },
    { text: 'Nobody can look this up.' },
  ],
  gotchas: [{ text: 'Mind the clock.', evidence: ['../outside', 'src/gone.ts'] }],
  risks: [{ text: 'Shipping\nis open.', evidence: ['src/b.ts'] }],
});

describe('a handoff', () => {
  it('keeps what names a file that is there, and says what it leaves out', () => {
    assert.deepEqual(evidenceOf(draft), ['src/a.ts', 'src/gone.ts', 'src/b.ts']);
    const { lists, dropped } = keepFound(draft, ['src/a.ts', 'src/b.ts']);
    assert.deepEqual(lists.patterns, [{ text: 'One file a rule.', evidence: ['src/a.ts'] }]);
    assert.equal(entriesIn(lists), 2);
    assert.deepEqual(dropped, [
      'Nobody can look this up. (Left out: it names no file.)',
      'Mind the clock. (Left out: it names only files that don’t exist: ../outside, src/gone.ts.)',
    ]);
  });

  it('is told by its lists, an entry a line, and not at all when it is empty', () => {
    const { lists } = keepFound(draft, ['src/a.ts', 'src/b.ts']);
    assert.equal(
      handoffText(lists),
      '### Patterns\n\n- One file a rule. (src/a.ts)\n\n### Open risks\n\n- Shipping is open. (src/b.ts)',
    );
    assert.equal(handoffText(emptyHandoff), '');
  });

  it('gives up entries from the last one until it fits', async () => {
    const text = 'x'.repeat(400);
    const entries = Array.from({ length: 20 }, (_, index) => ({
      text: `${String(index)} ${text}`,
      evidence: ['a'],
    }));
    const { lists, dropped } = await withinTokens(
      { ...emptyHandoff, patterns: entries, risks: entries.slice(0, 1) },
      { cap: 1_000, count },
    );
    assert.ok(count(handoffText(lists)) <= 1_000);
    assert.equal(entriesIn(lists) + dropped.length, 21);
    assert.equal(lists.risks.length, 0);
    assert.match(lists.patterns[0]?.text ?? '', /^0 /);
  });
});
