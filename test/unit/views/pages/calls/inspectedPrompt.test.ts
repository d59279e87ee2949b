import assert from 'node:assert/strict';
import type { InspectedCall } from '../../../../../src/protocol/inspection.ts';
import { inspectedPrompt } from '../../../../../src/views/pages/calls/inspectedPrompt.ts';
import { FakeClient } from '../../../../support/fakes/fakeClient.ts';
import { sampleCall, samplePlan } from '../../../../support/samples.ts';

const sha256 = 'a'.repeat(64);
const plan = samplePlan({
  reductions: [{ name: 'bead_notes', action: 'dropped', tokensBefore: 90, tokensAfter: 0 }],
});
const part = {
  name: 'bead_data',
  kind: 'slice',
  stability: 1,
  tokens: 30,
  sha256,
  changedAt: 5,
  predicted: 'hit',
  reported: 'miss',
  cost: null,
} as const;
const call = (id: string, changes: Partial<InspectedCall> = {}): InspectedCall => ({
  ...sampleCall({ id, run: 'r', estimatedTokens: 30 }),
  session: 'ses',
  label: 'Coding',
  bead: 'greet',
  iteration: 2,
  plan,
  parts: [part],
  frameTokens: 12,
  predicted: {
    tokens: 20,
    kind: 'content-changed',
    basis: null,
    culprit: 'bead_notes',
    culpritTokens: 7,
    after: 3,
  },
  reported: { prompt: 42, cacheRead: 0 },
  isProviderMiss: true,
  providerMisses: 3,
  usage: null,
  cost: null,
  calibration: null,
  ...changes,
});

describe('the table of a prompt', () => {
  const client = new FakeClient();
  const shown = (calls: readonly InspectedCall[], id = '2') => {
    client.history.inspected = calls;
    return inspectedPrompt(client, 'TST-1', id);
  };

  it('adds up to what the provider counted, and says what ended the beginning and that the provider kept nothing', async () => {
    const { parts, frameTokens, reported, why, warning, reductions } = await shown([call('1'), call('2')]);
    assert.equal(parts.reduce((sum, { tokens }) => sum + tokens, 0) + (frameTokens ?? 0), reported?.prompt);
    assert.match(why, /“bead_notes” changed \(7 tokens\); the 3 tokens after it/);
    assert.match(warning, /3 consecutive calls/);
    assert.deepEqual(reductions, ['bead_notes was left out: 90 tokens']);
  });

  it('says of everything that is missing why', async () => {
    const { left } = await shown([call('2')]);
    const reasons = new Map(left.flatMap(({ reason, names }) => names.map((name) => [name, reason])));
    assert.match(reasons.get('bead_notes') ?? '', /exceeded its budget/);
    assert.equal(reasons.get('added_context'), 'Empty');
    assert.match(reasons.get('prd') ?? '', /Not sent/);
    const review = await shown([call('2', { plan: { ...plan, contextKey: 'review' } })]);
    assert.ok(
      review.left.some(
        ({ reason, names }) => /Never sent to a reviewer/.test(reason) && names.includes('preamble'),
      ),
    );
  });

  it('says of every part why it is in the prompt, and which a person added', async () => {
    const pieces = [
      part,
      { ...part, name: 'added_context', kind: 'section' },
      { ...part, name: 'preamble', kind: 'section' },
      { ...part, name: 'coding', kind: 'instructions' },
      { ...part, name: 'conversation', kind: 'conversation' },
    ] as const;
    const { parts } = await shown([call('2', { parts: pieces })]);
    assert.deepEqual(
      parts.map(({ name, included }) => [name, included]),
      [
        ['bead_data', 'Allowed for calls of this kind'],
        ['added_context', 'Added by you'],
        ['preamble', 'Belongs to this task'],
        ['coding', 'Included in every call'],
        ['conversation', 'Sent earlier in the same session'],
      ],
    );
  });

  it('offers calls with the same prompt to compare with, the one before first, and refuses a call that is gone', async () => {
    const { others } = await shown(
      [call('1'), call('2'), call('3'), call('4'), call('5', { prompt: 'review' })],
      '3',
    );
    assert.deepEqual(
      others.map(({ id }) => id),
      ['2', '1', '4'],
    );
    await assert.rejects(shown([], '1'), { code: 'STATUS_CONFLICT' });
  });
});
