import { BeadsmithError } from '../../domain/core/errors.ts';
import { because } from '../../domain/forge/forgeReasons.ts';
import type { Git } from '../../engine/ports/ports.ts';

/**
 * The git of a runner's clone, whose branches nobody has but the runner: a merge into one would be lost with
 * it, and later tickets would start from it. Merges are refused with MERGE_REFUSED.
 */
export function withoutMerges(git: Git): Git {
  const refuse: Git['proposeMerge'] = ({ base }) =>
    Promise.reject(new BeadsmithError('MERGE_REFUSED', { base, ...because('ofTeam') }));
  return new Proxy(git, {
    get: (target, name) => {
      if (name === 'proposeMerge' || name === 'merge') return refuse;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
