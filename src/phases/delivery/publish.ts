import { BeadsmithError } from '../../domain/core/errors.ts';
import { ForgePullRequestReport, PullRequestReport } from '../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { RemoteForge } from '../../engine/ports/ports.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { artifactChange, storedJson } from '../shared/ticket/artifacts.ts';

/** A person's wishes. `remote`: the one that gets the pull request, where several could. */
export interface PublishWish {
  readonly isDraft: boolean;
  readonly remote?: string;
}

/**
 * Pushes the branch and creates its pull request on the forge, or updates both
 * (docs/decisions/202-the-forge.md). Looks before each act, so an interrupted one is found again. Throws
 * PUSH_REFUSED and the forge's errors.
 */
export async function publish(
  io: StepIo,
  ticket: TicketSnapshot,
  report: PullRequestReport,
  wish: PublishWish,
): Promise<ForgePullRequestReport> {
  const earlier = await storedJson(io, 'forge_pull_request', ForgePullRequestReport);
  const forge = await io.ports.forges.at(wish.remote ?? earlier?.remote);
  const { candidate, branch, base, title, body } = report;
  await pushed(io, forge, { candidate, branch, known: earlier?.candidate });
  const proposal = { ticket: ticket.id, title, body, branch, base, commit: candidate };
  const found = await forge.find(proposal);
  if (found && (found.state === 'merged' || found.state === 'closed'))
    throw new BeadsmithError('FORGE_REFUSED', {
      host: forge.place.base.host,
      reason: `the pull request is ${found.state}: ${found.location}`,
      remedy:
        found.state === 'closed'
          ? 'Reopen it there, then try again.'
          : 'Close the ticket without merging: its work is merged there.',
    });
  await io.fence();
  const { number, location, state } = found
    ? await forge.update(found.number, proposal)
    : await forge.create({ ...proposal, isDraft: wish.isDraft });
  const { remote, host, owner, name } = forge.place.base;
  const made = ForgePullRequestReport.parse({
    schema_version: 1,
    forge: forge.name,
    host,
    repository: `${owner}/${name}`,
    remote,
    number,
    location,
    state,
    branch,
    base,
    candidate,
  });
  io.save(artifactChange(ticket, 'forge_pull_request', made));
  const shown = PullRequestReport.parse({ ...report, forge: forge.name, location });
  io.save(artifactChange(ticket, 'pull_request_report', shown));
  return made;
}

/** `known`: what we pushed last. Commits of others on the branch are never overwritten. */
async function pushed(
  io: StepIo,
  { place }: RemoteForge,
  work: { readonly candidate: string; readonly branch: string; readonly known: string | undefined },
): Promise<void> {
  const { git } = io.ports;
  const { candidate, branch, known } = work;
  const { remote } = place.head;
  const tip = await git.remoteTip(remote, branch);
  if (tip === candidate) return;
  const isOurs =
    tip === undefined ||
    tip === known ||
    ((await git.resolve(tip)) !== undefined && (await git.isAncestor(tip, candidate)));
  if (!isOurs)
    throw new BeadsmithError('PUSH_REFUSED', {
      branch,
      remote,
      reason: `it has commits there that aren't of this ticket (${tip.slice(0, 12)}).`,
      remedy: `Delete or rename that branch there, or take its commits over, then try again.`,
    });
  await io.fence();
  await git.push({ remote, branch, commit: candidate, expected: tip });
}
