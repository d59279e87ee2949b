import * as z from 'zod';
import { canonicalJson } from '../../base/json.ts';
import { type SetupPlan, SetupResult } from './setupPlan.ts';
import { CommitSha, Sha256 } from '../core/ids.ts';

/** `setup_basis` of a proved setup. `commit`: the base of its dependencies. */
export const SetupBasis = z.object({
  schema_version: z.literal(1),
  commit: CommitSha,
  system: z.string(),
  tools: z.array(z.object({ name: z.string(), version: z.string() })),
});
export type SetupBasis = z.infer<typeof SetupBasis>;

/** `setup_reuse`: the reused setup, or why there is none (docs/decisions/104-setups-that-still-hold.md). */
export const SetupReuse = z.object({
  schema_version: z.literal(1),
  from: z.string().nullable(),
  approved_at: z.string(),
  plan_sha256: Sha256.nullable(),
  reason: z.string(),
  prepared: SetupResult.optional(),
});
export type SetupReuse = z.infer<typeof SetupReuse>;

/**
 * True if a plan prepares nothing, and has nothing that the approved one doesn't have: the same checks,
 * services, and decisions about files, variables and hooks.
 */
export function isNothingNew(plan: SetupPlan, approved: SetupPlan): boolean {
  const { status, actions_required, gaps } = plan.readiness;
  if (status !== 'ready' || actions_required || gaps.length > 0 || plan.steps.length > 0) return false;
  const known = new Set([...approved.temp_roots, ...approved.cautions]);
  return (
    [...plan.temp_roots, ...plan.cautions].every((one) => known.has(one)) &&
    canonicalJson(decidedIn(plan)) === canonicalJson(decidedIn(approved))
  );
}

function decidedIn({ project_commands, services, inputs, variables, hooks }: SetupPlan): unknown {
  return {
    project_commands,
    services,
    inputs: inputs.map(({ path, use }) => `${use} ${path}`).sort(),
    others: [...variables, ...hooks].map(({ name, use }) => `${use} ${name}`).sort(),
  };
}
