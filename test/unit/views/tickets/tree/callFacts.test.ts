import assert from 'node:assert/strict';
import type { InspectedCall, InspectedPart } from '../../../../../src/protocol/inspection.ts';
import { callFacts } from '../../../../../src/views/tickets/tree/lateFacts.ts';
import { factParts } from '../../../../../src/views/tickets/tree/factItems.ts';
import type { FactTree } from '../../../../../src/views/tickets/tree/facts.ts';
import { Nodes } from '../../../../../src/views/tickets/tree/nodes.ts';
import { FakeClient } from '../../../../support/fakes/fakeClient.ts';

const sha256 = 'a'.repeat(64);
const part = (name: string, changes: Partial<InspectedPart> = {}): InspectedPart => ({
  name,
  kind: 'slice',
  stability: 1,
  tokens: 1_200,
  sha256,
  changedAt: 5,
  predicted: 'hit',
  reported: 'unknown',
  cost: null,
  ...changes,
});
const call = (id: string, changes: Partial<InspectedCall> = {}): InspectedCall => ({
  id,
  run: 'r',
  step: 's',
  member: 'a/one',
  prompt: 'coding',
  outcome: 'accepted',
  error: '',
  startedAt: 1,
  endedAt: 2,
  estimatedTokens: 30,
  session: 'ses',
  label: 'Coding',
  bead: 'greet',
  iteration: 2,
  frameTokens: null,
  usage: null,
  parts: [part('bead_data')],
  reported: null,
  isProviderMiss: false,
  providerMisses: 0,
  cost: null,
  calibration: null,
  plan: {
    schema_version: 1,
    contextKey: 'coding',
    prompt: 'coding',
    promptSha256: sha256,
    policy: 'default',
    model: 'a/one',
    budget: 100,
    tokens: 30,
    parts: [],
    reductions: [],
  },
  predicted: { tokens: null, kind: 'unknown', basis: null, culprit: null, culpritTokens: 0, after: 0 },
  ...changes,
});

describe('the model calls of a ticket in the tree', () => {
  const client = new FakeClient();
  const read = (...calls: readonly InspectedCall[]): Promise<readonly FactTree[]> => {
    client.history.inspected = calls;
    return callFacts(client, 'TST-1', 'calls');
  };
  const row = (tree: FactTree) =>
    factParts(new Nodes().fact({ root: '/sample', ticket: 'TST-1' }, tree.key, {}), tree);

  it('stand newest first, each with its parts in the order in which they were sent', async () => {
    const trees = await read(
      call('1'),
      call('2', { parts: [part('prd'), part('bead_data')], reported: { prompt: 2_500, cacheRead: 0 } }),
    );
    assert.deepEqual(
      trees.map(({ key, children }) => [
        key,
        children.map(({ fact }) => fact.kind === 'part' && fact.part.name),
      ]),
      [
        ['calls/2', ['prd', 'bead_data']],
        ['calls/1', ['bead_data']],
      ],
    );
    const [reported, estimated] = trees;
    assert.ok(reported && estimated);
    assert.match(row(reported).description ?? '', /^2.500 tokens · greet, iteration 2$/);
    assert.match(row(estimated).description ?? '', /^about 1.200 tokens · /);
    assert.equal(
      (await read(...Array.from({ length: 60 }, (_, at) => call(String(at))))).length,
      50,
      'the page has the others',
    );
  });

  it('open the text that was sent, and say of a part what was reported apart from what was predicted', async () => {
    const [tree] = await read(call('1', { outcome: 'failed' }));
    assert.ok(tree);
    assert.match(row(tree).description ?? '', /failed/);
    const [below] = tree.children;
    assert.ok(below);
    assert.equal(row(below).command?.command, 'vscode.open');
    const { tooltip } = row(below);
    const told = tooltip?.();
    assert.ok(typeof told === 'string');
    assert.match(told, /Cache, predicted: in the cache\nCache, reported: –/);
    assert.doesNotMatch(row(below).description ?? '', /cache/, 'a prediction is no evidence');
  });
});
