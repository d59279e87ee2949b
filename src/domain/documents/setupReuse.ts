import * as z from 'zod';
import { SetupResult } from './setupPlan.ts';
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
