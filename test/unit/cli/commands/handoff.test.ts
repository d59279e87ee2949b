import assert from 'node:assert/strict';
import { CommandBench, itRefuses, itSends } from '../../../support/commandBench.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';

const sha = 'a'.repeat(64);

function received(): CommandBench {
  const bench = new CommandBench();
  bench.app.client.documents.set('received_handoff', 'from: TST-7\n');
  bench.input = 'from: TST-7\nempty: true\n';
  return bench;
}

describe('handoff', () => {
  itSends(
    [
      ['handoff TST-1 --file -', 'edit_handoff', { baseSha256: sha, content: 'from: TST-7\nempty: true\n' }],
      ['handoff TST-1 --remove', 'edit_handoff', { baseSha256: sha, content: '' }],
      [
        `handoff TST-1 --remove --base ${'d'.repeat(64)}`,
        'edit_handoff',
        { baseSha256: 'd'.repeat(64), content: '' },
      ],
    ],
    received,
  );
  itRefuses([
    ['handoff TST-1', 2, /The handoff can't be used: TST-1 received none from another ticket/],
    ['handoff TST-1 --remove', 2, /TST-1 received none from another ticket/],
    ['handoff --remove', 2, /Enter a ticket ID, such as ABC-12\./],
  ]);
  itRefuses([['handoff TST-1 --remove --file -', 2, /Use either --file or --remove, not both\./]], received);

  it('shows what a ticket got', async () => {
    const bench = received();
    assert.equal((await bench.run('handoff TST-1')).out, 'from: TST-7\n');
    const { all, end } = await bench.json('handoff TST-1');
    assert.deepEqual(all('document'), [
      { type: 'document', ticket: 'TST-1', name: 'received_handoff', sha256: sha, content: 'from: TST-7\n' },
    ]);
    assert.deepEqual([end?.exit, end?.ticket, bench.sent], [0, 'TST-1', []]);
  });

  it('lists what tickets have left, the newest first', async () => {
    const bench = new CommandBench();
    const { client } = bench.app;
    assert.equal((await bench.run('handoff')).out, 'No completed ticket has left a handoff.\n');
    client.views = [
      ticketView({ id: 'TST-2', title: 'Wave', status: 'COMPLETED', updatedAt: 1 }),
      ticketView({ id: 'TST-3', title: 'Shout', status: 'COMPLETED', updatedAt: 2 }),
      ticketView({ id: 'TST-4', title: 'Sing', status: 'CODING', updatedAt: 3 }),
    ];
    const patterns = [{ text: 'Names come first.', evidence: ['src/greet.ts'] }];
    client.documents.set(
      'handoff_report',
      JSON.stringify({ schema_version: 1, ticket_id: 'TST-2', artifact: 'handoff_report', patterns }),
    );
    assert.equal((await bench.run('handoff')).out, 'TST-3  Shout (entries: 1)\nTST-2  Wave (entries: 1)\n');
    const { types, end } = await bench.json('handoff');
    assert.deepEqual([types, end?.exit, end?.ticket], [['end'], 0, null]);
  });
});
