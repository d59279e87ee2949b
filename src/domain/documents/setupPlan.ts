import * as z from 'zod';
import { isRecord } from '../../base/json.ts';
import { OfferedHook } from '../environment/gitHooks.ts';
import { PassedVariable, WorktreeInput } from '../environment/inputs.ts';
import { Services } from '../environment/services.ts';
import { VariableName } from '../environment/variables.ts';
import { Evidence } from '../core/evidence.ts';
import { TicketId, RelativePath } from '../core/ids.ts';
import { checked, errorAt, itemOf, listOf, wrongTicket } from './base/check.ts';
import type { Document } from './base/document.ts';

const Command = z.string().min(1).max(4_000);
const lines = z.array(z.string()).default([]);
const ProjectCommands = z
  .object({
    prepare: z.array(Command).default([]),
    test_full: z.array(Command).default([]),
    lint_full: z.array(Command).default([]),
    typecheck_full: z.array(Command).default([]),
    build_full: z.array(Command).default([]),
  })
  .default({ prepare: [], test_full: [], lint_full: [], typecheck_full: [], build_full: [] });
const SetupStep = z.object({
  id: z.string().default(''),
  title: z.string().default(''),
  purpose: z.string().default(''),
  commands: z.array(Command).min(1),
  required: z.boolean().default(true),
  rationale: z.string().default(''),
  cautions: lines,
});

/** A model's `<EXECUTION_SETUP_PLAN>` (docs/decisions/027-execution-setup.md). */
export const SetupPlanDraft = z
  .object({
    summary: z.string().default(''),
    readiness: z.object({
      status: z.enum(['ready', 'partial', 'missing']),
      actions_required: z.boolean(),
      evidence: lines,
      gaps: lines,
    }),
    temp_roots: z
      .array(RelativePath)
      .default(['.ticket/runtime/execution-setup', '.ticket/runtime/execution-setup/tool-cache']),
    steps: z.array(SetupStep).default([]),
    services: Services.default([]),
    project_commands: ProjectCommands,
    cautions: lines,
  })
  .superRefine((plan, context) => {
    const message = setupPlanProblem(plan);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
export type SetupPlanDraft = z.infer<typeof SetupPlanDraft>;

/** Written by no model; a person decides. */
const Offers = {
  inputs: z.array(WorktreeInput).default([]),
  variables: z.array(PassedVariable).default([]),
  hooks: z.array(OfferedHook).default([]),
};

/** `execution_setup_plan`, approved at the setup gate. */
export const SetupPlan = z.object({
  ...SetupPlanDraft.shape,
  ...Offers,
  schema_version: z.literal(1),
  ticket_id: TicketId,
  artifact: z.literal('execution_setup_plan'),
  status: z.enum(['draft', 'approved']),
});
export type SetupPlan = z.infer<typeof SetupPlan>;

const CheckResult = z.enum(['pass', 'fail']);

/**
 * The agent's `<EXECUTION_SETUP_RESULT>` (docs/decisions/027-execution-setup.md). The engine writes the plain
 * values of `environment` to env.sh.
 */
export const SetupResult = z.object({
  status: z.enum(['ready', 'blocked']),
  summary: z.string().default(''),
  bootstrap_commands: z.array(Command).default([]),
  tooling_probe_commands: z.array(Command).default([]),
  environment: z
    .object({
      path_prepend: z.array(RelativePath).default([]),
      variables: z.record(VariableName, z.string().max(4_000)).default({}),
    })
    .default({ path_prepend: [], variables: {} }),
  cautions: lines,
  checks: z.object({
    workspace: CheckResult,
    tooling: CheckResult,
    temp_scope: CheckResult,
    policy: CheckResult,
  }),
});
export type SetupResult = z.infer<typeof SetupResult>;

/** `provisioned`: an earlier attempt lacked it, or it is in the worktree. `found`: of `command -v`. */
const ToolRequirement = z.object({
  launcher: z.string(),
  required_by: z.array(Command),
  status: z.enum(['available', 'provisioned']),
  found: z.string(),
});
export type ToolRequirement = z.infer<typeof ToolRequirement>;

/** `execution-setup-profile.json`, checked (docs/decisions/027-execution-setup.md). */
export const SetupProfile = z.object({
  schema_version: z.literal(1),
  ticket_id: TicketId,
  artifact: z.literal('execution_setup_profile'),
  status: z.literal('ready'),
  summary: z.string(),
  temp_roots: z.array(RelativePath),
  bootstrap_commands: z.array(Command),
  tooling_probe_commands: z.array(Command),
  /** As accepted then; refused names are left out when it is written. */
  environment: z.object({ path_prepend: z.array(RelativePath), variables: z.record(z.string(), z.string()) }),
  ...Offers,
  services: Services.default([]),
  reusable_artifacts: z.array(
    z.object({ path: RelativePath, kind: z.enum(['environment', 'command-wrapper']), purpose: z.string() }),
  ),
  project_commands: ProjectCommands,
  tool_requirements: z.array(ToolRequirement).default([]),
  probes: z.array(Evidence),
  cautions: z.array(z.string()),
});
export type SetupProfile = z.infer<typeof SetupProfile>;

/** The contradiction in a well-formed plan, if any. */
export function setupPlanProblem({
  readiness,
  steps,
}: Pick<SetupPlan, 'readiness' | 'steps'>): string | undefined {
  if (readiness.status === 'ready' && steps.length > 0) return 'A ready plan has no steps.';
  return readiness.actions_required && steps.length === 0
    ? 'A plan that requires actions lists steps.'
    : undefined;
}

const nothing = 'Nothing to set up. {0}';
const counted = 'Steps: {0}. {1}';
const withServices = 'Steps: {0}. Services: {1}. {2}';

/** The preparation of the worktree before coding. */
export const setupPlanDocument = {
  kind: 'execution_setup_plan',
  title: 'Setup plan',
  subject: 'The setup plan',
  file: 'setup-plan.yaml',
  format: 'yaml',
  schema: SetupPlan,
  approval: {
    rewindsTo: null,
    edited: ({ value, ticket }) => {
      const read = checked(SetupPlan, value);
      if (!read.ok) return read;
      const problem = wrongTicket(read.value, ticket) ?? setupPlanProblem(read.value);
      if (problem !== undefined) return { ok: false, error: problem };
      // Unknown keys stay, and keys keep their order.
      return { ok: true, value: { ...(isRecord(value) ? value : {}), ...read.value, status: 'draft' } };
    },
    approved: (plan) => ({ ...plan, status: 'approved' }),
    gaps: (plan) => plan.readiness.gaps,
  },
  repeatedIds: 'warning',
  items: (value) => listOf(value, ['steps']).flatMap((step) => itemOf('step', step, 'title')),
  problems: (value) => {
    const plan = SetupPlan.safeParse(value);
    const reason = plan.success ? setupPlanProblem(plan.data) : undefined;
    return reason === undefined ? [] : [errorAt(['readiness'], 'contradiction', { reason })];
  },
  summaries: [nothing, counted, withServices],
  summary: (value) => {
    const { data: plan } = SetupPlan.safeParse(value);
    if (!plan) return undefined;
    if (plan.services.length > 0) {
      const services = plan.services.map(({ name, start }) => `${name} (${start})`).join(', ');
      return { text: withServices, args: [plan.steps.length, services, plan.summary] };
    }
    return plan.steps.length === 0
      ? { text: nothing, args: [plan.summary] }
      : { text: counted, args: [plan.steps.length, plan.summary] };
  },
} as const satisfies Document<SetupPlan>;
