import { BeadsmithError } from '../core/errors.ts';
import type { ForgeLook, ForgeState } from './forgeLook.ts';
import { isDue } from './merging.ts';

/**
 * The ticket's side of its pull request. `repositoryId`: undefined in earlier records. `filedBase`: the base
 * branch when it was published. `commit`: the one that
 * it proposes now; `pushed`: all that it may have pushed. `isHeld`: the pull request's branch has `commit`,
 * by git.
 */
export interface Published {
  readonly repository: string;
  readonly repositoryId: number | undefined;
  readonly base: string;
  readonly filedBase?: string | undefined;
  readonly branch: string;
  readonly commit: string;
  readonly pushed: readonly string[];
  readonly isHeld: boolean;
}

/** True if a look shows the ticket's pull request, not one of its number. */
export function isOfTicket(look: ForgeLook, ours: Published): boolean {
  return isSameRepository(look, ours) && look.head.branch === ours.branch;
}

function isSameRepository(look: ForgeLook, { repositoryId }: Published): boolean {
  return repositoryId === undefined || look.repositoryId === repositoryId;
}

/** True if the forge merged what the ticket proposes, into its base branch. */
export function isMergedAsProposed(look: ForgeLook, ours: Published): boolean {
  return look.state === 'merged' && look.base === ours.base && ours.isHeld && isOfTicket(look, ours);
}

/** The first thing about a pull request that a person has to know, with what to do about it. */
export function forgeNews(look: ForgeLook, ours: Published): BeadsmithError | undefined {
  const { location, base: found, head, state } = look;
  const { base, branch, repository } = ours;
  const args = {
    location,
    repository,
    found,
    base,
    branch,
    head: head.branch,
    commit: head.commit.slice(0, 12),
  };
  if (!isSameRepository(look, ours)) return new BeadsmithError('FORGE_REPLACED', args);
  if (head.branch !== branch) return new BeadsmithError('FORGE_OTHER_BRANCH', args);
  if (state === 'merged') {
    if (isMergedAsProposed(look, ours)) return undefined;
    return new BeadsmithError(found === base ? 'FORGE_MERGED_WITHOUT' : 'FORGE_MERGED_ELSEWHERE', args);
  }
  if (state === 'closed')
    return new BeadsmithError(head.isThere ? 'FORGE_CLOSED' : 'FORGE_BRANCH_DELETED', args);
  if (!head.isThere) return new BeadsmithError('FORGE_BRANCH_DELETED', args);
  // The ticket got another base here, if the forge has the one from before.
  if (found !== base)
    return new BeadsmithError(found === ours.filedBase ? 'FORGE_BEHIND' : 'FORGE_BASE_CHANGED', args);
  if (head.commit !== ours.commit)
    return new BeadsmithError(
      ours.pushed.includes(head.commit) ? 'FORGE_BEHIND' : 'FORGE_BRANCH_MOVED',
      args,
    );
  return look.conflicts === true ? new BeadsmithError('FORGE_CONFLICTS', args) : undefined;
}

/** The news that the merge queue took it out, until it is to be merged again, or changes. */
export function queueNews(look: ForgeLook, known: ForgeState | undefined): BeadsmithError | undefined {
  if (!known || known.head.commit !== look.head.commit || isDue(look.merging)) return undefined;
  const wasThere = known.merging?.isQueued === true && look.merging !== null;
  if (!wasThere && known.news?.code !== 'FORGE_UNQUEUED') return undefined;
  return new BeadsmithError('FORGE_UNQUEUED', { location: look.location });
}
