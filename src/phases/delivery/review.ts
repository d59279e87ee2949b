import * as z from 'zod';
import { forgeText } from '../../base/forgeText.ts';
import { raced } from '../../base/raced.ts';
import { BeadsmithError, type ErrorCode, toBeadsmithError } from '../../domain/core/errors.ts';
import { CommitSha } from '../../domain/core/ids.ts';
import { because } from '../../domain/forge/forgeReasons.ts';
import { inboxBodies, type InboxEntry } from '../../domain/ticket/inbox.ts';
import { type MergeReport, PullRequestReport } from '../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import { refusalOf } from '../../domain/workflow/availability.ts';
import type { RecordIo, Run, StepIo, HandlerDefinition } from '../../engine/run/run.ts';
import { artifactChange, storedJson } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { recordedTip } from '../shared/worktree/branchTip.ts';
import { commitSuggestion } from '../shared/commitSuggestion.ts';
import { failuresOf } from '../shared/worktree/commands.ts';
import { proveWhole } from '../shared/proof/wholeProof.ts';
import { saveRejections, refuseEntry, saveSkipReceipt } from '../shared/ticket/receipts.ts';
import { attempted } from '../shared/worktree/worktree.ts';
import { findingChanges } from '../shared/findings.ts';
import { fileSeen, proposedPullRequest, type Seen, seePullRequest } from './checkPullRequest.ts';
import { answerBySetting, fixChecks, pushFix, rerunChecks, resumedRerun } from './failedChecks.ts';
import { forgeAttempt } from './forgeAttempt.ts';
import { closeOnForge, leaveMerge, mergeOnForge, unplanMerge } from './forgeMerge.ts';
import { planPublishing } from './publish.ts';
import { fixComment, publishAndAnswer, replyComment } from './pullRequestComments.ts';

export function saveRequest(io: RecordIo, ticket: TicketSnapshot, entry: InboxEntry): void {
  const request = inboxBodies.changes.parse(entry.body);
  saveRejections(io, request.items);
  io.save(artifactChange(ticket, 'changes_requested', request));
}

/** A refused edit leaves the gate open. */
export async function goBackWith(
  io: StepIo,
  ticket: TicketSnapshot,
  entry: InboxEntry,
): Promise<'changes' | 'stay'> {
  return (await commitSuggestion(io, ticket, entry)) ? 'changes' : 'stay';
}

/** A finding that is to be fixed leads back; a dismissed one is filed. */
export async function goBackFor(
  io: RecordIo,
  ticket: TicketSnapshot,
  entry: InboxEntry,
): Promise<'changes' | 'stay'> {
  if (entry.kind !== 'finding') return 'stay';
  const decided = { ...entry, kind: entry.kind, body: inboxBodies.finding.parse(entry.body) };
  const items = await findingChanges(io, ticket, [decided]);
  if (items.length === 0) return 'stay';
  io.save(artifactChange(ticket, 'changes_requested', { items }));
  return 'changes';
}

const kinds = [
  'merge',
  'close',
  'create_pull_request',
  'check_pull_request',
  'rerun_checks',
  'fix_checks',
  'fix_comment',
  'reply_comment',
  'merge_pull_request',
  'unplan_merge',
  'close_pull_request',
  'changes',
  'suggest_edit',
  'finding',
] as const;
type Decision = InboxEntry & { readonly kind: Exclude<(typeof kinds)[number], 'create_pull_request'> };
const Outcome = z.enum(['merge', 'close', 'changes', 'stay']);
type Outcome = z.infer<typeof Outcome>;

/** Noted before the base moves. */
const Merging = z.object({ from: CommitSha, to: CommitSha });

export const Ending = z.object({ deleteWorktree: z.boolean().optional() });

/** Errors of a comment on the pull request, beside those of the forge. */
const commentRefusals: readonly ErrorCode[] = [
  'FORGE_COMMENT_UNKNOWN',
  'FORGE_COMMENT_UNREAD',
  'EDIT_CONFLICT',
  'INVALID_INPUT',
];

/** Errors of a merge that keep the gate open: the person can resolve them and choose again. */
const refusals: readonly ErrorCode[] = [
  'MERGE_REFUSED',
  'GIT_FAILED',
  'GIT_LOCKED',
  'BASE_BRANCH_MISSING',
  'REVISION_UNKNOWN',
];

/**
 * The last gate (docs/decisions/042-integration-and-merge.md): merge, close without merging, or request
 * changes. A suggested edit goes back to coding too, and is tested again.
 */
export const review: HandlerDefinition<'merge' | 'close' | 'changes'> = {
  version: 1,
  run: async (run, ticket) => {
    await pushFix(run, ticket);
    for (let turn = 1; ; turn += 1) {
      const entry = await run.wait(`decision:${turn}`, kinds);
      if (entry === 'expired') continue;
      if (entry.kind === 'create_pull_request') {
        await propose(run, ticket, entry, turn);
        continue;
      }
      const decision = { ...entry, kind: entry.kind };
      const outcome = await run.step(`outcome:${turn}`, Outcome, (io) => decide(run, io, ticket, decision));
      const { deleteWorktree } = Ending.parse(entry.body);
      if (outcome !== 'stay')
        return { exit: outcome, ...(deleteWorktree === undefined ? {} : { body: { deleteWorktree } }) };
    }
  },
};

/** Kinds that send the work back, or give it up. */
const leaving: readonly Decision['kind'][] = ['close', 'changes', 'suggest_edit', 'finding'];

async function decide(run: Run, io: StepIo, ticket: TicketSnapshot, entry: Decision): Promise<Outcome> {
  if (leaving.includes(entry.kind)) await raced(io.signal, leaveMerge(io, ticket));
  switch (entry.kind) {
    case 'merge':
      return merge(run, io, ticket, entry);
    case 'check_pull_request':
      return atForge(io, entry, (report) => check(io, ticket, report, entry));
    case 'merge_pull_request':
      return atForge(io, entry, async (report) =>
        endAsSeen(io, ticket, await mergeOnForge(io, ticket, report, entry)),
      );
    case 'unplan_merge':
      return atForge(io, entry, async (report) =>
        endAsSeen(io, ticket, await unplanMerge(io, ticket, report)),
      );
    case 'close_pull_request':
      return atForge(io, entry, async (report) =>
        endAsSeen(io, ticket, await closeOnForge(io, ticket, report)),
      );
    case 'rerun_checks':
      return atForge(io, entry, (report) => rerunChecks(io, ticket, report, entry.id));
    case 'fix_checks':
      return atForge(io, entry, (report) => fixChecks(io, ticket, report, entry.id));
    case 'fix_comment':
    case 'reply_comment': {
      const act = entry.kind === 'fix_comment' ? fixComment : replyComment;
      const done = await forgeAttempt(io, () => raced(io.signal, act(io, ticket, entry)), commentRefusals);
      if (done.ok && entry.kind === 'fix_comment') await raced(io.signal, leaveMerge(io, ticket));
      if (done.ok) return done.value;
      refuseEntry(io, entry, done.refused.code, done.refused.args, done.refused.diagnostics);
      return 'stay';
    }
    case 'close': {
      const { reason } = inboxBodies.close.parse(entry.body);
      saveSkipReceipt(io, ticket, { surface: 'close_unmerged', item_ids: [], reason });
      saveReport(io, ticket, { disposition: 'closed_unmerged', mergeCommit: null, reason });
      return 'close';
    }
    case 'changes':
      saveRequest(io, ticket, entry);
      return 'changes';
    case 'suggest_edit':
      return goBackWith(io, ticket, entry);
    case 'finding':
      return goBackFor(io, ticket, entry);
  }
}

/**
 * The gate stays open: what is on the forge is merged there or here. What is going to be pushed is filed
 * before, so that it counts as the ticket's own whatever happens then.
 */
async function propose(run: Run, ticket: TicketSnapshot, entry: InboxEntry, turn: number): Promise<void> {
  const wish = { ...inboxBodies.create_pull_request.parse(entry.body), request: entry.id };
  const acts = [
    ['plan', planPublishing],
    ['outcome', publishAndAnswer],
  ] as const;
  for (const [name, act] of acts) {
    const isDone = await run.step(`${name}:${turn}`, z.boolean(), async (io) => {
      const report = await proposedPullRequest(io);
      const done = await forgeAttempt(io, () => raced(io.signal, act(io, ticket, report, wish)));
      if (!done.ok) refuseEntry(io, entry, done.refused.code, done.refused.args, done.refused.diagnostics);
      return done.ok;
    });
    if (!isDone) return;
  }
}

/** The gate stays open if the forge refuses. */
async function atForge(
  io: StepIo,
  entry: Decision,
  work: (report: PullRequestReport) => Promise<Outcome>,
): Promise<Outcome> {
  const report = await proposedPullRequest(io);
  const done = await forgeAttempt(io, () => work(report));
  if (done.ok) return done.value;
  refuseEntry(io, entry, done.refused.code, done.refused.args, done.refused.diagnostics);
  return 'stay';
}

/** The ticket ends if the forge merged it. Otherwise it waits on, unless the person's setting says more. */
async function check(
  io: StepIo,
  ticket: TicketSnapshot,
  report: PullRequestReport,
  { id: request }: Decision,
): Promise<Outcome> {
  if (await resumedRerun(io, ticket, { by: 'setting', request })) return 'stay';
  const seen = await seePullRequest(io, ticket, report);
  return seen.merge ? endAsSeen(io, ticket, seen) : answerBySetting(io, ticket, report, { seen, request });
}

/** Files what was seen. A merge there ends the review. */
function endAsSeen(io: StepIo, ticket: TicketSnapshot, seen: Seen): Outcome {
  fileSeen(io, seen);
  if (!seen.merge) return 'stay';
  saveReport(io, ticket, { disposition: 'merged', ...seen.merge, reason: '' });
  return 'merge';
}

async function merge(run: Run, io: StepIo, ticket: TicketSnapshot, entry: Decision): Promise<Outcome> {
  const { baseBranch: base } = ticketParts(ticket);
  // A device can file what no surface offers.
  const [facts] = await io.ports.store.summaries([ticket.id]);
  const refused = facts && refusalOf(facts, entry.kind);
  if (refused) {
    refuseEntry(io, entry, refused.code, refused.args);
    return 'stay';
  }
  const report = await storedJson(io, 'pull_request_report', PullRequestReport);
  if (!report) {
    refuseEntry(io, entry, 'MERGE_REFUSED', { base, ...because('noText') });
    return 'stay';
  }
  const outcome = await attempted(io, () => mergeProved(run, io, ticket, report.candidate));
  if (!outcome.ok) {
    const { code, args } = toBeadsmithError(outcome.error);
    if (!refusals.includes(code)) throw outcome.error;
    refuseEntry(io, entry, code, args);
    return 'stay';
  }
  saveReport(io, ticket, { disposition: 'merged', ...outcome.value, reason: '' });
  return 'merge';
}

/**
 * Merges what was recorded, and proves it first unless the pull request proposes the same. Throws
 * MERGE_REFUSED.
 */
async function mergeProved(
  run: Run,
  io: StepIo,
  ticket: TicketSnapshot,
  candidate: string,
): Promise<Pick<MergeReport, 'mergeCommit' | 'before'>> {
  const { git } = io.ports;
  const { baseBranch, branch } = ticketParts(ticket);
  const base = await git.resolve(`refs/heads/${baseBranch}`);
  const head = (await recordedTip(io))?.commit ?? candidate;
  // Not in the worktree, which the person may have deleted by now.
  const { root } = await git.repository();
  // An interrupted attempt or a person merged already. Only its own is noted, and can be undone.
  if (base !== undefined && (await git.mergeBase(root, base, head)) === head) {
    const own = io.earlier.flatMap((note) => Merging.safeParse(note).data ?? []);
    const before = own.findLast(({ to }) => to === base)?.from;
    return { mergeCommit: base, ...(before === undefined ? {} : { before }) };
  }
  const found = await git.resolve(`refs/heads/${branch}`);
  if (found !== undefined && found !== head) {
    const why = because('branchMoved', { branch, tested: head.slice(0, 12), found: found.slice(0, 12) });
    throw new BeadsmithError('MERGE_REFUSED', { base: baseBranch, ...why });
  }
  const message = `Merge ${ticket.id}: ${forgeText.plain(ticket.title)}`;
  const request = { base: baseBranch, commit: head, message };
  const { from, to } = await git.proposeMerge(request);
  if (to !== candidate && (await git.compare(candidate, to)).length > 0) {
    const { evidence } = await proveWhole(io, { ...ticket, baseCommit: from }, to, run.limits);
    const failed = failuresOf(evidence).map(({ command }) => `"${command}"`);
    if (failed.length > 0) {
      const why = because('checksFail', { failed: failed.join(', ') });
      throw new BeadsmithError('MERGE_REFUSED', { base: baseBranch, ...why });
    }
  }
  await io.fence();
  await io.note({ from, to } satisfies z.infer<typeof Merging>);
  // Exactly the commit that was proved.
  return { mergeCommit: await git.merge({ ...request, commit: to, from }), before: from };
}

function saveReport(io: StepIo, ticket: TicketSnapshot, report: Omit<MergeReport, 'schema_version'>): void {
  io.save(artifactChange(ticket, 'merge_report', { schema_version: 1, ...report }));
}
