import assert from 'node:assert/strict';
import { inspectCalls } from '../../../src/app/tickets/inspectCalls.ts';
import { sha256 } from '../../../src/base/sha256.ts';
import type { PromptPlan, Usage } from '../../../src/domain/usage/promptPlan.ts';
import type { PlannedCall } from '../../../src/engine/ports/storePort.ts';
import { sampleCall, samplePlan, sampleUsage } from '../../support/samples.ts';

const part = (name: string, content = name): PromptPlan['parts'][number] => ({
  name,
  kind: 'slice',
  stability: 1,
  tokens: 2_000,
  sha256: sha256(content),
});
const planOf = (parts: PromptPlan['parts'], at = 0): PromptPlan =>
  samplePlan({
    model: 'openai/gpt',
    budget: 9_000,
    tokens: 4_500,
    parts,
    instructions: { at, tokens: 500, sha256: sha256('i') },
  });
const call = (id: string, changes: Partial<PlannedCall> = {}): PlannedCall => ({
  ...sampleCall({ id, run: 'r', member: 'openai/gpt', estimatedTokens: 4_500 }),
  startedAt: Number(id) * 1_000,
  endedAt: Number(id) * 1_000 + 500,
  session: `ses${id}`,
  directory: '/w',
  plan: planOf([part('bead_data'), part('bead_notes')]),
  ...changes,
});
const used = (id: string, prompt: number, cacheRead: number): Usage & { readonly call: string } => ({
  ...sampleUsage({ messageId: id, model: 'gpt', input: prompt - cacheRead, output: 300, cacheRead }),
  first: { prompt, cacheRead },
  call: id,
});

describe('what calls sent', () => {
  it('is shown in the order in which it was sent, with the instructions in their place', () => {
    const [shown] = inspectCalls({
      calls: [call('1', { plan: planOf([part('preamble'), part('workspace')], 1) })],
      usage: [],
      runs: [],
    });
    assert.deepEqual(
      shown?.parts.map(({ name, kind }) => [name, kind]),
      [
        ['preamble', 'slice'],
        ['coding', 'instructions'],
        ['workspace', 'slice'],
      ],
    );
  });

  it('AT-14: adds up to what the provider counted, with a row for what no part holds', () => {
    const [shown] = inspectCalls({ calls: [call('1')], usage: [used('1', 9_999, 0)], runs: [] });
    const counted = shown?.parts.reduce((sum, { tokens }) => sum + tokens, 0) ?? 0;
    assert.equal(counted + (shown?.frameTokens ?? 0), 9_999);
  });

  it('begins, later in a session, with all that was said in it, which a cache has', () => {
    const calls = [
      call('1', { session: 'one' }),
      call('2', { session: 'one', plan: planOf([part('failing_evidence')]) }),
    ];
    const [, later] = inspectCalls({
      calls,
      usage: [used('1', 5_000, 0), used('2', 8_000, 4_992)],
      runs: [],
    });
    const [conversation, , evidence] = later?.parts ?? [];
    assert.deepEqual([conversation?.kind, conversation?.tokens], ['conversation', 4_500 + 300]);
    assert.deepEqual(
      [later?.predicted.kind, conversation?.predicted, evidence?.reported],
      ['none', 'partial', 'miss'],
    );
  });

  it('moves the time of a part only when its content is another one', () => {
    const changed = planOf([part('bead_data'), part('bead_notes', 'another')]);
    const shown = inspectCalls({
      calls: [call('1'), call('2'), call('3', { plan: changed }), call('4', { plan: changed })],
      usage: [],
      runs: [],
    });
    const times = (name: string) =>
      shown.map(({ parts }) => parts.find((one) => one.name === name)?.changedAt);
    assert.deepEqual(times('bead_data'), [1_000, 1_000, 1_000, 1_000]);
    assert.deepEqual(times('bead_notes'), [1_000, 1_000, 3_000, 3_000]);
  });

  it('knows calls from before their instructions were kept, and answers that only were counted', () => {
    const { instructions, ...older } = planOf([part('bead_data')]);
    assert.ok(instructions);
    const [shown] = inspectCalls({
      calls: [call('1', { plan: older })],
      usage: [{ ...used('1', 9, 9), estimated: true }],
      runs: [],
    });
    assert.deepEqual([shown?.parts[0]?.tokens, shown?.reported, shown?.frameTokens], [2_500, null, null]);
  });
});
