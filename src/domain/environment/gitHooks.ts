import * as z from 'zod';

/** Policies for the repository's git hooks: the hooks that check the commits of a ticket. */
export const GitHookPolicy = z.enum([
  'observe_only',
  'validate_advisory',
  'validate_required',
  'use_native_hooks',
]);
export type GitHookPolicy = z.infer<typeof GitHookPolicy>;

/** The hooks of git that judge a commit, in the order in which git runs them. */
export const judgingHooks = ['pre-commit', 'commit-msg'] as const;
const JudgingHook = z.enum(judgingHooks);
/** The name of a hook that judges a commit. */
export type JudgingHook = z.infer<typeof JudgingHook>;

/** A hook that git would run in the person's checkout. `manager`: the tool that installed it, if it shows. */
export interface FoundHook {
  readonly name: string;
  readonly path: string;
  readonly manager: string | null;
}

/** A hook of the repository that may check commits, as a person approves it with the plan. */
export const OfferedHook = z.object({
  name: JudgingHook,
  use: z.enum(['run', 'leave']),
  reason: z.string().default(''),
});
export type OfferedHook = z.infer<typeof OfferedHook>;

/** The hooks that a plan offers. What a person decided about one in the plan before stays. */
export function mergeHooks(found: readonly FoundHook[], before: readonly OfferedHook[]): OfferedHook[] {
  const offers = judgingHooks.flatMap((name) => {
    const hook = found.find((one) => one.name === name);
    return hook ? [{ name, use: 'leave' as const, reason: describeHook(hook) }] : [];
  });
  return [...before, ...offers.filter(({ name }) => before.every((one) => one.name !== name))];
}

/** The hooks that run on a commit of a ticket (docs/decisions/081-git-hooks.md). */
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

/** Returns the path of a hook, and what installed it. */
export function describeHook({ path, manager }: FoundHook): string {
  return manager === null ? path : `${path} (${manager})`;
}
