import assert from 'node:assert/strict';
import { documentAddress } from '../../../../src/protocol/documents.ts';
import { isIn, parseTarget } from '../../../../src/views/commands/ticketTarget.ts';
import { blobAddress, diffAddress } from '../../../../src/views/review/blobAddress.ts';

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

  it('reads the address of a diff: of one file, and of several in one editor', () => {
    const commit = 'b'.repeat(40);
    const scope = { kind: 'bead', bead: 'greet' } as const;
    const file = blobAddress('/a', { ticket: 'TST-1', path: 'a.ts', commit, side: 'new', scope });
    const several = diffAddress('/a', { ticket: 'TST-1', scope, commit });
    const { repository, ...known } = parseTarget(several);
    assert.deepEqual(known, { ticket: 'TST-1', bead: 'greet', commit });
    assert.deepEqual(parseTarget(file), { ...known, repository, file: 'a.ts' });
    assert.ok(isIn(parseTarget(several), '/a'));
    const old = blobAddress('/a', { ticket: 'TST-1', path: 'a.ts', commit, side: 'old', scope });
    assert.equal(parseTarget(old).commit, undefined, 'it isn’t what the diff came to');
    for (const bad of [{ path: '' }, { path: '/x' }, { query: '{}' }, { authority: '' }])
      assert.deepEqual(parseTarget({ ...several, ...bad }), {}, JSON.stringify(bad));
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
