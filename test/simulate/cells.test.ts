import assert from 'node:assert/strict';
import { statuses } from '../../src/domain/workflow/workflow.ts';
import { cellPoints, runCell, undisturbedCell } from './cells.ts';
import type { Outcome } from './simulation.ts';

/**
 * The driver ends at one point of one status; the next one brings the ticket to the same end, with as many
 * prompts.
 */
describe('a driver that ends in each status', function () {
  this.timeout(60_000);
  for (const status of statuses) {
    describe(status, () => {
      let reference: Outcome;

      before(async () => {
        reference = (await undisturbedCell(status)) ?? assert.fail('the story has no end');
      });

      for (const point of cellPoints)
        it(point, async () => {
          const outcome = (await runCell(status, point)) ?? assert.fail('no driver came to this point');
          assert.deepEqual(outcome.problems, []);
          assert.ok(outcome.visited.has(status), 'it never came to the status');
          assert.equal(outcome.counts.kills, 1);
          assert.equal(outcome.status, reference.status);
          assert.equal(outcome.prompts, reference.prompts, 'prompts');
          assert.equal(outcome.tree, reference.tree, 'what the branch ends in');
        });
    });
  }
});
