import assert from 'node:assert/strict';
import { placeInPlan } from '../../../../src/domain/beads/placeInPlan.ts';

const ticket = { id: 'TST-1', title: 'Discount codes' };
const bead = (id: string, blocked_by: readonly string[] = [], status: 'pending' | 'skipped' = 'pending') => ({
  id,
  title: `Work on ${id}`,
  status,
  dependencies: { blocked_by: [...blocked_by], blocks: [] },
});

describe('the place of a bead in its plan', () => {
  it('is its ticket, and one line for each bead beside it', () => {
    const plan = [
      bead('model'),
      bead('draft', [], 'skipped'),
      bead('total', ['model', 'draft']),
      bead('receipt', ['total']),
      bead('other'),
    ];
    assert.equal(
      placeInPlan(ticket, plan[2] ?? bead('total'), plan),
      [
        'Ticket TST-1: Discount codes',
        'This bead: 3 of 5',
        '- Builds on model: Work on model',
        '- Builds on draft: Work on draft (left out; its work isn’t there)',
        '- Needed by receipt: Work on receipt',
      ].join('\n'),
    );
  });

  it('stays short where many wait', () => {
    const plan = [
      bead('model'),
      ...Array.from({ length: 30 }, (_, index) => bead(`bead-${String(index)}`, ['model'])),
    ];
    const lines = placeInPlan(ticket, bead('model'), plan).split('\n');
    assert.equal(lines.length, 13);
    assert.equal(lines.at(-1), '- Needed by 20 more');
  });
});
