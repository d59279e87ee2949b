import * as z from 'zod';
import type { ForgeLook } from '../../../domain/forge/forgeLook.ts';

const Review = z.object({
  user: z.object({ login: z.string() }).nullable(),
  state: z.string(),
  author_association: z.string(),
});

/** A page of the reviews of a pull request, oldest first. */
export const Reviews = z.array(Review);

/** Of people with write access. In a public repository, everyone can review and comment. */
export const decidingAssociations: readonly string[] = ['OWNER', 'MEMBER', 'COLLABORATOR'];

/** The decision of those who may decide: each one's last, and one that requests changes is enough. */
export function reviewDecision(reviews: readonly z.infer<typeof Review>[]): ForgeLook['review'] {
  const last = new Map<string, string>();
  for (const { user, state, author_association } of reviews)
    if (
      user &&
      decidingAssociations.includes(author_association) &&
      state !== 'COMMENTED' &&
      state !== 'PENDING'
    )
      last.set(user.login, state);
  const all = [...last.values()];
  if (all.includes('CHANGES_REQUESTED')) return 'changes_requested';
  return all.includes('APPROVED') ? 'approved' : 'none';
}
