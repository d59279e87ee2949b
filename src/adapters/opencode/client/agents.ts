import type { ToolPolicy } from '../../../domain/usage/promptPlan.ts';

type Action = 'allow' | 'deny';

/** One rule of a session, in OpenCode's form; it wins over those of the agent. */
export interface Rule {
  permission: string;
  pattern: string;
  action: Action | 'ask';
}

/** Rules of a session whose agent may ask people: it may put questions, and asks to leave its worktree. */
const askingRules: readonly Rule[] = [
  { permission: 'question', pattern: '*', action: 'allow' },
  { permission: 'external_directory', pattern: '*', action: 'ask' },
];

/** Without a sandbox a person allows each command (docs/decisions/105-the-box.md). */
const commandRules: readonly Rule[] = [{ permission: 'bash', pattern: '*', action: 'ask' }];

/** The tool that writes an answer by a schema. OpenCode offers it only where it isn't denied. */
const schemaRules: readonly Rule[] = [{ permission: 'StructuredOutput', pattern: '*', action: 'allow' }];

type Permission = Readonly<Record<string, Action | Readonly<Record<string, Action>>>>;

/** The OpenCode agent of each tool policy. */
export const agentNames = {
  disabled: 'beadsmith-disabled',
  read_only: 'beadsmith-read-only',
  default: 'beadsmith-default',
  execution_setup_online: 'beadsmith-setup',
} as const satisfies Record<ToolPolicy, string>;

/**
 * The permissions of each policy. The last rule that matches wins, so everything is denied first; a tool that
 * is denied throughout isn't even offered to the model. `.ticket/` belongs to the engine, but for the folder
 * where setup leaves its script (docs/decisions/030-engine-runs-the-checks.md).
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
    // Covers the tools edit, write and patch.
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

/** The agents as OpenCode's configuration wants them. */
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

/** The rules of a session: its policy's if the server has no agents of ours, and those for asking people. */
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
