import assert from 'node:assert/strict';
import type { Settings } from '../../src/domain/settings/settings.ts';
import { coding } from '../../src/phases/coding/coding.ts';
import { cleanup } from '../../src/phases/delivery/cleanup.ts';
import { retrospective } from '../../src/phases/delivery/retrospective.ts';
import { crashTests, stage } from '../support/crash/stageCrash.ts';
import { report } from '../support/engine/executionWorld.ts';
import { reviewed, inJson } from '../support/engine/reviewAnswers.ts';
import { speakerOf } from '../support/models/fakeAgent.ts';

describe('a driver that ends in what is off by default', function () {
  this.timeout(60_000);

  describe('in a kickoff, or a party review with its votes', () => {
    const finding = (confidence: number, claim: string) => ({
      severity: 'medium',
      category: 'style',
      file: 'greet.txt',
      line: 1,
      claim,
      evidence: 'hello',
      suggestedFix: 'Say whom.',
      confidence,
    });
    crashTests({
      handlers: { coding },
      end: 'RUNNING_FINAL_TEST',
      parts: {
        'the kickoff': stage('kickoff:1'),
        'the first round': ({ key }) => key.startsWith('review:1/') && !key.includes('vote'),
        'the votes': ({ key }) => /^review:1\/\w+\/vote/.test(key),
      },
      check: ({ prompts, records, findings }) => {
        for (const speaker of ['Amelia', 'Murat', 'Winston'])
          for (const task of ['kickoff', 'review', 'party-vote'])
            assert.ok(prompts.includes(`${task} ${speaker} 1`), `${task} ${speaker}`);
        assert.deepEqual(
          [records.includes('greet 1 kickoff'), records.includes('greet 1 party_review')],
          [true, true],
        );
        assert.match(findings.join(), /by name\. murat\+winston 2/);
      },
      begin: async (world) => {
        world.agent.known = ['demo/main', 'other/third'];
        const settings: Partial<Settings> = {
          depth: 'full',
          councilMembers: ['other/third'],
          kickoff: true,
          review: 'party',
        };
        await world.begin('CODING', { settings, limits: { maxIterations: 1 } });
        const lists = {
          architectural_notes: [],
          implementation_strategy: [],
          testing_approach: [],
          identified_risks: [],
          needs_human: '',
        };
        world.answers({
          kickoff: (call) => inJson({ ...lists, key_decisions: [`${speakerOf(call)} would say hello.`] }),
          coding: world.writing({ 'greet.txt': 'hello\n' }),
          review: (call) => {
            if (speakerOf(call) === 'Winston') return reviewed(finding(0.9, 'It greets nobody by name.'));
            return speakerOf(call) === 'Murat' ? reviewed(finding(0.6, 'The name is missing.')) : reviewed();
          },
          'party-vote': (call) =>
            inJson({
              ballots: [
                {
                  finding: 'greet.1.1.1',
                  vote: speakerOf(call) === 'Amelia' ? 'reject' : 'confirm',
                  reason: 'So it is.',
                },
              ],
            }),
        });
      },
    });
  });

  describe('in an analysis, or in what follows from it', () => {
    const hint = 'Write the word in lower case.';
    const said = 'Read.';
    crashTests({
      handlers: { coding },
      end: 'RUNNING_FINAL_TEST',
      parts: {
        'the analysis': stage('analyse:1'),
        'the end of the failed iteration': ({ key }) =>
          /^(?:analysed|end|note|reset|requeue):greet:1/.test(key),
        'the next iteration': ({ iteration }) => iteration === 2,
      },
      check: ({ beads, tasks, records }) => {
        assert.deepEqual(beads, ['greet 2 done']);
        assert.deepEqual(tasks, [
          'coding',
          'failure-analysis',
          'failure-analysis',
          'failure-analysis',
          'coding-note',
          'coding',
        ]);
        assert.equal(records.filter((record) => record === 'greet 1 failure_analysis').length, 1);
      },
      begin: async (world) => {
        world.agent.known = ['demo/main', 'other/second'];
        const settings: Partial<Settings> = {
          depth: 'full',
          councilMembers: ['other/second'],
          failureAnalysis: 'auto',
        };
        await world.begin('CODING', { settings, limits: { maxIterations: 2, maxContinuations: 0 } });
        const assessments = {
          architecture: said,
          implementation: said,
          requirements: said,
          environment: said,
        };
        world.answers({
          coding: ({ whole }) => {
            world.write('greet.txt', whole.includes(hint) ? 'hello\n' : 'HELLO\n');
            return report('greet');
          },
          'failure-analysis': inJson({
            assessments,
            rootCause: 'It is written in capitals.',
            plan: ['Use lower case.'],
            recommendation: 'retry',
            rationale: said,
            retryHint: hint,
            confidence: 0.7,
          }),
          'coding-note': 'It was in capitals.',
        });
      },
    });
  });

  describe('between passes', () => {
    crashTests({
      handlers: { coding },
      end: 'RUNNING_FINAL_TEST',
      parts: { 'the check of an early claim': stage('check:1'), 'the second pass': stage('code:2') },
      check: ({ prompts, records }) => {
        assert.deepEqual(prompts, ['coding nobody 1', 'coding nobody 1'], 'each pass has a fresh session');
        assert.equal(records.filter((record) => record === 'greet 1 gate').length, 3, records.join());
      },
      begin: async (world) => {
        await world.begin('CODING', {
          settings: { minPasses: 2, maxPasses: 3 },
          limits: { maxIterations: 1, maxContinuations: 1 },
        });
        world.answers({
          coding: ({ whole }) => {
            world.write(
              'greet.txt',
              whole.includes('## pass_report') ? `${world.readWorktree('greet.txt')}again\n` : 'hello\n',
            );
            return report('greet');
          },
        });
      },
    });
  });

  describe('in a retrospective', () => {
    crashTests({
      handlers: { retrospective, cleanup },
      end: 'COMPLETED',
      parts: { 'the look back': ({ key }) => /^(?:uat|look-back|documents)/.test(key) },
      check: ({ tasks, documents }) => {
        assert.deepEqual(tasks, ['retrospective']);
        for (const kind of ['retrospective_report', 'handoff_report', 'uat_checklist'] as const)
          assert.ok(documents.includes(kind), kind);
      },
      begin: async (world) => {
        await world.begin('WRITING_RETROSPECTIVE', {
          settings: { retrospective: true },
          beads: [{ status: 'done' }],
        });
        world.answers({
          retrospective: [
            'patterns: ["A greeting is a file."]',
            'handoff:',
            '  patterns: [{ text: "Greetings are files.", evidence: [README.md] }]',
            'uat: [{ criteria: [greet.AC1], actions: ["Read greet.txt."], expected: "It says hello." }]',
            'END_OF_ANSWER',
          ].join('\n'),
        });
      },
    });
  });
});
