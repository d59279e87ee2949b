import assert from 'node:assert/strict';
import * as z from 'zod';
import type { CallView, RunView } from '../../../../../src/protocol/history.ts';
import { BeadCalls } from '../../../../../src/protocol/pages/inspection.ts';
import { beadCalls } from '../../../../../src/views/pages/calls/beadCalls.ts';
import { sampleCall, sampleRun, sampleUsage } from '../../../../support/samples.ts';

const usage = (run: string, call: string | null, changes: object = {}) => ({
  ...sampleUsage({ messageId: `m-${String(call)}`, model: 'a/one', input: 1, output: 2, reasoning: 3 }),
  cacheRead: 4,
  cacheWrite: 5,
  run,
  call,
  ...changes,
});
const call = (id: string): CallView =>
  sampleCall({ id, run: 'r', startedAt: 7, endedAt: 8, estimatedTokens: 9 });
const iteration = (run: string, bead: string, number: number): RunView['iterations'][number] => ({
  run,
  bead,
  iteration: number,
  state: 'closed',
  exit: null,
  stages: [],
});
const runs: readonly RunView[] = [
  sampleRun({
    id: 'code',
    iterations: [iteration('r1', 'greet', 1), iteration('r2', 'greet', 2), iteration('r3', 'part', 1)],
  }),
];

describe('the calls of beads', () => {
  it('are told by bead in the order in which they were made, with what each used', () => {
    const told = beadCalls(
      [usage('r1', 'c1'), usage('r3', 'c3'), usage('r2', 'c2', { estimated: true })],
      ['c1', 'c2', 'c3'].map(call),
      runs,
    );
    const used = { prompt: 'coding', startedAt: 7, cacheRead: 4, cacheWrite: 5, input: 1, output: 5 };
    assert.deepEqual(z.array(BeadCalls).parse(told), [
      {
        bead: 'greet',
        calls: [
          { ...used, id: 'c1', iteration: 1, estimated: false },
          { ...used, id: 'c2', iteration: 2, estimated: true },
        ],
        total: 2,
      },
      { bead: 'part', calls: [{ ...used, id: 'c3', iteration: 1, estimated: false }], total: 1 },
    ]);
  });

  it('leave out what belongs to no bead, and keep the newest of many', () => {
    assert.deepEqual(
      beadCalls([usage('planning', 'c1'), usage('r1', null), usage('r1', 'gone')], [call('c1')], runs),
      [],
    );
    const many = Array.from({ length: 80 }, (_, at) => `c${String(at)}`);
    const [bars] = beadCalls(
      many.map((id) => usage('r1', id)),
      many.map(call),
      runs,
    );
    assert.deepEqual([bars?.total, bars?.calls.length, bars?.calls.at(-1)?.id], [80, 60, 'c79']);
  });
});
