import assert from 'node:assert/strict';
import { documentAddress } from '../../../../src/protocol/documents.ts';
import { parseTarget } from '../../../../src/views/commands/ticketTarget.ts';
import { codeLensCommand } from '../../../../src/views/documents/codeLensCommand.ts';

describe('the command of a CodeLens over a part of a document', () => {
  const address = documentAddress('/sample', 'TST-1', 'prd');
  assert.ok(address);
  const beads = { code: 'manyBeads', args: { count: '2' } };

  it('says in words what it leads to, and opens that document of the ticket at its items', () => {
    const parts = [beads, { code: 'oneCommand', args: {} }];
    const command = codeLensCommand(address, { parts, opens: { kind: 'beads', items: ['greet', 'shout'] } });
    assert.deepEqual([command?.title, command?.command], ['2 beads · 1 command', 'beadsmith.showArtifact']);
    const [argument] = (command?.arguments ?? []) as unknown[];
    assert.deepEqual(parseTarget(argument), {
      repository: address.authority,
      ticket: 'TST-1',
      artifact: 'beads',
      items: ['greet', 'shout'],
    });
  });

  it('opens nothing where it leads nowhere, or to no document', () => {
    assert.deepEqual(codeLensCommand(address, { parts: [{ code: 'noBead', args: {} }] }), {
      title: 'no bead',
      command: '',
    });
    assert.equal(
      codeLensCommand(address, { parts: [beads], opens: { kind: '../x', items: [] } })?.command,
      '',
    );
  });

  it('is left as it is where another extension made it', () => {
    for (const odd of [undefined, 7, { parts: [{ code: 'other', args: {} }] }])
      assert.equal(codeLensCommand(address, odd), undefined);
  });
});
