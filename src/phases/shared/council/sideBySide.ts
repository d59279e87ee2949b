import type { Settled } from '../../../base/result.ts';
import { modelOf } from '../../../domain/council/council.ts';
import type { Run } from '../../../engine/run/run.ts';

/** The name of a member's branch: its place in the council, from 1. */
export function branchName(index: number): string {
  return `member-${index + 1}`;
}

/**
 * Does the same for several members side by side (by `index`, their places in the council), each in a branch
 * of its own. Members that are the same model of the same provider, in other variants, are sent the same
 * beginning of a prompt: the first of them goes alone, so that the others find it in the provider's cache
 * (docs/decisions/098-what-a-council-gives.md). Nobody waits for another model.
 */
export function sideBySide<T>(
  run: Run,
  members: readonly { readonly member: string; readonly index: number }[],
  work: (branch: Run, member: string, index: number) => Promise<T>,
): Promise<Record<string, Settled<T>>> {
  const firstDone = new Map<string, Promise<void>>();
  const branches = members.map(({ member, index }) => {
    const model = modelOf(member);
    const first = firstDone.get(model);
    if (first)
      return [branchName(index), (branch: Run) => first.then(() => work(branch, member, index))] as const;
    const { promise, resolve } = Promise.withResolvers<void>();
    firstDone.set(model, promise);
    return [branchName(index), (branch: Run) => work(branch, member, index).finally(resolve)] as const;
  });
  return run.all(Object.fromEntries(branches));
}
