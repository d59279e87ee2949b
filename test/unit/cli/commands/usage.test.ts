import assert from 'node:assert/strict';
import type { Usage } from '../../../../src/domain/usage/promptPlan.ts';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';
import { inspectedCall, inspectedPart } from '../../../support/fakes/inspectedCall.ts';

const used: Usage = {
  messageId: 'm',
  model: 'a/b',
  input: 1_000,
  output: 20,
  reasoning: 3,
  cacheRead: 400,
  cacheWrite: 5,
  cost: 0.5,
  first: { prompt: 1_405, cacheRead: 400, cacheWrite: 5 },
};

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
  const { id, run, step, member, prompt, outcome, error, startedAt, endedAt, estimatedTokens } =
    inspectedCall([]);
  client.history.pastCalls = [
    {
      id,
      run,
      step,
      member,
      prompt,
      outcome,
      error,
      startedAt,
      endedAt,
      estimatedTokens,
      input: '',
      output: '',
      plan: '',
    },
  ];
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

describe('usage', () => {
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
