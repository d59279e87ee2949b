import assert from 'node:assert/strict';
import { documentAddress } from '../../../../src/protocol/documents.ts';
import { isIn, parseTarget } from '../../../../src/views/commands/ticketTarget.ts';

describe('parseTarget', () => {
  it('reads an item of the tree', () => {
    assert.deepEqual(parseTarget({ kind: 'ticket', root: '/a', ticket: 'TST-1', view: {} }), {
      root: '/a',
      ticket: 'TST-1',
    });
  });

  it('reads the address of a document, as the title of an editor gives it', () => {
    const target = parseTarget(documentAddress('/a', 'TST-1', 'prd', 2));
    assert.deepEqual([target.ticket, target.artifact, target.version], ['TST-1', 'prd', 2]);
    assert.ok(isIn(target, '/a'));
    assert.ok(!isIn(target, '/b'));
    assert.deepEqual(parseTarget({ scheme: 'file', authority: '', path: '/TST-1/prd.yaml', query: '' }), {});
  });

  it('reads which items of a document are meant', () => {
    const { root, ...target } = {
      root: '/a',
      ...parseTarget({ ...documentAddress('/a', 'TST-1', 'beads'), items: ['greet'] }),
    };
    assert.deepEqual([target.artifact, target.items], ['beads', ['greet']]);
    assert.deepEqual(parseTarget({ root, ticket: 'TST-1', artifact: 'prd', items: ['US-1-1'] }).items, [
      'US-1-1',
    ]);
  });

  it('may be about any repository when it names none', () => {
    assert.ok(isIn({}, '/a'));
    assert.ok(!isIn({ root: '/b' }, '/a'));
  });

  it('takes nothing from anything else', () => {
    for (const odd of [
      undefined,
      null,
      7,
      'TST-1',
      [],
      { ticket: '../../x' },
      { ticket: { toString: 'TST-1' } },
      { root: 1 },
    ])
      assert.deepEqual(parseTarget(odd), {});
  });
});
