import type { Settings } from '../../../../src/domain/settings/settings.ts';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { crashTests, stage } from '../../../support/crash/stageCrash.ts';
import { report } from '../../../support/engine/executionWorld.ts';

/** The stages of the story, as the keys of their steps begin. */
const stages = ['code:1', 'check:1', 'review:1', 'fix:1', 'check:2', 'review:2', 'finalize:1'];
const settings = {
  depth: 'full',
  councilMembers: ['other/third'],
  review: 'standard',
} satisfies Partial<Settings>;

describe('a driver that ends in a stage of an iteration', function () {
  this.timeout(60_000);

  // One bead that is coded, reviewed, fixed, reviewed again and committed.
  crashTests({
    handlers: { coding },
    end: 'RUNNING_FINAL_TEST',
    parts: Object.fromEntries(stages.map((name) => [name, stage(name)])),
    begin: async (world) => {
      world.agent.known = ['demo/main', 'other/third'];
      await world.begin('CODING', { settings, beads: [{}], limits: { maxIterations: 1 } });
      const finding = {
        severity: 'high',
        category: 'correctness',
        file: 'greet.txt',
        line: 1,
        claim: 'It greets nobody by name.',
        evidence: 'hello',
        suggestedFix: 'Say whom.',
        confidence: 0.9,
      };
      const reviewed = (findings: readonly unknown[]): string =>
        `\`\`\`json\n${JSON.stringify({ checked: ['Each criterion.'], findings })}\n\`\`\`\nEND_OF_ANSWER`;
      world.answers({
        coding: () => {
          world.write('greet.txt', 'hello\n');
          return report('greet');
        },
        review: reviewed([finding]),
        fix: () => {
          world.write('greet.txt', 'hello Ada\n');
          return `${report('greet').replace(/<DEV_RECORD>[^]*<\/DEV_RECORD>\n/, '')}\nEND_OF_ANSWER`;
        },
        'review-again': reviewed([]),
      });
    },
  });
});
