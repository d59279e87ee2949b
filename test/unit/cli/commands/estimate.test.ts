import assert from 'node:assert/strict';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';

describe('estimate', () => {
  it('suggests a depth for a text, and estimates each, without filing anything', async () => {
    const bench = new CommandBench();
    const { out, exit } = await bench.run('estimate --title', 'Fix a typo');
    assert.equal(exit, 0);
    assert.match(out, /^Suggested depth: quick\. .*“typo”/);
    for (const depth of ['full', 'solo', 'quick', 'loop'])
      assert.match(out, new RegExp(`^ {2}${depth} +\\S+ calls, .*no finished tickets here yet`, 'm'));
    assert.match(out, /^ {2}review \(party\) adds to each bead: /m);
    const { all, end } = await bench.json('estimate --title', 'Fix a typo');
    const [estimate] = all('estimate');
    assert.deepEqual([estimate?.ticket, estimate?.suggested], [null, 'quick']);
    assert.equal(estimate?.depths.length, 4);
    assert.deepEqual([end?.exit, end?.ticket, bench.created, bench.sent], [0, null, [], []]);
  });

  it('estimates a ticket that there is', async () => {
    const bench = new CommandBench({ ticket: { title: 'Redesign the public API', description: '' } });
    const { all, end } = await bench.json('estimate TST-1');
    assert.deepEqual(
      [all('estimate')[0]?.ticket, all('estimate')[0]?.suggested, end?.ticket],
      ['TST-1', 'full', 'TST-1'],
    );
  });

  itRefuses([
    ['estimate', 2, /A ticket requires --title TEXT/],
    ['estimate TST-9', 2, /The ticket TST-9 doesn't exist\./],
    ['estimate typo', 2, /"typo" is not a valid ticket ID/],
  ]);
});
