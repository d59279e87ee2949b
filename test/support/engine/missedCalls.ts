import { sha256 } from '../../../src/base/sha256.ts';
import type { Change } from '../../../src/engine/ports/storePort.ts';
import { samplePlan, sampleUsage } from '../samples.ts';

export const member = 'openai/gpt';
const plan = samplePlan({
  model: member,
  budget: 9_000,
  tokens: 4_000,
  instructions: { at: 0, tokens: 0, sha256: sha256('i') },
  parts: [{ name: 'bead_data', kind: 'slice', stability: 1, tokens: 4_000, sha256: sha256('d') }],
});

/** The `number`th call of its ticket. */
export function called(ticket: string, number: number, cacheRead: number): readonly Change[] {
  const id = `${ticket} ${String(number)}`;
  const place = { ticket, run: 'r', step: 'ask' };
  const startedAt = 1_000 * number;
  return [
    {
      type: 'session',
      session: {
        ...place,
        id,
        member,
        bead: null,
        iteration: null,
        directory: '/w',
        title: id,
        state: 'completed',
      },
    },
    {
      type: 'call',
      call: {
        ...place,
        id,
        session: id,
        plan,
        input: '',
        output: '',
        outcome: 'accepted',
        error: '',
        startedAt,
        endedAt: startedAt + 500,
      },
    },
    {
      type: 'usage',
      run: 'r',
      call: id,
      usage: sampleUsage({
        messageId: id,
        model: 'gpt',
        input: 4_000 - cacheRead,
        output: 1,
        cacheRead,
        first: { prompt: 4_000, cacheRead },
      }),
    },
  ];
}
