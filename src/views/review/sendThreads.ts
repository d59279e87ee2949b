import { sha256 } from '../../base/sha256.ts';
import type { ChangeItem } from '../../domain/ticket/inbox.ts';
import { draftsOf, type ReviewThread } from '../../domain/findings/reviewThread.ts';
import type { Client } from '../../protocol/api.ts';

/** As many as one request may hold. */
const mostItems = 50;
const longestQuote = 2_000;

/**
 * Returns the request that a thread makes of the agents: its drafts, the place, and the lines it is about,
 * since line numbers change.
 */
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
 * Sends the drafts of these threads to the agents and marks them as sent; answers how many threads that were.
 * The entries are named after the comments in them: sent again after a crash, they are filed once. Throws
 * what `Client.act` and `CommentKeeper.save` throw.
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
