import {
  ForgePullRequestReport,
  type MergeReport,
  type PullRequestReport,
} from '../../domain/beads/reports.ts';
import { BeadsmithError, errorRecord } from '../../domain/core/errors.ts';
import { fullName } from '../../domain/forge/forgePlace.ts';
import { isSameLook, lookLine } from '../../domain/forge/forgeLook.ts';
import { forgeNews, isMergedAsProposed } from '../../domain/forge/forgeNews.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Forges, Git, RemoteForge } from '../../engine/ports/ports.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { say, storedJson } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { checkComments } from './checkComments.ts';

/** A merge on the forge, which ends the review. */
export type ForgeMerge = Pick<MergeReport, 'mergeCommit' | 'forge'>;

/**
 * Checks the ticket's pull request and files what it sees. Returns the merge, if the forge merged exactly
 * what the ticket proposes (docs/decisions/205-waiting-for-the-forge.md). Throws the forge's errors.
 */
export async function checkPullRequest(
  io: StepIo,
  ticket: TicketSnapshot,
  report: PullRequestReport,
): Promise<ForgeMerge | undefined> {
  const filed = await storedJson(io, 'forge_pull_request', ForgePullRequestReport);
  if (!filed || filed.number === null)
    throw new BeadsmithError('FORGE_UNKNOWN', {
      reason: 'the ticket has no pull request there.',
      remedy: 'Create it first.',
    });
  const { repository, number, pushed } = filed;
  const forge = await forgeOf(io.ports.forges, repository);
  const { look } = await forge.look(number);
  const { candidate: commit } = report;
  const published = {
    base: ticketParts(ticket).baseBranch,
    branch: report.branch,
    commit,
    pushed,
    isHeld: await isHeld(io.ports.git, commit, look.head.commit),
  };
  const news = forgeNews(look, published);
  const known = (await io.ports.store.ticket(ticket.id))?.forge;
  const isOpen = look.state === 'open' || look.state === 'draft';
  const threads = isOpen ? await checkComments(io, ticket, forge, number) : known?.threads;
  const conflicts = look.conflicts ?? known?.conflicts ?? null;
  io.save({
    type: 'ticket',
    set: {
      forge: {
        ...look,
        conflicts,
        repository,
        news: news ? errorRecord(news) : null,
        ...(threads ? { threads } : {}),
      },
    },
  });
  if (!known || !isSameLook(known, look))
    say(io, news ? `${news.message} ${news.nextStep}` : `The pull request on GitHub: ${lookLine(look)}.`);
  if (!isMergedAsProposed(look, published)) return undefined;
  const { location, head, merge } = look;
  return { mergeCommit: merge, forge: { repository, number, location, head: head.commit } };
}

/** The forge of a repository. Throws FORGE_UNKNOWN where no remote leads there any more. */
export async function forgeOf(forges: Forges, repository: string): Promise<RemoteForge> {
  const forge = await forges.at({ repository });
  if (fullName(forge.place.base) === repository) return forge;
  throw new BeadsmithError('FORGE_UNKNOWN', {
    reason: `no remote leads to ${repository} any more.`,
    remedy: 'Add a remote for it, then try again.',
  });
}

/** By git alone: what the forge says about its commits proves nothing. */
async function isHeld(git: Git, commit: string, head: string): Promise<boolean> {
  if (commit === head) return true;
  return (await git.resolve(head)) !== undefined && (await git.isAncestor(commit, head));
}
