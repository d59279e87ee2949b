import assert from 'node:assert/strict';
import { statuses } from '../../src/domain/workflow/workflow.ts';
import { simulateInHalves } from '../simulate/halves.ts';

const runs = 1_000;

describe('many simulated tickets', function () {
  this.timeout(900_000);

  it(`keep every rule in ${String(runs)} runs, come to every status, and live through hundreds of kills`, async () => {
    const { failed, visited, kills, freezes, faults, text } = await simulateInHalves(runs);
    assert.deepEqual(failed, [], text);
    assert.deepEqual(
      statuses.filter((status) => !visited.includes(status)),
      [],
    );
    assert.ok(kills > 500 && freezes > 200 && faults > 3_000, text);
  });
});
