import type { InspectedCall, InspectedPart } from '../../../src/protocol/inspection.ts';

/** Nothing is known but its length. */
export function inspectedPart(name: string, more: Partial<InspectedPart> = {}): InspectedPart {
  return {
    name,
    kind: 'section',
    stability: 1,
    tokens: 10,
    sha256: 'a'.repeat(64),
    changedAt: 0,
    predicted: 'unknown',
    reported: 'unknown',
    cost: null,
    ...more,
  };
}

/** The provider reported nothing. */
export function inspectedCall(
  parts: readonly InspectedPart[],
  more: Partial<InspectedCall> = {},
): InspectedCall {
  const plan = {
    schema_version: 1,
    contextKey: 'coding',
    prompt: 'coding',
    promptSha256: 'b'.repeat(64),
    policy: 'default',
    model: 'a/b',
  } as const;
  return {
    id: '1',
    run: 'r',
    step: 'ask',
    member: 'a/b',
    prompt: 'coding',
    outcome: 'accepted',
    error: '',
    session: 's',
    label: 'Coding',
    startedAt: 0,
    endedAt: 1,
    estimatedTokens: 20,
    bead: null,
    iteration: null,
    parts,
    frameTokens: null,
    usage: null,
    plan: { ...plan, budget: 100, tokens: 20, parts: [], reductions: [] },
    predicted: { tokens: null, kind: 'unknown', basis: null, culprit: null, culpritTokens: 0, after: 0 },
    reported: null,
    isProviderMiss: false,
    providerMisses: 0,
    cost: null,
    calibration: null,
    ...more,
  };
}
