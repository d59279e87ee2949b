import { BeadsmithError } from '../../domain/core/errors.ts';
import { ForgePullRequestReport, PullRequestReport } from '../../domain/beads/reports.ts';
import { type ForgeState, publishedState } from '../../domain/forge/forgeLook.ts';
import { fullName, type ForgePlace, sameRepository, shownName } from '../../domain/forge/forgePlace.ts';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import { because } from '../../domain/forge/forgeReasons.ts';
import type { ForgePullRequest, Git, Proposal, RemoteForge, Unset } from '../../engine/ports/ports.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { tell } from '../../engine/run/tell.ts';
import { ticketEvidence } from '../shared/proof/ticketEvidence.ts';
import { artifactChange, storedJson } from '../shared/ticket/artifacts.ts';
import { endPlannedMerge } from './forgeMerge.ts';
import { goesOn } from './forgeAttempt.ts';

/**
 * A person's wishes, and the id of their request. What is empty decides nothing. `isUpdate`: only of the pull
 * request that is filed; nothing is created.
 */
export type PublishWish = InboxBody<'create_pull_request'> & {
  readonly request: string;
  readonly isUpdate?: true;
};

/** More pushes of one ticket aren't remembered. */
const mostPushed = 100;
/** More labels or reviewers are a slip. */
const mostNames = 20;

/**
 * Looks whether the branch and its pull request can be published, while nothing has left yet, and files what
 * is going to be pushed (docs/decisions/202-the-forge.md). A planned merge ends first: it is of commits that
 * were seen. Throws PUSH_REFUSED and the forge's errors.
 */
export async function planPublishing(
  io: StepIo,
  ticket: TicketSnapshot,
  report: PullRequestReport,
  wish: PublishWish,
): Promise<void> {
  await endPlannedMerge(io, ticket, report);
  const earlier = await storedJson(io, 'forge_pull_request', ForgePullRequestReport);
  const { remote } = wish;
  const asked = remote === '' ? undefined : { remote };
  const forge = await io.ports.forges.at(asked ?? (earlier && { repository: earlier.repository }));
  const { base: target, head } = forge.place;
  checkConfirmed(forge.place, wish);
  if (wish.pushTo === '' && !sameRepository(target, head))
    throw new BeadsmithError(
      'FORGE_UNKNOWN',
      because('otherRepository', { place: namesOf(forge.place), pushTo: shownName(head) }),
    );
  const repository = fullName(target);
  const known = earlier?.repository === repository ? earlier : undefined;
  const { candidate, branch, base } = report;
  const { baseTip, repositoryId } = await openBase(forge, base);
  if (known?.repositoryId !== undefined && known.repositoryId !== repositoryId)
    throw new BeadsmithError('FORGE_REPLACED', { repository, location: known.location ?? repository });
  const filed = ForgePullRequestReport.parse({
    schema_version: 1,
    forge: forge.name,
    repository,
    repositoryId,
    remote: target.remote,
    branch,
    pushed: [...new Set([...(earlier?.pushed ?? []), candidate])].slice(-mostPushed),
    number: known?.number ?? null,
    location: known?.location ?? null,
    base: known?.base,
    request: earlier?.request ?? null,
    labels: earlier?.labels,
    reviewers: earlier?.reviewers,
    pushTo: fullName(head),
  });
  const found = await foundOpen(forge, proposalOf(ticket, report), filed);
  checkFound(forge, wish, filed, found);
  checkBase(base, known?.base, found);
  await checkBegin(io.ports.git, forge, report, { baseTip, begin: ticket.baseCommit ?? candidate });
  await ourTip(io, forge, { ...filed, candidate });
  io.save(artifactChange(ticket, 'forge_pull_request', filed));
}

/**
 * Pushes the branch and creates its pull request, or updates both, as planned. Looks again before each act,
 * so an interrupted one is found again. Answers what it files of it. Throws as `planPublishing`.
 */
export async function publish(
  io: StepIo,
  ticket: TicketSnapshot,
  report: PullRequestReport,
  wish: PublishWish,
): Promise<ForgeState> {
  const filed = await storedJson(io, 'forge_pull_request', ForgePullRequestReport);
  if (!filed) throw new BeadsmithError('PULL_REQUEST_FAILED', { reason: 'it was not planned.' });
  const forge = await io.ports.forges.at({ remote: filed.remote });
  checkConfirmed(forge.place, wish);
  if (fullName(forge.place.base) !== filed.repository) throw otherPlaceError(forge.place, filed.repository);
  const { candidate, branch, base } = report;
  const { git } = io.ports;
  const proposal = proposalOf(ticket, report);
  const found = await foundOpen(forge, proposal, filed);
  checkFound(forge, wish, filed, found);
  const tip = await ourTip(io, forge, { ...filed, candidate });
  if (tip !== candidate) {
    // It may have been rewritten there since.
    const { baseTip } = await openBase(forge, base);
    await checkBegin(git, forge, report, { baseTip, begin: ticket.baseCommit ?? candidate });
    const { head: to } = forge.place;
    await goesOn(io);
    await git.push({
      remote: to.remote,
      to,
      branch,
      commit: candidate,
      expected: tip,
      signal: io.signal,
    });
  }
  await goesOn(io);
  const proved = await ticketEvidence(io.ports.store, ticket);
  const whole = {
    ...proposal,
    ...(proved.evidence.length === 0 ? {} : { evidence: JSON.stringify(proved) }),
  };
  const { number, location, state } = found
    ? await forge.update(found.number, whole)
    : await forge.create({ ...whole, isDraft: wish.draft });
  const asked = { labels: [...commaList(wish.labels)], reviewers: [...commaList(wish.reviewers)] };
  await goesOn(io);
  const unset = await assigned(forge, number, asked);
  // What is asked for remains known when a fix is pushed, which asks for nothing.
  const known = asked.labels.length + asked.reviewers.length === 0 ? {} : asked;
  const made = { ...filed, number, location, base, request: wish.request, ...known, unset };
  io.save(artifactChange(ticket, 'forge_pull_request', ForgePullRequestReport.parse(made)));
  for (const { name, reason } of unset) tell(io, `Not set on the pull request: ${name}: ${reason}`);
  const { repository, repositoryId } = filed;
  const current = { repository, repositoryId, number, location, state, base, branch, commit: candidate };
  const before = (await io.ports.store.ticket(ticket.id))?.forge;
  // An update changes nothing of what people wrote.
  const threads = before?.location === location ? before.threads : undefined;
  const now = { ...publishedState(current), ...(threads ? { threads } : {}) };
  io.save({ type: 'ticket', set: { forge: now } });
  const shown = PullRequestReport.parse({ ...report, forge: forge.name, location });
  io.save(artifactChange(ticket, 'pull_request_report', shown));
  return now;
}

/** The names in a text with commas between, each once. */
function commaList(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim().replace(/^@/, ''));
  return [...new Set(names.filter((name) => name !== ''))].slice(0, mostNames);
}

/** The pull request is there, so that a failure is one more thing to say of it. */
async function assigned(
  forge: RemoteForge,
  number: number,
  asked: { readonly labels: readonly string[]; readonly reviewers: readonly string[] },
): Promise<readonly Unset[]> {
  const names = [...asked.labels, ...asked.reviewers];
  if (names.length === 0) return [];
  try {
    return await forge.assign(number, asked);
  } catch (error) {
    if (!(error instanceof BeadsmithError)) throw error;
    return [{ name: names.join(', '), reason: error.message }];
  }
}

/** The base branch's tip and its repository, which can get pull requests. */
async function openBase(
  forge: RemoteForge,
  base: string,
): Promise<{ readonly baseTip: string; readonly repositoryId: number | undefined }> {
  const { base: target } = forge.place;
  const { isArchived, baseTip, repositoryId } = await forge.capabilities({ base });
  if (!isArchived && baseTip !== undefined) return { baseTip, repositoryId };
  const why = isArchived
    ? because('archived', { place: namesOf(forge.place) })
    : because('noBase', { repository: shownName(target), remote: target.remote, base });
  throw new BeadsmithError('FORGE_REFUSED', { host: target.host, ...why });
}

function proposalOf(
  ticket: TicketSnapshot,
  { title, body, branch, base, candidate }: PullRequestReport,
): Proposal {
  return { ticket: ticket.id, title, body, branch, base, commit: candidate };
}

/** The remotes may lead elsewhere than when the person confirmed. */
function checkConfirmed({ base, head }: ForgePlace, { repository, pushTo }: PublishWish): void {
  const isSo = (wanted: string, found: ForgePlace['base']): boolean =>
    wanted === '' || [fullName(found), shownName(found).toLowerCase()].includes(wanted.toLowerCase());
  if (!isSo(repository, base)) throw otherPlaceError({ base, head }, repository);
  if (!isSo(pushTo, head)) throw otherPlaceError({ base, head }, pushTo);
}

function otherPlaceError(place: ForgePlace, wanted: string): BeadsmithError {
  return new BeadsmithError('FORGE_UNKNOWN', because('remotesChanged', { place: namesOf(place), wanted }));
}

function namesOf({ base, head }: ForgePlace): string {
  const [to, from] = [shownName(base), shownName(head)];
  return to === from ? to : `${to} (with the branch in ${from})`;
}

/**
 * The open pull request. One that was merged or closed is neither pushed to nor created again, unless it is
 * of another clone, with a ticket of the same name.
 */
async function foundOpen(
  forge: RemoteForge,
  { ticket, branch, base, commit }: Proposal,
  { number, pushed }: Pick<ForgePullRequestReport, 'number' | 'pushed'>,
): Promise<ForgePullRequest | undefined> {
  const found = await forge.find({ ticket, branch, ...(number === null ? {} : { number }) });
  if (found?.state !== 'merged' && found?.state !== 'closed') return found;
  if (found.number !== number && !pushed.includes(found.commit)) return undefined;
  const { host } = forge.place.base;
  const why = found.state === 'closed' ? 'closed' : found.commit === commit ? 'merged' : 'mergedEarlier';
  throw new BeadsmithError('FORGE_REFUSED', { host, ...because(why, { location: found.location, base }) });
}

/** Nobody is there who would decide on another pull request. */
function checkFound(
  { place }: RemoteForge,
  { isUpdate }: PublishWish,
  { number }: ForgePullRequestReport,
  found: ForgePullRequest | undefined,
): void {
  if (isUpdate !== true || (found && found.number === number)) return;
  const why = because('openNotFound', { number: String(number) });
  throw new BeadsmithError('FORGE_REFUSED', { host: place.base.host, ...why });
}

/** A base that was changed there stays until a person decides; one that changes here is changed there. */
function checkBase(base: string, filed: string | undefined, found: ForgePullRequest | undefined): void {
  if (!found || found.base === base || found.base === filed) return;
  const { location } = found;
  throw new BeadsmithError('FORGE_BASE_CHANGED', { location, found: found.base, base });
}

/** Commits of the base that aren't on the forge would be published with the ticket's. */
async function checkBegin(
  git: Git,
  { place }: RemoteForge,
  { branch, base }: PullRequestReport,
  { baseTip, begin }: { readonly baseTip: string; readonly begin: string },
): Promise<void> {
  if (begin === baseTip) return;
  const isHere = (await git.resolve(baseTip)) !== undefined;
  if (isHere && (await git.isAncestor(begin, baseTip))) return;
  const holes = { base, repository: shownName(place.base), target: place.base.remote };
  const why = because(isHere ? 'baseWouldGo' : 'baseUnknown', holes);
  throw new BeadsmithError('PUSH_REFUSED', { branch, remote: place.head.remote, ...why });
}

/** The branch's tip on the remote. Commits of others are never overwritten. */
async function ourTip(
  { ports: { git }, signal }: StepIo,
  { place }: RemoteForge,
  {
    candidate,
    branch,
    pushed,
  }: Pick<ForgePullRequestReport, 'branch' | 'pushed'> & { readonly candidate: string },
): Promise<string | undefined> {
  const { head: to } = place;
  const { remote } = to;
  const tip = await git.remoteTip(remote, branch, { to, signal });
  if (tip === undefined || tip === candidate || pushed.includes(tip)) return tip;
  if ((await git.resolve(tip)) !== undefined && (await git.isAncestor(tip, candidate))) return tip;
  const why = because('othersCommits', { commit: tip.slice(0, 12) });
  throw new BeadsmithError('PUSH_REFUSED', { branch, remote, ...why });
}
