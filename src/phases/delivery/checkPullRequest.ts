import { ForgePullRequestReport, type MergeReport, PullRequestReport } from '../../domain/beads/reports.ts';
import { BeadsmithError, errorRecord, fromRecord } from '../../domain/core/errors.ts';
import { fullName } from '../../domain/forge/forgePlace.ts';
import type { IssueState } from '../../domain/forge/issueLink.ts';
import { CheckRounds, standingRefusal } from '../../domain/forge/checkRounds.ts';
import { failedCheckLine, type FailedCheck } from '../../domain/forge/failedCheck.ts';
import { type ForgeLook, type ForgeState, isSameLook, lookLine } from '../../domain/forge/forgeLook.ts';
import { type ThreadCount, threadCount } from '../../domain/forge/forgeThread.ts';
import {
  forgeNews,
  isMergedAsProposed,
  isOfTicket,
  type Published,
  queueNews,
} from '../../domain/forge/forgeNews.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import { because } from '../../domain/forge/forgeReasons.ts';
import type { Git, RemoteForge } from '../../engine/ports/ports.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { forgeOf } from '../shared/forgeOf.ts';
import { artifactChange, say, storedJson } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { attempted } from '../shared/worktree/worktree.ts';
import { forgeAttempt } from './forgeAttempt.ts';

/** A merge on the forge, which ends the review. */
type ForgeMerge = Pick<MergeReport, 'mergeCommit' | 'forge'>;

/**
 * The ticket's pull request as it is now. `isItsOwn`: it is open, and no other one of its number. `isOurs`:
 * its tip is what the ticket proposes as well, so that its checks are about that; `failures`: of these;
 * `unread`: why they aren't known. `merge`: the forge merged exactly what the ticket proposes
 * (docs/decisions/205-waiting-for-the-forge.md).
 */
export interface Seen {
  readonly forge: RemoteForge;
  readonly host: string;
  readonly repository: string;
  readonly look: ForgeLook;
  readonly known: ForgeState | undefined;
  readonly news: BeadsmithError | undefined;
  readonly isItsOwn: boolean;
  readonly isOurs: boolean;
  readonly failures: readonly FailedCheck[];
  readonly unread: BeadsmithError | undefined;
  readonly threads: ThreadCount | undefined;
  readonly issue: IssueState | undefined;
  readonly merge: ForgeMerge | undefined;
}

/** Checks the ticket's pull request. Throws the forge's errors. */
export async function seePullRequest(
  io: StepIo,
  ticket: TicketSnapshot,
  report: PullRequestReport,
): Promise<Seen> {
  const filed = await publishedPullRequest(io);
  const { repository, repositoryId, number, pushed } = filed;
  const forge = await forgeOf(io.ports.forges, repository);
  const { look } = await forge.look(number);
  const { candidate: commit } = report;
  const published = {
    repository,
    repositoryId,
    base: ticketParts(ticket).baseBranch,
    filedBase: filed.base,
    branch: filed.branch,
    commit,
    pushed,
    isHeld: await isHeld(io.ports.git, commit, look.head.commit),
  };
  const known = (await io.ports.store.ticket(ticket.id))?.forge;
  const isOpen = look.state === 'open' || look.state === 'draft';
  const isItsOwn = isOpen && isOfTicket(look, published);
  const isOurs = isItsOwn && look.head.isThere && look.head.commit === commit && look.base === published.base;
  const { location, head, merge } = look;
  return {
    forge,
    host: forge.place.base.host,
    repository,
    look,
    known,
    news: (await newsOf(io, look, published)) ?? (isOurs ? queueNews(look, known) : undefined),
    isItsOwn,
    isOurs,
    ...(isOurs ? await failuresOf(io, forge, look, known) : { failures: [], unread: undefined }),
    issue: (await issueOf(io, ticket)) ?? known?.issue,
    threads: isItsOwn ? await threadsOf(io, ticket, forge, number) : known?.threads,
    merge: isMergedAsProposed(look, published)
      ? { mergeCommit: merge, forge: { repository, number, location, head: head.commit } }
      : undefined,
  };
}

/** Reads the comments of the pull request and files them, if they changed. Throws the forge's errors. */
async function threadsOf(
  io: StepIo,
  ticket: TicketSnapshot,
  forge: RemoteForge,
  number: number,
): Promise<ThreadCount> {
  const { threads } = await forge.threads(number);
  const count = threadCount(threads);
  const known = (await io.ports.store.ticket(ticket.id))?.forge?.threads;
  if (known?.sha256 === count.sha256) return count;
  io.save(artifactChange(ticket, 'forge_threads', threads));
  if (count.open > (known?.open ?? 0))
    say(io, `Open comment threads on the pull request: ${String(count.open)}.`);
  return count;
}

/** The issue that the ticket was imported from. One that can't be read is no reason to stop. */
async function issueOf(io: StepIo, { origin }: TicketSnapshot): Promise<IssueState | undefined> {
  if (!origin) return undefined;
  const read = await attempted(io, async () =>
    (await forgeOf(io.ports.forges, fullName(origin))).issueState(origin.number, {
      id: origin.id,
      signal: io.signal,
    }),
  );
  return read.ok ? read.value.state : undefined;
}

/** Files what was seen with the ticket. */
export function fileSeen(
  io: StepIo,
  { look, known, news, repository, failures, threads, issue }: Seen,
): void {
  const conflicts = look.conflicts ?? known?.conflicts ?? null;
  const forge = {
    ...look,
    conflicts,
    repository,
    news: news ? errorRecord(news) : null,
    failures: [...failures],
    ...(threads ? { threads } : {}),
    ...(issue ? { issue } : {}),
  };
  io.save({ type: 'ticket', set: { forge } });
  if (known && isSameLook(known, look)) return;
  say(io, news ? `${news.message} ${news.nextStep}` : `The pull request on GitHub: ${lookLine(look)}.`);
  for (const check of failures) say(io, failedCheckLine(check, look.base));
}

/** The news for a person. The reason why a fix wasn't pushed says more than that it wasn't. */
async function newsOf(
  io: StepIo,
  look: ForgeLook,
  published: Published,
): Promise<BeadsmithError | undefined> {
  const news = forgeNews(look, published);
  if (news && news.code !== 'FORGE_BEHIND') return news;
  const { rounds } = (await storedJson(io, 'check_rounds', CheckRounds)) ?? { rounds: [] };
  const refusal = standingRefusal(rounds, look.head.commit);
  return refusal ? fromRecord(refusal) : news;
}

/** Logs of the same runs are read once. Without them the look says what it says. */
async function failuresOf(
  io: StepIo,
  forge: RemoteForge,
  { checks, head, base }: ForgeLook,
  known: ForgeState | undefined,
): Promise<Pick<Seen, 'failures' | 'unread'>> {
  if (checks.failed === 0) return { failures: [], unread: undefined };
  const isKnown =
    known?.head.commit === head.commit && JSON.stringify(known.checks) === JSON.stringify(checks);
  if (isKnown && known.failures.length > 0) return { failures: known.failures, unread: undefined };
  const of = { commit: head.commit, base, signal: io.signal };
  const read = await forgeAttempt(io, () => forge.failedChecks(of));
  if (read.ok) return { failures: read.value, unread: undefined };
  say(io, `What the failed checks say can't be read: ${read.refused.message} ${read.refused.nextStep}`);
  return { failures: [], unread: read.refused };
}

/** The ticket's proposal, also before it is published. Throws PULL_REQUEST_FAILED. */
export async function proposedPullRequest(io: StepIo): Promise<PullRequestReport> {
  const report = await storedJson(io, 'pull_request_report', PullRequestReport);
  if (report) return report;
  throw new BeadsmithError('PULL_REQUEST_FAILED', { reason: 'there is no text for it.' });
}

/** The receipt of the ticket's pull request. Throws FORGE_UNKNOWN if there is none yet. */
export async function publishedPullRequest(
  io: StepIo,
): Promise<ForgePullRequestReport & { readonly number: number }> {
  const filed = await storedJson(io, 'forge_pull_request', ForgePullRequestReport);
  if (filed && filed.number !== null) return { ...filed, number: filed.number };
  throw new BeadsmithError('FORGE_UNKNOWN', because('noPullRequest'));
}

/** By git alone: what the forge says about its commits proves nothing. */
async function isHeld(git: Git, commit: string, head: string): Promise<boolean> {
  if (commit === head) return true;
  return (await git.resolve(head)) !== undefined && (await git.isAncestor(commit, head));
}
