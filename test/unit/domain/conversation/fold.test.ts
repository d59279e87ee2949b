import assert from 'node:assert/strict';
import fc from 'fast-check';
import { completeSettings } from '../../../../src/domain/settings/settings.ts';
import { foldRules, turnsToFold, type TurnSize } from '../../../../src/domain/conversation/fold.ts';

const turns = (count: number, tokens: number, messages = 10): readonly TurnSize[] =>
  Array.from({ length: count }, () => ({ tokens, messages }));
const tokens = { rule: 'tokens', budget: 100_000 } as const;
const messages = { rule: 'messages', budget: 100_000 } as const;

describe('what is taken out of a conversation', () => {
  it('AT-9: is all but the last two turns, once they take more than 15 % of the budget', () => {
    assert.equal(turnsToFold(turns(5, 3_000), tokens), 0, 'exactly 15 %');
    assert.equal(turnsToFold(turns(5, 3_001), tokens), 3);
    assert.equal(turnsToFold(turns(2, 90_000), tokens), 0, 'the last two stay, however large they are');
    assert.equal(turnsToFold(turns(9, 90_000), { ...tokens, rule: 'off' }), 0);
  });

  it('AT-9: by messages, needs at least 25 messages and 5,000 tokens to take out, and 25 messages and 7,500 tokens that stay', () => {
    assert.equal(turnsToFold(turns(6, 2_500), messages), 3, '30 messages and 7,500 tokens each');
    assert.equal(turnsToFold(turns(5, 2_500), messages), 0, 'too few messages stay');
    assert.equal(turnsToFold(turns(6, 2_499), messages), 0, 'too few tokens stay');
    assert.equal(
      turnsToFold([...turns(3, 1_666), ...turns(3, 2_500)], messages),
      0,
      'too few tokens to take out',
    );
    assert.equal(turnsToFold([...turns(3, 1_667), ...turns(3, 2_500)], messages), 3);
    assert.equal(turnsToFold(turns(9, 2_500), messages), 6, 'several chunks at once');
    assert.equal(
      turnsToFold(turns(20, 100_000, 2), messages),
      0,
      '26 messages, and 14 that are too few to stay',
    );
    assert.equal(turnsToFold(turns(26, 100_000, 2), messages), 13);
  });

  it('AT-9: is what one of both rules takes out, unless a person wants another', () => {
    assert.equal(completeSettings({ mainImplementer: 'a/b' }).longConversations, 'either');
    const either = { rule: 'either', budget: 1_000_000 } as const;
    assert.equal(turnsToFold(turns(6, 2_500), either), 3, 'by messages alone');
    assert.equal(turnsToFold(turns(5, 30_001, 2), either), 3, 'by tokens alone');
    assert.equal(turnsToFold(turns(5, 2_500), either), 0);
  });

  it('never takes out the last turn, and takes out nothing more once nothing was said since', () => {
    const size = fc.record({ tokens: fc.nat(20_000), messages: fc.integer({ min: 1, max: 60 }) });
    fc.assert(
      fc.property(fc.array(size, { maxLength: 30 }), fc.constantFrom(...foldRules), (sizes, rule) => {
        const folded = turnsToFold(sizes, { rule, budget: 100_000 });
        assert.ok(folded >= 0 && folded <= Math.max(0, sizes.length - 1));
        if (rule === 'messages') assert.equal(turnsToFold(sizes.slice(folded), { rule, budget: 100_000 }), 0);
        if (rule === 'tokens' && folded > 0) assert.equal(sizes.length - folded, 2);
      }),
    );
  });
});
