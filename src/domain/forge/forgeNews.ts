import { BeadsmithError } from '../core/errors.ts';
import type { ForgeLook } from './forgeLook.ts';

/**
 * The ticket's side of its pull request. `commit`: the one that it proposes now; `pushed`: all that it may
 * have pushed. `isHeld`: the pull request's branch has `commit`, by git.
 */
export interface Published {
  readonly base: string;
  readonly branch: string;
  readonly commit: string;
  readonly pushed: readonly string[];
  readonly isHeld: boolean;
}

/** True if the forge merged what the ticket proposes, into its base branch. */
export function isMergedAsProposed(look: ForgeLook, { base, isHeld }: Published): boolean {
  return look.state === 'merged' && look.base === base && isHeld;
}

/** The first thing about a pull request that a person has to know, with what to do about it. */
export function forgeNews(look: ForgeLook, ours: Published): BeadsmithError | undefined {
  const { location, base: found, head, state } = look;
  const { base, branch } = ours;
  const args = { location, found, base, branch, commit: head.commit.slice(0, 12) };
  if (state === 'merged') {
    if (isMergedAsProposed(look, ours)) return undefined;
    return new BeadsmithError(found === base ? 'FORGE_MERGED_WITHOUT' : 'FORGE_MERGED_ELSEWHERE', args);
  }
  if (state === 'closed')
    return new BeadsmithError(head.isThere ? 'FORGE_CLOSED' : 'FORGE_BRANCH_DELETED', args);
  if (!head.isThere) return new BeadsmithError('FORGE_BRANCH_DELETED', args);
  if (found !== base) return new BeadsmithError('FORGE_BASE_CHANGED', args);
  if (head.commit !== ours.commit)
    return new BeadsmithError(
      ours.pushed.includes(head.commit) ? 'FORGE_BEHIND' : 'FORGE_BRANCH_MOVED',
      args,
    );
  return look.conflicts === true ? new BeadsmithError('FORGE_CONFLICTS', args) : undefined;
}
