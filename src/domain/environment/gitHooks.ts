import * as z from 'zod';

/** Policies for git hooks that check a ticket's commits. */
export const GitHookPolicy = z.enum([
  'observe_only',
  'validate_advisory',
  'validate_required',
  'use_native_hooks',
]);
export type GitHookPolicy = z.infer<typeof GitHookPolicy>;

/** In git's order. */
const judgingHooks = ['pre-commit', 'commit-msg'] as const;
const JudgingHook = z.enum(judgingHooks);
/** A hook that judges a commit. */
export type JudgingHook = z.infer<typeof JudgingHook>;

/** A hook of the person's checkout. `manager`: its installer, if known. */
export interface FoundHook {
  readonly name: string;
  readonly path: string;
  readonly manager: string | null;
}

/** A hook that a person approves with the plan. */
export const OfferedHook = z.object({
  name: JudgingHook,
  use: z.enum(['run', 'leave']),
  reason: z.string().default(''),
});
export type OfferedHook = z.infer<typeof OfferedHook>;

/** A plan's hooks. Earlier decisions stay. */
export function mergeHooks(found: readonly FoundHook[], before: readonly OfferedHook[]): OfferedHook[] {
  const offers = judgingHooks.flatMap((name) => {
    const hook = found.find((one) => one.name === name);
    return hook ? [{ name, use: 'leave' as const, reason: describeHook(hook) }] : [];
  });
  return [...before, ...offers.filter(({ name }) => before.every((one) => one.name !== name))];
}

/** The hooks to run on a ticket's commit (docs/decisions/081-git-hooks.md). */
export function hooksToRun(
  policy: GitHookPolicy,
  found: readonly FoundHook[],
  approved: readonly OfferedHook[],
): readonly JudgingHook[] {
  switch (policy) {
    case 'observe_only':
      return [];
    case 'validate_advisory':
    case 'validate_required':
      return judgingHooks.filter((name) => approved.some((hook) => hook.name === name && hook.use === 'run'));
    case 'use_native_hooks':
      return judgingHooks.filter((name) => found.some((hook) => hook.name === name));
  }
}

/** A hook's path, and its installer. */
export function describeHook({ path, manager }: FoundHook): string {
  return manager === null ? path : `${path} (${manager})`;
}
