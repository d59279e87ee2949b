import assert from 'node:assert/strict';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';
import { inspectedCall, inspectedPart, pastCall } from '../../../support/fakes/inspectedCall.ts';
import { sampleUsage } from '../../../support/samples.ts';

describe('estimate', () => {
  it('suggests a depth for a text, and estimates each, without filing anything', async () => {
    const bench = new CommandBench();
    const { out, exit } = await bench.run('estimate --title', 'Fix a typo');
    assert.equal(exit, 0);
    assert.match(out, /^Suggested depth: quick\. .*“typo”/);
    for (const depth of ['full', 'solo', 'quick', 'loop'])
      assert.match(out, new RegExp(`^ {2}${depth} +\\S+ calls, .*no finished tickets here yet`, 'm'));
    assert.match(out, /^ {2}Review of each bead by personas adds /m);
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

describe('usage', () => {
  const used = sampleUsage({
    model: 'a/b',
    input: 1_000,
    output: 20,
    reasoning: 3,
    cacheRead: 400,
    cacheWrite: 5,
    cost: 0.5,
    first: { prompt: 1_405, cacheRead: 400, cacheWrite: 5 },
  });

  function spent(): CommandBench {
    const bench = new CommandBench();
    const { client } = bench.app;
    client.views = [ticketView(), ticketView({ id: 'TST-2' })];
    client.usage = (ticket) =>
      Promise.resolve(
        ticket === 'TST-1'
          ? [
              { ...used, run: 'r', call: '1' },
              { ...used, model: 'c/d', cost: 0, run: 'r', call: null },
            ]
          : [],
      );
    client.history.pastCalls = [pastCall(inspectedCall([]))];
    client.history.inspected = [inspectedCall([inspectedPart('bead_data'), inspectedPart('host')])];
    const past = {
      id: 'r',
      status: 'CODING',
      label: 'Coding',
      attempt: 1,
      state: 'closed',
      exit: null,
      startedAt: 0,
      endedAt: 1,
    } as const;
    client.history.pastRuns = [{ ...past, error: null, iterations: [] }];
    return bench;
  }

  it('adds up what a ticket used, by phase', async () => {
    const { out, exit } = await spent().run('usage TST-1');
    assert.equal(exit, 0);
    assert.match(
      out,
      /^phase +answers +input[^\n]*US\$\n[^\n]*Coding +2 +2,000 +800 +10 +40 +6 +2,856 +≥ 0\.5000\n[^\n]*total +2 /,
    );
    assert.match(out, /No price is known for 1 of 2 answers\./);
    const { all, end } = await spent().json('usage TST-1');
    const [usage] = all('usage');
    assert.deepEqual(
      [usage?.ticket, usage?.by, usage?.rows.map(({ key }) => key)],
      ['TST-1', 'phase', ['Coding']],
    );
    assert.deepEqual([usage?.total.tokens, usage?.total.money, usage?.total.unpriced], [2_856, 0.5, 1]);
    assert.deepEqual([end?.exit, end?.ticket], [0, 'TST-1']);
  });

  for (const [words, by, keys] of [
    ['usage', 'ticket', ['TST-1']],
    ['usage TST-1 --by model', 'model', ['a/b', 'c/d']],
    ['usage TST-1 --by call', 'call', ['1', null]],
    [
      'usage --by part',
      'part',
      ['bead_data', 'host', '(tools, agent and difference)', '(later requests)', '(answer)', null],
    ],
  ] as const)
    it(`${words} adds up by ${by}`, async () => {
      const [usage] = (await spent().json(words)).all('usage');
      assert.deepEqual(
        [usage?.by, [...(usage?.rows.map(({ key }) => key) ?? [])].sort()],
        [by, [...keys].sort()],
      );
      assert.equal(usage?.total.tokens, 2_856);
    });

  it('says that no model was asked yet', async () => {
    assert.equal((await new CommandBench().run('usage TST-1')).out, 'No model calls yet.\n');
  });

  itRefuses([
    [
      'usage TST-1 --by weather',
      2,
      /--by is one of ticket, phase, bead, iteration, model, day, call, part, not "weather"\./,
    ],
    ['usage TST-9', 2, /The ticket TST-9 doesn't exist\./],
  ]);
});
