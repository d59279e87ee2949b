import assert from 'node:assert/strict';
import { simulateInHalves } from './halves.ts';
import { fingerprint, simulate } from './simulation.ts';

const runs = 100;

/** `test/whole/simulated.test.ts` has ten times as many. */
describe('simulated tickets', function () {
  this.timeout(450_000);

  it(`keep every rule in ${String(runs)} runs, and live through dozens of kills`, async () => {
    const { failed, kills, freezes, faults, text } = await simulateInHalves(runs);
    assert.deepEqual(failed, [], text);
    assert.ok(kills > 50 && freezes > 20 && faults > 300, text);
  });

  it('go the same way again with the same seed', async () => {
    for (const seed of [3, 4]) {
      const [first, again] = [await simulate(seed), await simulate(seed)];
      assert.equal(fingerprint(again), fingerprint(first));
    }
    assert.notEqual(fingerprint(await simulate(3)), fingerprint(await simulate(4)));
  });
});
