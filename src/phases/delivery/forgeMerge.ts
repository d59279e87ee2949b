import * as z from 'zod';
import { PullRequestReport } from '../../domain/beads/reports.ts';
import { BeadsmithError, type ErrorArgs } from '../../domain/core/errors.ts';
import { because } from '../../domain/forge/forgeReasons.ts';
import { isDue, type MergeKind, type Merging, offeredKinds } from '../../domain/forge/merging.ts';
import { inboxBodies, type InboxEntry } from '../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { say, storedJson } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { attempted } from '../shared/worktree/worktree.ts';
import { fileSeen, type Seen, seePullRequest } from './checkPullRequest.ts';
import { goesOn } from './forgeAttempt.ts';

/**
 * Merges the pull request on the forge, or plans that, and returns it as it is then
 * (docs/decisions/177-merging-on-the-forge.md). What stands already isn't sent again. Throws the forge's
 * errors.
 */
export async function mergeOnForge(
  io: StepIo,
  ticket: TicketSnapshot,
  report: PullRequestReport,
  entry: InboxEntry,
): Promise<Seen> {
  const { kind: wanted, whenReady } = inboxBodies.merge_pull_request.parse(entry.body);
  const seen = await seePullRequest(io, ticket, report);
  if (seen.merge) return seen;
  const { forge, host, look } = seen;
  // What left the queue may go there again; a planned merge changes its kind by a second one.
  if (seen.news && seen.news.code !== 'FORGE_UNQUEUED') throw seen.news;
  if (!seen.isOurs) throw refused(host, because('mergeOther'));
  if (look.state === 'draft') throw refused(host, because('mergeDraft'));
  const { merging } = look;
  const isSquashed = ticketParts(ticket).settings.integration === 'squash';
  const allowed = merging ? offeredKinds(merging, isSquashed) : [];
  if (wanted !== '' && merging && !allowed.includes(wanted))
    throw refused(host, because('mergeKind', { wanted, allowed: allowed.join(', ') }));
  const usual = merging ? allowed[0] : isSquashed ? 'squash' : 'merge';
  const kind = wanted === '' ? usual : wanted;
  const isPlanned = merging !== null && (merging.isQueued || (whenReady && isAutoNow(merging, kind)));
  if (!isPlanned) {
    await goesOn(io);
    await forge.merge(look.number, { whenReady, kind, commit: report.candidate, base: look.base });
  }
  return seePullRequest(io, ticket, report);
}

/** Ends a planned merge, and returns the pull request as it is then. Throws the forge's errors. */
export async function unplanMerge(
  io: StepIo,
  ticket: TicketSnapshot,
  report: PullRequestReport,
): Promise<Seen> {
  const seen = await seePullRequest(io, ticket, report);
  if (seen.merge || !isDue(seen.look.merging)) return seen;
  if (!seen.isItsOwn) throw notItsOwn(seen);
  await goesOn(io);
  await seen.forge.unplanMerge(seen.look.number);
  const after = await seePullRequest(io, ticket, report);
  if (!isDue(after.look.merging)) say(io, 'GitHub no longer merges the pull request by itself.');
  // The queue didn't take it out.
  return after.news?.code === 'FORGE_UNQUEUED' ? { ...after, news: undefined } : after;
}

/** Noted before it is closed, with when it was last reopened: who reopens it after that wants it open. */
const Closing = z.object({ reopened: z.string().nullable() });

/** Closes the pull request on the forge, and returns it as it is then. Throws the forge's errors. */
export async function closeOnForge(
  io: StepIo,
  ticket: TicketSnapshot,
  report: PullRequestReport,
): Promise<Seen> {
  const seen = await seePullRequest(io, ticket, report);
  if (!['open', 'draft'].includes(seen.look.state)) return seen;
  if (!seen.isItsOwn) throw notItsOwn(seen);
  const { number } = seen.look;
  const reopened = await seen.forge.lastReopening(number);
  const begun = io.earlier.flatMap((note) => Closing.safeParse(note).data ?? [])[0];
  if (begun && begun.reopened !== reopened) {
    say(io, 'The pull request was closed, and someone reopened it since, so it stays open.');
    return seen;
  }
  if (!begun) await io.note({ reopened } satisfies z.infer<typeof Closing>);
  await goesOn(io);
  await seen.forge.close(number);
  return seePullRequest(io, ticket, report);
}

/**
 * Ends a planned merge of work that a person sends back or gives up. Where the forge can't be asked, the log
 * says what may happen there.
 */
export async function leaveMerge(io: StepIo, ticket: TicketSnapshot): Promise<void> {
  const report = await storedJson(io, 'pull_request_report', PullRequestReport);
  const left = report && (await attempted(io, () => endPlannedMerge(io, ticket, report)));
  if (left && !left.ok)
    say(io, `GitHub may still merge the pull request. ${left.error.message} ${left.error.nextStep}`);
}

/** Ends a merge that is known to be planned. Throws the forge's errors. */
export async function endPlannedMerge(
  io: StepIo,
  ticket: TicketSnapshot,
  report: PullRequestReport,
): Promise<void> {
  const known = (await io.ports.store.ticket(ticket.id))?.forge;
  if (isDue(known?.merging ?? null)) fileSeen(io, await unplanMerge(io, ticket, report));
}

function notItsOwn({ news, host }: Seen): BeadsmithError {
  return news ?? refused(host, because('mergeOther'));
}

/** A queue has a kind of its own. */
function isAutoNow({ auto, hasQueue }: Merging, kind: MergeKind | undefined): boolean {
  return auto !== null && (hasQueue || auto === kind);
}

function refused(host: string, why: ErrorArgs): BeadsmithError {
  return new BeadsmithError('FORGE_REFUSED', { host, ...why });
}
