import * as z from 'zod';
import { forgeText } from '../../base/forgeText.ts';
import { sha256 } from '../../base/sha256.ts';
import { BeadCommit, type PullRequestReport } from '../../domain/beads/reports.ts';
import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import type { ForgeState } from '../../domain/forge/forgeLook.ts';
import {
  type ForgeThread,
  ForgeThreads,
  isAnswered,
  shownHash,
  strangersOf,
  threadCount,
  threadRequest,
} from '../../domain/forge/forgeThread.ts';
import { SuggestedEdit } from '../../domain/workflow/receipts.ts';
import { type ChangeItem, inboxBodies, type InboxBody, type InboxEntry } from '../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { RemoteForge } from '../../engine/ports/ports.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { forgeOf } from '../shared/forgeOf.ts';
import { tellIssue } from '../shared/tellIssue.ts';
import { artifactChange, readJson, say, storedJson } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { attempted } from '../shared/worktree/worktree.ts';
import { publishedPullRequest } from './checkPullRequest.ts';
import { evidenceTable, newestIds, newestProofs } from './evidenceTable.ts';
import { goesOn } from './forgeAttempt.ts';
import { publish, type PublishWish } from './publish.ts';

/** Agents get no more of one wish, and nothing is cut. */
const mostChars = 20_000;

/**
 * The change that a comment asks for. FORGE_COMMENT_UNKNOWN; FORGE_COMMENT_UNREAD for people without write
 * access, whose text has to be confirmed; EDIT_CONFLICT if it isn't what the person read; INVALID_INPUT.
 */
export async function wishOf(
  io: StepIo,
  { comment, note, shown, resolve }: InboxBody<'fix_comment'>,
): Promise<ChangeItem> {
  const thread = await storedThread(io, comment);
  const strangers = strangersOf(thread);
  const isShown = shown === shownHash(thread);
  if (strangers.length > 0 && !isShown)
    throw new BeadsmithError('FORGE_COMMENT_UNREAD', {
      comment,
      authors: strangers.join(', ').slice(0, 500),
    });
  if (shown !== '' && !isShown) throw new BeadsmithError('EDIT_CONFLICT', { artifact: `comment ${comment}` });
  const text = threadRequest(thread, note);
  if (text.length > mostChars || thread.comments.some(({ isCut }) => isCut))
    throw invalidInput(
      `Comment ${comment}`,
      `it is longer than ${String(mostChars)} characters. Request changes in your own words.`,
    );
  const { place } = thread;
  return {
    text,
    ...(place ? { file: place.path, ...(place.lines ? { line: place.lines.line } : {}) } : {}),
    answers: { thread: thread.id, resolve },
  };
}

/** Goes back to coding with it. */
export async function fixComment(io: StepIo, ticket: TicketSnapshot, entry: InboxEntry): Promise<'changes'> {
  const item = await wishOf(io, inboxBodies.fix_comment.parse(entry.body));
  io.save(artifactChange(ticket, 'changes_requested', { items: [item] }));
  return 'changes';
}

/** Posts a person's reply, once, and resolves the thread if they say so. Throws the forge's errors. */
export async function replyComment(io: StepIo, ticket: TicketSnapshot, entry: InboxEntry): Promise<'stay'> {
  const { comment, text, resolve } = inboxBodies.reply_comment.parse(entry.body);
  if (text.trim() === '' && !resolve) throw invalidInput('The reply', 'it is empty');
  await storedThread(io, comment);
  const { forge, number } = await published(io);
  const before = await forge.threads(number);
  const said = text.trim() === '' ? undefined : { text, key: keyOf('said', entry.id) };
  await answer(io, forge, { number, threads: before.threads, comment, said, resolve });
  const known = (await io.ports.store.ticket(ticket.id))?.forge;
  await fileComments(io, ticket, { forge, number, known });
  return 'stay';
}

/**
 * Publishes, tells the issue, then replies to the comments that were fixed. What can't be posted doesn't undo
 * the rest.
 */
export async function publishAndAnswer(
  io: StepIo,
  ticket: TicketSnapshot,
  report: PullRequestReport,
  wish: PublishWish,
): Promise<void> {
  const known = await publish(io, ticket, report, wish);
  await tellIssue(io, ticket, 'proposed', known.location);
  const answered = await attempted(io, () => answerFixes(io, ticket, report, known));
  if (answered.ok) return;
  const { message, nextStep } = answered.error;
  say(io, `Comments that were fixed have no reply on GitHub yet. ${message} ${nextStep}`);
}

/** Noted before the reply, by its key. */
const Answering = z.object({ answering: z.string() });

/** Replies to each comment that is fixed in what was pushed, with commit and evidence. */
async function answerFixes(
  io: StepIo,
  ticket: TicketSnapshot,
  report: PullRequestReport,
  known: ForgeState,
): Promise<void> {
  const fixes = [...(await fixedComments(io, ticket)), ...(await appliedComments(io))];
  if (fixes.length === 0) return;
  const { forge, number } = await published(io);
  const { threads } = await forge.threads(number);
  const begun = io.earlier.flatMap((note) => Answering.safeParse(note).data?.answering ?? []);
  for (const { thread, resolve, key, beads, applied } of fixes) {
    if (threads.threads.every(({ id }) => id !== thread)) continue;
    // A thread that people opened again stays open. An interrupted answer may not have come to resolving it.
    if (isAnswered(threads, thread, key) && !begun.includes(key)) continue;
    await io.note({ answering: key } satisfies z.infer<typeof Answering>);
    const text = applied ?? (await fixText(io, ticket, report, beads));
    const said = { text, key };
    await answer(io, forge, { number, threads, comment: thread, said, resolve });
  }
  await fileComments(io, ticket, { forge, number, known });
}

const Amendment = z.object({
  bead_id: z.string(),
  plan_sha256_after: z.string(),
  requested: inboxBodies.changes.shape.items,
});

interface Fix {
  readonly thread: string;
  readonly resolve: boolean;
  readonly key: string;
  readonly beads: readonly { readonly id: string; readonly title: string }[];
  /** The whole reply, if the reviewer's own words were committed. */
  readonly applied?: string;
}

/** The suggestions of reviewers that a person committed. */
async function appliedComments(io: StepIo): Promise<readonly Fix[]> {
  const ids = await newestIds(io, 'suggested_edit:');
  const contents = await Promise.all(ids.map((id) => io.ports.store.artifactContent(id)));
  return contents.flatMap((content) => {
    const { answers, commit } = readJson(SuggestedEdit, content) ?? {};
    if (!answers || commit === undefined) return [];
    const key = keyOf('fix', `${answers.thread} ${commit}`);
    return [
      { ...answers, key, beads: [], applied: `Applied in ${commit}, and tested with all of the ticket.` },
    ];
  });
}

/** The comments whose fix beads are all done. */
async function fixedComments(io: StepIo, ticket: TicketSnapshot): Promise<readonly Fix[]> {
  const { store } = io.ports;
  const ids = await newestIds(io, 'bead_amendment:');
  const contents = await Promise.all(ids.map((id) => store.artifactContent(id)));
  const amendments = contents.flatMap((content) => readJson(Amendment, content) ?? []);
  const plan = new Map((await store.beads(ticket.id)).map((bead) => [bead.id, bead]));
  const wished = amendments.flatMap((amendment) =>
    amendment.requested.flatMap(({ answers }) => (answers ? [{ ...answers, amendment }] : [])),
  );
  // One amendment may have several beads for several comments, and nobody says which is for which.
  const groups = Map.groupBy(wished, ({ thread, amendment }) => `${thread} ${amendment.plan_sha256_after}`);
  return [...groups].flatMap(([name, own]): readonly Fix[] => {
    const beads = own.flatMap(({ amendment }) => plan.get(amendment.bead_id) ?? []);
    const done = beads.filter(({ status }) => status === 'done');
    const [first] = own;
    if (!first || done.length === 0 || beads.some(({ status }) => !['done', 'skipped'].includes(status)))
      return [];
    const { thread, resolve } = first;
    return [{ thread, resolve, key: keyOf('fix', name), beads: done }];
  });
}

/** Commits and evidence, by the engine alone. */
async function fixText(
  io: StepIo,
  ticket: TicketSnapshot,
  { candidate }: PullRequestReport,
  beads: Fix['beads'],
): Promise<string> {
  const { git } = io.ports;
  const base = ticket.baseCommit ?? candidate;
  const commits = (await git.commits(ticketParts(ticket).worktree, base, candidate)).map(({ sha }) => sha);
  const lines: string[] = [];
  for (const { id, title } of beads) {
    const made = (await storedJson(io, `bead_commit:${id}`, BeadCommit))?.commit ?? null;
    const place =
      made === null
        ? `No change was needed in ${candidate}`
        : `Fixed in ${commits.includes(made) ? made : candidate}`;
    lines.push(`${place}: ${forgeText.prose(title)}`);
  }
  const names = new Set(beads.map(({ id }) => id));
  const proofs = (await newestProofs(io)).filter(({ bead }) => bead !== null && names.has(bead));
  return [lines.join('\n'), evidenceTable(proofs, commits)].filter((part) => part !== '').join('\n\n');
}

/** Posts what isn't there yet, and resolves what isn't resolved. */
async function answer(
  io: StepIo,
  forge: RemoteForge,
  of: {
    readonly number: number;
    readonly threads: ForgeThreads;
    readonly comment: string;
    readonly said: { readonly text: string; readonly key: string } | undefined;
    readonly resolve: boolean;
  },
): Promise<void> {
  const { number, threads, comment, said, resolve } = of;
  const thread = threads.threads.find(({ id }) => id === comment);
  if (!thread) throw new BeadsmithError('FORGE_COMMENT_UNKNOWN', { comment });
  if (said && !isAnswered(threads, comment, said.key)) {
    await goesOn(io);
    await forge.reply(number, { thread: comment, ...said });
  }
  if (!resolve || thread.resolved || thread.node === null) return;
  await goesOn(io);
  await forge.resolve(thread.node);
}

/** As they are now, with their count. `known`: what is filed of the pull request. */
async function fileComments(
  io: StepIo,
  ticket: TicketSnapshot,
  {
    forge,
    number,
    known,
  }: { readonly forge: RemoteForge; readonly number: number; readonly known: ForgeState | undefined },
): Promise<void> {
  const { threads } = await forge.threads(number);
  io.save(artifactChange(ticket, 'forge_threads', threads));
  if (known) io.save({ type: 'ticket', set: { forge: { ...known, threads: threadCount(threads) } } });
}

async function storedThread(io: StepIo, comment: string): Promise<ForgeThread> {
  const filed = await storedJson(io, 'forge_threads', ForgeThreads);
  const thread = filed?.threads.find(({ id }) => id === comment);
  if (thread) return thread;
  throw new BeadsmithError('FORGE_COMMENT_UNKNOWN', { comment });
}

async function published(io: StepIo): Promise<{ readonly forge: RemoteForge; readonly number: number }> {
  const { repository, number } = await publishedPullRequest(io);
  return { forge: await forgeOf(io.ports.forges, repository), number };
}

function keyOf(kind: 'said' | 'fix', of: string): string {
  return `${kind}-${sha256(of).slice(0, 24)}`;
}
