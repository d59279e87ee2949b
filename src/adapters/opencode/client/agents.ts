import type { ToolPolicy } from '../../../domain/usage/promptPlan.ts';

type Action = 'allow' | 'deny';

export interface Rule {
  permission: string;
  pattern: string;
  action: Action | 'ask';
}

/** Rules to ask questions, and for leave to go outside the worktree. */
const askingRules: readonly Rule[] = [
  { permission: 'question', pattern: '*', action: 'allow' },
  { permission: 'external_directory', pattern: '*', action: 'ask' },
];

/** A person allows each command where there is no sandbox (docs/decisions/105-the-sandbox.md). */
const commandRules: readonly Rule[] = [{ permission: 'bash', pattern: '*', action: 'ask' }];

/** The tool for answers by a schema: OpenCode offers it unless denied. */
const schemaRules: readonly Rule[] = [{ permission: 'StructuredOutput', pattern: '*', action: 'allow' }];

type Permission = Readonly<Record<string, Action | Readonly<Record<string, Action>>>>;

export const agentNames = {
  disabled: 'beadsmith-disabled',
  read_only: 'beadsmith-read-only',
  default: 'beadsmith-default',
  execution_setup_online: 'beadsmith-setup',
} as const satisfies Record<ToolPolicy, string>;

/**
 * The last match wins, so everything is denied first; a tool denied throughout isn't offered. `.ticket/` is
 * the engine's, but for setup's script (docs/decisions/030-engine-runs-the-checks.md).
 */
const permissions: Record<ToolPolicy, Permission> = {
  disabled: { '*': 'deny' },
  read_only: { '*': 'deny', read: 'allow', grep: 'allow', glob: 'allow' },
  default: working(),
  execution_setup_online: { ...working(), webfetch: 'allow' },
};

function working(): Permission {
  return {
    '*': 'deny',
    read: 'allow',
    grep: 'allow',
    glob: 'allow',
    edit: {
      '*': 'allow',
      '.ticket/*': 'deny',
      '*/.ticket/*': 'deny',
      '.ticket/runtime/execution-setup/*': 'allow',
      '*/.ticket/runtime/execution-setup/*': 'allow',
    },
    bash: 'allow',
    todowrite: 'allow',
    external_directory: 'deny',
  };
}

export function agentConfigs(
  prompts: Readonly<Record<ToolPolicy, string>>,
): Readonly<Record<string, unknown>> {
  const policies: readonly ToolPolicy[] = ['disabled', 'read_only', 'default', 'execution_setup_online'];
  return Object.fromEntries(
    policies.map((policy) => [
      agentNames[policy],
      { mode: 'primary', prompt: prompts[policy], permission: permissions[policy] },
    ]),
  );
}

export function sessionRules(
  policy: ToolPolicy,
  options: {
    readonly known: boolean;
    readonly asks: boolean;
    readonly structured: boolean;
    readonly guarded: boolean;
  },
): readonly Rule[] {
  const guarded = options.guarded && permissions[policy]['bash'] === 'allow';
  return [
    ...(options.known ? [] : rulesOf(policy)),
    ...(options.asks ? askingRules : []),
    ...(guarded ? commandRules : []),
    ...(options.structured ? schemaRules : []),
  ];
}

function rulesOf(policy: ToolPolicy): readonly Rule[] {
  return Object.entries(permissions[policy]).flatMap(([permission, rule]) =>
    typeof rule === 'string'
      ? [{ permission, pattern: '*', action: rule }]
      : Object.entries(rule).map(([pattern, action]) => ({ permission, pattern, action })),
  );
}
