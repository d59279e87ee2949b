import * as z from 'zod';
import { sha256 } from '../../base/sha256.ts';
import { filled, type Words } from '../core/errors.ts';
import { shownName } from './forgePlace.ts';
import { forgeTexts } from './forgeTexts.ts';
import type { IssueOrigin } from './issue.ts';

/** Moments of a ticket that its issue can be told of. */
export const Milestone = z.enum(['planned', 'proposed', 'completed', 'canceled']);
export type Milestone = z.infer<typeof Milestone>;

/** `issue_comments`: the milestones that the issue was told of, oldest first. */
export const IssueComments = z.object({
  schema_version: z.literal(1),
  issue: z.string(),
  posted: z.array(z.object({ milestone: Milestone, at: z.string() })),
});
export type IssueComments = z.infer<typeof IssueComments>;

/** The issue as it was seen last. `gone`: deleted, or nobody here may see it; `moved`: transferred. */
export const IssueState = z.enum(['open', 'closed', 'gone', 'moved']);
export type IssueState = z.infer<typeof IssueState>;

/** An issue in a line, with its state once that was seen. */
export function issueLine(origin: IssueOrigin, state: IssueState | undefined, words: Words = filled): string {
  const name = `${shownName(origin)}#${String(origin.number)}`;
  return state === undefined ? name : `${name} ${words(forgeTexts[`issue_${state}`], {})}`;
}

/** The facts that comments name. `merge`: the commit on the base; null if nothing was merged. */
export interface MilestoneFacts {
  readonly ticket: string;
  readonly location: string | null;
  readonly merge: string | null;
}

const texts: Readonly<Record<Milestone, (facts: MilestoneFacts) => string>> = {
  planned: ({ ticket }) => `Planned and in progress, as ticket ${ticket} of Beadsmith.`,
  proposed: ({ location }) => `Pull request: ${location ?? ''}`,
  completed: ({ merge, location }) =>
    merge === null
      ? 'Closed without merging.'
      : `Merged${location === null ? '' : ` by ${location}`}, as ${merge.slice(0, 12)}.`,
  canceled: ({ ticket }) => `Ticket ${ticket} was canceled.`,
};

/** The comment of a milestone. */
export function milestoneText(milestone: Milestone, facts: MilestoneFacts): string {
  return texts[milestone](facts);
}

/** A key by which the comment is found again. Tickets of two clones have different ones. */
export function milestoneKey(
  milestone: Milestone,
  { id, createdAt }: { readonly id: string; readonly createdAt: number },
): string {
  return sha256(`${milestone} ${id} ${String(createdAt)}`).slice(0, 24);
}

/** Marks a comment of Beadsmith on an issue; nobody sees it. */
export function milestoneMark(key: string): string {
  return `<!-- beadsmith issue ${key} -->`;
}
