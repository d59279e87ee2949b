import * as z from 'zod';
import { redact } from '../../base/redact.ts';
import { MergeReport } from '../../domain/beads/reports.ts';
import { fullName } from '../../domain/forge/forgePlace.ts';
import {
  IssueComments,
  type Milestone,
  type MilestoneFacts,
  milestoneKey,
  milestoneText,
} from '../../domain/forge/issueLink.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import { forgeOf } from './forgeOf.ts';
import { artifactChange, isoNow, say, storedJson } from './ticket/artifacts.ts';
import { attempted } from './worktree/worktree.ts';

/**
 * Tells the issue that the ticket was imported from of a milestone, once, if the person wants that
 * (docs/decisions/178-issues-stay-linked.md). An end that nobody was told the beginning of isn't told. Where
 * no comment is filed, the issue knows: the answer may have been lost. A failure is said, and keeps nothing
 * from going on. `location`: of its pull request, if it is filed only now.
 */
export async function tellIssue(
  io: StepIo,
  ticket: TicketSnapshot,
  milestone: Milestone,
  location?: string,
): Promise<void> {
  const { origin } = ticket;
  if (!origin || io.ports.github?.().issueComments !== 'milestones') return;
  const posted = (await storedJson(io, 'issue_comments', IssueComments))?.posted ?? [];
  if (posted.some((one) => one.milestone === milestone)) return;
  const isEnd = milestone === 'completed' || milestone === 'canceled';
  const keyOf = (one: Milestone): string => milestoneKey(one, ticket);
  const after = isEnd && posted.length === 0 ? (['planned', 'proposed'] as const).map(keyOf) : undefined;
  const told = await attempted(io, async () => {
    const forge = await forgeOf(io.ports.forges, fullName(origin));
    const text = redact(milestoneText(milestone, await factsOf(io, ticket, location)));
    await io.fence();
    io.signal.throwIfAborted();
    const { id, number } = origin;
    return forge.commentIssue(number, { id, text, key: keyOf(milestone), after, signal: io.signal });
  });
  if (!told.ok) {
    say(io, `The issue ${origin.url} wasn't told. ${told.error.message} ${told.error.nextStep}`);
    return;
  }
  if (!told.value) return;
  const all = IssueComments.parse({
    schema_version: 1,
    issue: origin.url,
    posted: [...posted, { milestone, at: isoNow(io) }],
  });
  io.save(artifactChange(ticket, 'issue_comments', all));
}

/** The same in a step of its own, of a ticket that has an issue. */
export async function tellIssueInStep(run: Run, ticket: TicketSnapshot, milestone: Milestone): Promise<void> {
  if (!ticket.origin) return;
  await run.step('issue', z.null(), async (io) => {
    await tellIssue(io, ticket, milestone);
    return null;
  });
}

async function factsOf(
  io: StepIo,
  { id }: TicketSnapshot,
  known: string | undefined,
): Promise<MilestoneFacts> {
  const location = known ?? (await io.ports.store.ticket(id))?.forge?.location ?? null;
  const report = await storedJson(io, 'merge_report', MergeReport);
  return { ticket: id, location, merge: report?.mergeCommit ?? null };
}
