import { BeadsmithError } from '../domain/errors.ts';
import type { InboxBody } from '../domain/inbox.ts';
import type { Git } from '../engine/ports/ports.ts';

/** Refuses a start that can't succeed in this repository, before it is filed. Throws NO_COMMITS, BASE_BRANCH_MISSING. */
export async function checkStart(git: Git, start: InboxBody<'start'>): Promise<void> {
  const { hasCommits } = await git.repository();
  if (!hasCommits) throw new BeadsmithError('NO_COMMITS');
  if (start.baseBranch === undefined) return;
  const branches = await git.branches();
  if (!branches.includes(start.baseBranch))
    throw new BeadsmithError('BASE_BRANCH_MISSING', {
      branch: start.baseBranch.replace(/\p{C}/gu, '?'),
      branches: branches.slice(0, 20).join(', ') || 'none',
    });
}
