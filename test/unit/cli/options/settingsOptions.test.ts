import assert from 'node:assert/strict';
import { parseWords } from '../../../../src/cli/base/args.ts';
import {
  limitOption,
  limitsAtStart,
  namedLimits,
  settingsOf,
  settingsOptions,
} from '../../../../src/cli/options/settingsOptions.ts';
import { limitNames, writtenLimit } from '../../../../src/domain/settings/limits.ts';
import type { Settings } from '../../../../src/domain/settings/settings.ts';

const main = ['--model', 'a/b', '--council', 'c/d'];
const argsOf = (...words: string[]) => parseWords(words, settingsOptions);
const settings = (...words: string[]): Settings => settingsOf(argsOf(...main, ...words));

const rows: readonly (readonly [words: string, settings: Partial<Settings>])[] = [
  [
    '',
    {
      mainImplementer: 'a/b',
      councilMembers: ['c/d'],
      depth: 'full',
      agentQuestions: 'deny',
      freshPasses: true,
      gitHookPolicy: 'validate_advisory',
    },
  ],
  ['--second-model e/f', { secondImplementer: 'e/f' }],
  ['--council g/h', { councilMembers: ['c/d', 'g/h'] }],
  ['--depth solo', { depth: 'solo', councilMembers: [] }],
  ['--depth quick', { depth: 'quick' }],
  ['--integration squash', { integration: 'squash' }],
  ['--worktree-at-end remove', { worktreeAtEnd: 'remove' }],
  ['--git-hooks observe', { gitHookPolicy: 'observe_only' }],
  ['--git-hooks require', { gitHookPolicy: 'validate_required' }],
  ['--git-hooks run', { gitHookPolicy: 'use_native_hooks' }],
  ['--agent-questions pause', { agentQuestions: 'pause' }],
  ['--agent-questions deny', { agentQuestions: 'deny' }],
  ['--agent-questions 90', { agentQuestions: 'timed', aiQuestionWindow: 90_000 }],
  ['--qa', { manualQaEnabled: true }],
  ['--review party --reviewer c/d', { review: 'party', reviewer: 'c/d' }],
  ['--review off', { review: 'off' }],
  ['--persona winston --persona murat', { personas: ['winston', 'murat'] }],
  ['--party-mode solo --party-rounds 1', { partyMode: 'solo', partyRounds: 1 }],
  ['--kickoff', { kickoff: true }],
  ['--failure-analysis suggest', { failureAnalysis: 'suggest' }],
  ['--retrospective', { retrospective: true }],
  ['--min-passes 2 --max-passes 3 --same-session', { minPasses: 2, maxPasses: 3, freshPasses: false }],
  ['--promise DONE', { promise: 'DONE' }],
  ['--prompt-order recency', { promptOrder: 'recency' }],
  ['--long-conversations off', { longConversations: 'off' }],
  ['--preview-prompts all', { previewPrompts: 'all' }],
  ['--pass-gates always', { passGates: 'always' }],
  ['--freeze-tests', { freezeApprovedTests: true }],
  ['--quorum 2', { minCouncilQuorum: 2 }],
  ['--lens security --lens users', { councilLenses: ['security', 'users'] }],
  ['--lens none', { councilLenses: [] }],
  ['--questions 5', { interviewQuestions: 5 }],
  ['--structured-output off', { structuredOutput: 'off' }],
  ['--repairs 2', { structuredRetryCount: 2 }],
  ['--prd-passes 3', { maxPrdCoveragePasses: 3 }],
  ['--beads-passes 4', { maxBeadsCoveragePasses: 4 }],
  ['--token-budget 50000', { tokenBudget: 50_000 }],
];

describe('the options of a ticket', () => {
  for (const [words, expected] of rows)
    it(`${words || 'none'} become settings`, () => {
      const found = settings(...words.split(' ').filter((word) => word !== ''));
      assert.deepEqual(
        Object.fromEntries(Object.keys(expected).map((name) => [name, found[name as keyof Settings]])),
        expected,
      );
    });

  it('are each tried here, but for those that a start has beside its settings', () => {
    const tried = new Set(rows.flatMap(([words]) => words.match(/(?<=--)[\w-]+/g) ?? []));
    const limits = new Set(limitNames.map(limitOption));
    const others = ['model', 'base', 'handoff'];
    const untried = Object.keys(settingsOptions).filter(
      (name) => !tried.has(name) && !limits.has(name) && !others.includes(name),
    );
    assert.deepEqual(untried, []);
  });

  for (const [words, said] of [
    ['--depth deep', /--depth is one of full, solo, quick, not "deep"\./],
    ['--git-hooks never', /--git-hooks is one of observe, check, require, run, not "never"\./],
    ['--quorum many', /--quorum takes a whole number, not "many"\./],
    ['--agent-questions often', /--agent-questions takes a whole number, not "often"\./],
    ['--lens beauty', /A setting can't be used: /],
    ['--repairs 1000', /A setting can't be used: /],
  ] as const)
    it(`${words} is refused`, () => {
      assert.throws(() => settings(...words.split(' ')), { message: said });
    });

  it('need a model', () => {
    assert.throws(() => settingsOf(argsOf('--depth', 'solo')), {
      message: /specify --model PROVIDER\/MODEL/,
    });
  });

  it('name each limit in the unit that people write', () => {
    for (const name of limitNames) {
      const named = namedLimits(argsOf(`--${limitOption(name)}`, '7'));
      assert.deepEqual(Object.keys(named), [name]);
      assert.equal(writtenLimit(name, named[name] ?? 0), 7, name);
    }
    assert.deepEqual(namedLimits(argsOf()), {});
  });

  it('are limits of a start, and refused beyond what a limit can be', () => {
    const { maxIterations, perIterationTimeout } = limitsAtStart(
      argsOf('--iterations', '7', '--timeout', '60'),
    );
    assert.deepEqual([maxIterations, perIterationTimeout], [7, 60_000]);
    assert.throws(() => limitsAtStart(argsOf('--iterations', '100000')), {
      message: /A setting can't be used: /,
    });
  });
});
