import assert from 'node:assert/strict';
import { parseTarget } from '../../../src/views/ticketTarget.ts';

describe('parseTarget', () => {
  it('reads an item of the tree', () => {
    assert.deepEqual(parseTarget({ kind: 'ticket', root: '/a', ticket: 'TST-1', view: {} }), { root: '/a', ticket: 'TST-1' });
  });

  it('takes nothing from anything else', () => {
    for (const odd of [undefined, null, 7, 'TST-1', [], { ticket: '../../x' }, { ticket: { toString: 'TST-1' } }, { root: 1 }])
      assert.deepEqual(parseTarget(odd), {});
  });
});
