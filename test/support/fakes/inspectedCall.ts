import type { InspectedCall, InspectedPart } from '../../../src/protocol/inspection.ts';
import type { CallTexts } from '../../../src/protocol/history.ts';
import type { ReplayedCall } from '../../../src/protocol/replays.ts';
import { sampleCall, samplePlan } from '../samples.ts';

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
  return {
    ...sampleCall({ id: '1', run: 'r', member: 'a/b', startedAt: 0, endedAt: 1, estimatedTokens: 20 }),
    session: 's',
    label: 'Coding',
    bead: null,
    iteration: null,
    parts,
    frameTokens: null,
    usage: null,
    plan: samplePlan({ model: 'a/b', tokens: 20 }),
    predicted: { tokens: null, kind: 'unknown', basis: null, culprit: null, culpritTokens: 0, after: 0 },
    reported: null,
    isProviderMiss: false,
    providerMisses: 0,
    cost: null,
    calibration: null,
    ...more,
  };
}

/** What is stored of it, with these texts. */
export function pastCall(call: InspectedCall, texts: Partial<CallTexts> = {}): CallTexts {
  const { id, run, step, member, prompt, outcome, error, startedAt, endedAt, estimatedTokens } = call;
  const view = { id, run, step, member, prompt, outcome, error, startedAt, endedAt, estimatedTokens };
  return { ...view, input: '', output: '', plan: '', ...texts };
}

export const replayedCall = (number: number, changes: Partial<ReplayedCall> = {}): ReplayedCall => ({
  number,
  id: String(number),
  prompt: 'prd-draft',
  member: 'a/b',
  label: 'Drafting PRD',
  bead: null,
  iteration: null,
  verdict: 'same',
  reasons: [],
  gap: null,
  ...changes,
});
