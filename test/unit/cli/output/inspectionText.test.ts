import assert from 'node:assert/strict';
import { callText } from '../../../../src/cli/output/inspectionText.ts';
import type { InspectedCall, InspectedPart } from '../../../../src/protocol/inspection.ts';

const part = (name: string, more: Partial<InspectedPart> = {}): InspectedPart => ({
  ...{ name, kind: 'section', stability: 1, tokens: 10, sha256: 'a'.repeat(64), changedAt: 0, predicted: 'unknown', reported: 'unknown' },
  cost: null,
  ...more,
});

function call(parts: readonly InspectedPart[]): InspectedCall {
  const plan = {
    schema_version: 1,
    contextKey: 'coding',
    prompt: 'coding',
    promptSha256: 'b'.repeat(64),
    policy: 'default',
    model: 'a/b',
  } as const;
  return {
    ...{ id: '1', run: 'r', step: 'ask', member: 'a/b', prompt: 'coding', outcome: 'accepted', error: '', session: 's', label: 'Coding' },
    ...{ startedAt: 0, endedAt: 1, estimatedTokens: 20, bead: null, iteration: null, parts, frameTokens: null, usage: null },
    plan: { ...plan, budget: 100, tokens: 20, parts: [], reductions: [] },
    predicted: { tokens: null, kind: 'unknown', basis: null, culprit: null, culpritTokens: 0, after: 0 },
    ...{ reported: null, isProviderMiss: false, providerMisses: 0, cost: null, calibration: null },
  };
}

describe('the parts of a prompt on the command line', () => {
  it('CP-M3: say which part stands one class later, and why', () => {
    const text = callText(call([part('bead_data'), part('host', { demoted: true })]));
    assert.match(text, /host +section +1\*/);
    assert.match(text, /bead_data +section +1 /);
    assert.match(text, /^\* It changes often, so it stands one class later\.$/m);
    assert.doesNotMatch(callText(call([part('host')])), /\*/);
  });
});
