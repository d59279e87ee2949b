import assert from 'node:assert/strict';
import { replayedText, replayText } from '../../../../src/cli/commands/calls/replay.ts';
import { replayFollowsText, replaySumText } from '../../../../src/protocol/replays/replayText.ts';
import type { ReplayedCall } from '../../../../src/protocol/replays.ts';

const call = (number: number, changes: Partial<ReplayedCall> = {}): ReplayedCall => ({
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
const reasons = [
  { kind: 'instructions', part: null },
  { kind: 'not-allowed', part: 'votes' },
] as const;

describe('a replay as text', () => {
  it('lists the calls with what changed, and says which is the first that differs', () => {
    const calls = [
      call(1),
      call(2, { verdict: 'differs', reasons: [...reasons] }),
      call(3, { bead: 'greet', iteration: 2 }),
    ];
    const lines = replayText(calls).split('\n');
    assert.match(
      lines[2] ?? '',
      /^ +2 {2}prd-draft {2}a\/b .* differs +the instructions changed; votes is no longer allowed$/,
    );
    assert.match(lines[3] ?? '', /greet #2 +same$/);
    assert.deepEqual(lines.slice(-2), [
      '3 calls: 2 the same, 1 differs (call 2, prd-draft)',
      'Answers after call 2 may also differ, because its prompt would change.',
    ]);
  });

  it('counts what can’t be told, and says why', () => {
    const calls = [
      call(1, { verdict: 'unknown', gap: 'secrets' }),
      ...[2, 3].map((number) => call(number, { verdict: 'differs' })),
    ];
    assert.equal(
      replaySumText(calls),
      '3 calls: 0 the same, 2 differ (first: call 2, prd-draft), 1 can’t be determined',
    );
    assert.equal(replaySumText([call(1)]), '1 call: 1 the same');
    assert.equal(replayFollowsText([call(1, { verdict: 'differs' })]), '');
    assert.equal(
      replayedText(call(1, { verdict: 'unknown', gap: 'secrets' })),
      'Call 1, prd-draft: can’t be determined: the stored text doesn’t contain secrets that were sent.',
    );
    assert.equal(replayedText(call(1)), 'Call 1, prd-draft: same.');
    assert.equal(replayText([]), 'No model calls yet.');
  });
});
