import type { Settings } from '../../../../src/domain/settings/settings.ts';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { crashTests, stage } from '../../../support/crash/stageCrash.ts';
import { finding, fixReport, reviewed } from '../../../support/engine/reviewAnswers.ts';

/** As the keys of its steps begin. */
const stages = ['code:1', 'check:1', 'review:1', 'fix:1', 'check:2', 'review:2', 'finalize:1'];
const settings = {
  depth: 'full',
  councilMembers: ['other/third'],
  review: 'standard',
} satisfies Partial<Settings>;

describe('a driver that ends in a stage of an iteration', function () {
  this.timeout(60_000);

  // Coded, reviewed, fixed, reviewed again and committed.
  crashTests({
    handlers: { coding },
    end: 'RUNNING_FINAL_TEST',
    parts: Object.fromEntries(stages.map((name) => [name, stage(name)])),
    begin: async (world) => {
      world.agent.known = ['demo/main', 'other/third'];
      await world.begin('CODING', { settings, beads: [{}], limits: { maxIterations: 1 } });
      world.answers({
        coding: world.writing({ 'greet.txt': 'hello\n' }),
        review: reviewed(finding()),
        fix: () => {
          world.write('greet.txt', 'hello Ada\n');
          return fixReport();
        },
        'review-again': reviewed(),
      });
    },
  });
});
