import { type CommentThread, l10n, window } from 'vscode';
import { joined } from '../../base/joined.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { draftsOf, type ReviewComment, type ReviewThread } from '../../domain/findings/reviewThread.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import { sha256 } from '../../base/sha256.ts';
import type { ChangeItem } from '../../domain/ticket/inbox.ts';
import type { Client } from '../../protocol/api.ts';
import { pickOne, valueOf } from '../shared/quickInput.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { isThread, notInDiff } from './commentThread.ts';
import { type ReviewComments, ReviewNote, type ShownThread } from './reviewComments.ts';
import { suggestionBlock } from './suggestion.ts';

/**
 * The editor's argument for a command: a thread with the text typed below it, a thread alone, or a comment.
 */
interface Reply {
  readonly thread: CommentThread;
  readonly text: string;
}

export async function addComment(review: ReviewComments, argument: unknown): Promise<void> {
  const { thread, text } = replyOf(argument);
  if (text.trim() !== '') await append(review, thread, text);
}

/** At a gate the work goes back, so all drafts may go along. */
export async function sendThread(review: ReviewComments, argument: unknown): Promise<void> {
  const { thread, text } = replyOf(argument);
  if (text.trim() !== '') await append(review, thread, text);
  const shown = review.shownThread(thread);
  if (!shown) return;
  const all = await shown.repository.client.comments.threads(shown.ticket);
  const own = all.filter(({ id }) => id === shown.id);
  const others = all.filter((one) => one.id !== shown.id && draftsOf(one).length > 0);
  const chosen = others.length > 0 && (await isAtGate(shown)) ? await askForOthers(own, others) : own;
  if (chosen) await send(review, shown, chosen);
}

export async function sendReview(review: ReviewComments, place: TicketPlace): Promise<void> {
  const threads = (await place.repository.client.comments.threads(place.ticket)).filter(
    (thread) => draftsOf(thread).length > 0,
  );
  if (threads.length === 0)
    void window.showInformationMessage(l10n.t('{0} has no unsent comments.', place.ticket));
  else await send(review, place, threads);
}

export function editComment(review: ReviewComments, argument: unknown): Promise<void> {
  review.edit(noteOf(argument));
  return Promise.resolve();
}

export async function saveComment(review: ReviewComments, argument: unknown): Promise<void> {
  const note = noteOf(argument);
  const thread = review.threadOf(note);
  const shown = thread && review.shownThread(thread);
  if (!thread || !shown || note.body.trim() === '') return;
  const said = note.body;
  await change(shown, (stored) => ({
    ...stored,
    comments: stored.comments.map((one) => (one.id === note.id ? { ...one, text: said } : one)),
  }));
  review.endEdit(thread);
  await review.refresh();
}

export async function cancelEdit(review: ReviewComments, argument: unknown): Promise<void> {
  const thread = review.threadOf(noteOf(argument));
  if (!thread) return;
  review.endEdit(thread);
  await review.refresh();
}

/** A thread goes with its last comment. */
export async function deleteComment(review: ReviewComments, argument: unknown): Promise<void> {
  const note = noteOf(argument);
  const thread = review.threadOf(note);
  const shown = thread && review.shownThread(thread);
  if (!shown) return;
  const { comments } = shown.repository.client;
  const stored = await readThread(shown);
  const left = stored.comments.filter(({ id }) => id !== note.id);
  await (left.length === 0
    ? comments.remove(shown.ticket, shown.id)
    : comments.save({ ...stored, comments: left }));
  await review.refresh();
}

export async function setResolved(
  review: ReviewComments,
  argument: unknown,
  resolved: boolean,
): Promise<void> {
  const shown = review.shownThread(replyOf(argument).thread);
  if (!shown) return;
  await change(shown, (stored) => ({ ...stored, resolved }));
  await review.refresh();
}

export async function suggestEdit(review: ReviewComments, argument: unknown): Promise<void> {
  const { thread, text } = replyOf(argument);
  const shown = review.shownThread(thread);
  const lines = shown ? (await readThread(shown)).text : (await review.draft(thread, newId())).thread.text;
  const note = await append(review, thread, joined([text.trim(), suggestionBlock(lines)], '\n\n'));
  const written = thread.comments.find((one) => one instanceof ReviewNote && one.id === note);
  if (written instanceof ReviewNote) review.edit(written);
}

/** As a draft of a thread of its own. */
export async function suggestLines(
  review: ReviewComments,
  thread: CommentThread,
  said: string,
  lines: string,
): Promise<void> {
  try {
    await append(review, thread, joined([said, suggestionBlock(lines)], '\n\n'));
  } catch (error) {
    thread.dispose();
    throw error;
  }
}

export async function storedComment(
  review: ReviewComments,
  argument: unknown,
): Promise<
  { readonly shown: ShownThread; readonly thread: ReviewThread; readonly comment: ReviewComment } | undefined
> {
  const note = noteOf(argument);
  const shownThread = review.threadOf(note);
  const shown = shownThread && review.shownThread(shownThread);
  const thread = shown && (await readThread(shown));
  const comment = thread?.comments.find(({ id }) => id === note.id);
  return shown && thread && comment ? { shown, thread, comment } : undefined;
}

/** Changes a thread as it is stored now. EDIT_CONFLICT when another writer does that at the same time. */
export async function change(shown: ShownThread, by: (stored: ReviewThread) => ReviewThread): Promise<void> {
  await shown.repository.client.comments.save(by(await readThread(shown)));
}

async function append(review: ReviewComments, thread: CommentThread, text: string): Promise<string> {
  const comment: ReviewComment = { id: newId(), text, author: 'user', at: Date.now(), sent: null };
  const shown = review.shownThread(thread);
  if (shown && thread.comments.length > 0) {
    await change(shown, (stored) => ({ ...stored, comments: [...stored.comments, comment] }));
  } else {
    const first = await review.draft(thread, shown?.id ?? newId());
    await first.repository.client.comments.save({ ...first.thread, comments: [comment] });
  }
  await review.refresh();
  return comment.id;
}

async function send(
  review: ReviewComments,
  { repository, ticket }: TicketPlace,
  threads: readonly ReviewThread[],
): Promise<void> {
  const sent = await sendThreads(repository.client, ticket, threads);
  await review.refresh();
  const said =
    sent === 1 ? l10n.t('1 comment sent to the agent.') : l10n.t('{0} comments sent to the agent.', sent);
  window.setStatusBarMessage(`$(comment-discussion) ${said}`, 5_000);
}

async function askForOthers(
  own: readonly ReviewThread[],
  others: readonly ReviewThread[],
): Promise<readonly ReviewThread[] | undefined> {
  const reply = await pickOne<readonly ReviewThread[]>({
    title: l10n.t('The work returns to the agent. What should it know?'),
    choices: [
      { label: l10n.t('All {0} threads with drafts', others.length + 1), value: [...own, ...others] },
      { label: l10n.t('Only this request'), value: own },
    ],
  });
  return valueOf(reply);
}

async function isAtGate({ repository, ticket }: TicketPlace): Promise<boolean> {
  return rowOf((await repository.client.ticket(ticket)).view.status).kind === 'gate';
}

async function readThread({ repository, ticket, id }: ShownThread): Promise<ReviewThread> {
  const thread = (await repository.client.comments.threads(ticket)).find((one) => one.id === id);
  if (!thread) throw new BeadsmithError('EDIT_CONFLICT', { artifact: l10n.t('The comment') });
  return thread;
}

/** Any extension can call commands: arguments other than the editor's own are refused. */
function replyOf(argument: unknown): Reply {
  const value = typeof argument === 'object' && argument !== null ? argument : {};
  if ('thread' in value && 'text' in value && isThread(value.thread))
    return { thread: value.thread, text: String(value.text) };
  if (isThread(value)) return { thread: value, text: '' };
  throw notInDiff();
}

function noteOf(argument: unknown): ReviewNote {
  if (argument instanceof ReviewNote) return argument;
  throw notInDiff();
}

function newId(): string {
  return crypto.randomUUID();
}

const mostItems = 50;
const longestQuote = 2_000;

/** It quotes the lines, since line numbers change. */
export function requestOf(thread: ReviewThread): ChangeItem {
  const said = draftsOf(thread).map(({ text }) => text);
  const quoted =
    thread.text.trim() === ''
      ? []
      : [`It is about these lines:\n${quote(thread.text.slice(0, longestQuote))}`];
  return {
    text: [...said, ...quoted].join('\n\n').slice(0, 20_000),
    ...(thread.bead === null ? {} : { bead: thread.bead }),
    file: thread.path,
    line: thread.line,
  };
}

/**
 * Entries are named after their comments: sent again after a crash, they are filed once. Throws what
 * `Client.act` and `CommentKeeper.save` throw.
 */
export async function sendThreads(
  client: Client,
  ticket: string,
  threads: readonly ReviewThread[],
): Promise<number> {
  const open = threads.filter((thread) => draftsOf(thread).length > 0);
  for (let at = 0; at < open.length; at += mostItems) {
    const part = open.slice(at, at + mostItems);
    const drafts = part.flatMap((thread) => draftsOf(thread).map(({ id }) => id));
    const entry = `review-${sha256(drafts.join('\n')).slice(0, 24)}`;
    await client.act(ticket, 'changes', { items: part.map(requestOf) }, entry);
    for (const thread of part) await client.comments.save(sentThread(thread, drafts, entry));
  }
  return open.length;
}

function sentThread(thread: ReviewThread, drafts: readonly string[], entry: string): ReviewThread {
  return {
    ...thread,
    comments: thread.comments.map((one) => (drafts.includes(one.id) ? { ...one, sent: entry } : one)),
  };
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
