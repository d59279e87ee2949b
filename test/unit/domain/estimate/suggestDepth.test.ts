import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sampleTicket } from '../../../../src/demo/sample/ticket.ts';
import { depthReasonTexts, suggestDepth } from '../../../../src/domain/estimate/suggestDepth.ts';
import { secondTicket } from '../../../support/samples.ts';

const depthOf = (title: string, description = ''): string => suggestDepth({ title, description }).depth;

describe('the suggested depth', () => {
  it('is quick for small work, and says why', () => {
    assert.deepEqual(suggestDepth({ title: secondTicket.title, description: '' }), {
      depth: 'quick',
      reasons: [{ text: depthReasonTexts.short, args: [4] }],
    });
    const { depth, reasons } = suggestDepth({
      title: 'Fix a typo in README.md',
      description: 'See `src/report.js`, too.',
    });
    assert.equal(depth, 'quick');
    assert.deepEqual(
      reasons.map(({ args }) => args[0]),
      [8, 2, 'typo'],
    );
  });

  it('is full for what is long, lists much, asks, names many files or speaks of large work', () => {
    assert.equal(suggestDepth(sampleTicket).depth, 'full');
    assert.equal(depthOf('Do it', 'word '.repeat(100)), 'full');
    assert.equal(depthOf('Do these', '- a\n- b\n- c'), 'full');
    assert.equal(depthOf('Which one? And who? Why?'), 'full');
    assert.equal(depthOf('Change a.ts, b.ts, lib/c.py, d.go'), 'full');
    assert.equal(depthOf('Migrate the users'), 'full');
  });

  it('is the same for the same text, whatever its spacing, and always has a reason', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.string({ maxLength: 400 }), (title, description) => {
        const suggested = suggestDepth({ title, description });
        assert.ok(suggested.reasons.length > 0);
        assert.deepEqual(suggestDepth({ title, description }), suggested);
        assert.deepEqual(suggestDepth({ title: `${title}  `, description: `${description}\n\n` }), suggested);
      }),
    );
  });

  it('never gets quicker by more text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.lorem({ maxCount: 80 }), (description, more) => {
        if (depthOf('A ticket', description) === 'full')
          assert.equal(depthOf('A ticket', `${description}\n${more}`), 'full');
      }),
    );
  });
});
