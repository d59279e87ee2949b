import assert from 'node:assert/strict';
import { RunawayGuard } from '../../../../src/adapters/opencode/runaway.ts';

const zero = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };

function watch(options: ConstructorParameters<typeof RunawayGuard>[0] = {}) {
  const guard = new RunawayGuard(options);
  return {
    kind: () => guard.failure?.kind,
    call: (id: number, input: unknown, status = 'completed') => {
      guard.add({
        kind: 'part',
        part: {
          id: `part-${String(id)}`,
          type: 'tool',
          tool: 'grep',
          callID: String(id),
          state: { status, input },
        },
      });
    },
    step: (id: number, tokens = zero, cost = 0) => {
      guard.add({ kind: 'part', part: { id: `step-${String(id)}`, type: 'step-finish', tokens, cost } });
    },
    say: (text: string) => {
      guard.add({ kind: 'delta', part: 'text', field: 'text', text });
    },
  };
}

describe('A prompt that would never end', () => {
  it('is noticed at the fifth same call in a row, in whatever order its input is written', () => {
    const { call, kind } = watch();
    for (const id of [1, 2, 3, 4]) call(id, { pattern: 'x', path: '.' });
    assert.equal(kind(), undefined);
    call(5, { path: '.', pattern: 'x' });
    assert.equal(kind(), 'loop');
  });

  it('is not noticed in one call reported many times, nor when something lies between', () => {
    const { call, kind } = watch();
    for (let report = 0; report < 10; report++) call(1, { pattern: 'x' });
    for (let id = 2; id < 20; id++) call(id, { pattern: id % 4 === 0 ? 'y' : 'x' });
    call(20, { pattern: 'z' }, 'pending');
    assert.equal(kind(), undefined);
  });

  it('is not noticed because calls were reported again long ago', () => {
    const { call, kind } = watch();
    for (let id = 0; id < 5_000; id++)
      for (const status of ['running', 'completed']) call(id, { pattern: String(id % 2) }, status);
    assert.equal(kind(), undefined);
  });

  it('is noticed when the model is asked a fourth time in a row without a tool call', () => {
    const { call, step, kind } = watch();
    for (let id = 0; id < 50; id++) {
      call(id, { pattern: String(id) });
      step(id);
    }
    for (const id of [100, 101, 102, 102, 102]) step(id);
    assert.equal(kind(), undefined);
    step(103);
    assert.equal(kind(), 'loop');
  });

  it('is noticed when it used the tokens that are left, those of caches among them', () => {
    const { call, step, kind } = watch({ mostTokens: 1_000 });
    call(1, { pattern: 'x' });
    step(1, { input: 100, output: 100, reasoning: 100, cache: { read: 600, write: 99 } });
    assert.equal(kind(), undefined);
    step(1, { input: 100, output: 100, reasoning: 100, cache: { read: 600, write: 99 } });
    assert.equal(kind(), undefined, 'a step that is reported twice counts once');
    call(2, { pattern: 'y' });
    step(2, { ...zero, output: 1 });
    assert.equal(kind(), 'capped');
  });

  it('AT-32: is noticed when it cost the money that is left', () => {
    const { call, step, kind } = watch({ mostCost: 0.5 });
    call(1, { pattern: 'x' });
    step(1, zero, 0.3);
    step(1, zero, 0.3);
    assert.equal(kind(), undefined);
    call(2, { pattern: 'y' });
    step(2, zero, 0.2);
    assert.equal(kind(), 'capped');
  });

  it('is noticed by what it says where a provider reports no tokens', () => {
    const { call, step, say, kind } = watch({ mostTokens: 1_000, prompt: 'x'.repeat(2_000) });
    call(1, { pattern: 'x' });
    say('y'.repeat(1_000));
    step(1);
    assert.equal(kind(), undefined);
    call(2, { pattern: 'y' });
    step(2);
    assert.equal(kind(), 'capped');
  });
});
