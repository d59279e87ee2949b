import assert from 'node:assert/strict';
import { LoopDetector } from '../../../../src/adapters/opencode/activityFeed.ts';

describe('An agent that goes round in circles', () => {
  const call = (id: number, pattern: string) => ({ id: String(id), tool: 'grep', input: { pattern, path: '.' } });

  it('is noticed at the fifth same call in a row, in whatever order its input is written', () => {
    const detector = new LoopDetector();
    const seen = [1, 2, 3, 4].map((id) => detector.add(call(id, 'x')));
    assert.deepEqual(seen, [false, false, false, false]);
    assert.equal(detector.add({ id: '5', tool: 'grep', input: { path: '.', pattern: 'x' } }), true);
  });

  it('is not noticed in one call reported many times, nor when something lies between', () => {
    const detector = new LoopDetector();
    for (let report = 0; report < 10; report++) assert.equal(detector.add(call(1, 'x')), false);
    for (let id = 2; id < 20; id++) assert.equal(detector.add(call(id, id % 4 === 0 ? 'y' : 'x')), false);
  });

  it('is not taken for one because its calls were reported again long ago', () => {
    const detector = new LoopDetector();
    for (let id = 0; id < 5_000; id++) for (const _ of ['begun', 'ended']) assert.equal(detector.add(call(id, String(id % 2))), false);
  });
});
