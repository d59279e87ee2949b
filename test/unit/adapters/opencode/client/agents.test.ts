import assert from 'node:assert/strict';
import {
  agentConfigs,
  agentNames,
  type Rule,
  sessionRules,
} from '../../../../../src/adapters/opencode/client/agents.ts';
import type { ToolPolicy } from '../../../../../src/domain/usage/promptPlan.ts';

const policies = [
  'disabled',
  'read_only',
  'default',
  'execution_setup_online',
] as const satisfies readonly ToolPolicy[];
const plain = { known: true, asks: false, structured: false, guarded: false };

/** The last rule that matches wins. */
function decided(rules: readonly Rule[], tool: string, what = 'src/a.ts'): Rule['action'] | undefined {
  const matches = (pattern: string, text: string) =>
    new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`, 's').test(text);
  return rules.findLast(({ permission, pattern }) => matches(permission, tool) && matches(pattern, what))
    ?.action;
}

function configured(policy: ToolPolicy): readonly Rule[] {
  const all = agentConfigs({ disabled: '', read_only: '', default: '', execution_setup_online: '' });
  const { permission } = all[agentNames[policy]] as {
    permission: Record<string, Rule['action'] | Record<string, Rule['action']>>;
  };
  return Object.entries(permission).flatMap(([name, rule]) =>
    Object.entries(typeof rule === 'string' ? { '*': rule } : rule).map(([pattern, action]) => ({
      permission: name,
      pattern,
      action,
    })),
  );
}

/** In the agent of our servers, and in the session on a server without it. */
const places = [
  ['agent', configured],
  [
    'session where the agent is not known',
    (policy: ToolPolicy) => sessionRules(policy, { ...plain, known: false }),
  ],
] as const;

describe('what an agent may do', () => {
  for (const [place, rulesOf] of places) {
    const allowed = (tools: readonly string[], what?: string) =>
      policies.map((policy) => tools.filter((tool) => decided(rulesOf(policy), tool, what) === 'allow'));

    it(`depends on the policy of its ${place}`, () => {
      const tools = [
        'read',
        'grep',
        'glob',
        'list',
        'edit',
        'bash',
        'todowrite',
        'webfetch',
        'websearch',
        'task',
        'external_directory',
      ];
      const reads = ['read', 'grep', 'glob'];
      const works = [...reads, 'edit', 'bash', 'todowrite'];
      assert.deepEqual(allowed(tools), [[], reads, works, [...works, 'webfetch']]);
    });

    it(`excludes the folder of the ticket, but for the script of setup, for each ${place}`, () => {
      for (const path of [
        '.ticket/plan.md',
        'sub/.ticket/plan.md',
        '.ticket/runtime/other/x',
        '/tree/.ticket/runtime/execution-setup',
      ]) {
        assert.deepEqual(allowed(['edit'], path), [[], [], [], []], path);
      }
      for (const path of [
        '.ticket/runtime/execution-setup/setup.sh',
        '/tree/.ticket/runtime/execution-setup/setup.sh',
        'ticket/plan.md',
      ]) {
        assert.deepEqual(allowed(['edit'], path), [[], [], ['edit'], ['edit']], path);
      }
    });
  }

  it('is said to agents that each have their own name and prompt', () => {
    const configs = agentConfigs({
      disabled: 'd',
      read_only: 'r',
      default: 'w',
      execution_setup_online: 's',
    });
    const prompts = Object.entries(configs).map(([name, config]) => [
      name,
      (config as { prompt: string; mode: string }).prompt,
    ]);
    assert.deepEqual(prompts, [
      ['beadsmith-disabled', 'd'],
      ['beadsmith-read-only', 'r'],
      ['beadsmith-default', 'w'],
      ['beadsmith-setup', 's'],
    ]);
  });

  it('is left to the agent by its session, where nothing else is asked for', () => {
    for (const policy of policies) assert.deepEqual(sessionRules(policy, plain), []);
  });

  it('includes questions to people, and to ask them before it leaves its worktree, if it asks', () => {
    for (const policy of policies) {
      const rules = [...configured(policy), ...sessionRules(policy, { ...plain, asks: true })];
      assert.deepEqual(
        [decided(rules, 'question'), decided(rules, 'external_directory')],
        ['allow', 'ask'],
        policy,
      );
    }
  });

  it('includes commands only after a person allowed them, if it is guarded', () => {
    const guarded = policies.map((policy) =>
      decided(
        [...configured(policy), ...sessionRules(policy, { ...plain, guarded: true })],
        'bash',
        'rm -r x',
      ),
    );
    assert.deepEqual(guarded, ['deny', 'deny', 'ask', 'ask']);
  });

  it('includes the tool of a schema, if its answer has one', () => {
    for (const policy of policies) {
      const rules = [...configured(policy), ...sessionRules(policy, { ...plain, structured: true })];
      assert.deepEqual(
        [decided(rules, 'StructuredOutput'), decided(configured(policy), 'StructuredOutput')],
        ['allow', 'deny'],
        policy,
      );
    }
  });
});
