import { l10n } from 'vscode';
import { ForgePullRequestReport } from '../../domain/beads/reports.ts';
import {
  bylineOf,
  type ForgeThread,
  ForgeThreads,
  shownHash,
  strangersOf,
  threadRequest,
} from '../../domain/forge/forgeThread.ts';
import { flagOf, type FormAction, formOf } from '../../domain/workflow/forms.ts';
import { countHidden, hiddenSentence, visible } from '../../base/visible.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { words } from '../shared/errorText.ts';
import { askWhole } from '../shared/askWhole.ts';
import { sendAndTell } from '../shared/sendAction.ts';
import type { Workbench } from '../shared/workbench.ts';
import { isThread, notInDiff } from './commentThread.ts';
import type { ForgeComments, ShownForgeThread } from './forgeComments.ts';

export type Parts = Pick<Workbench, 'forgeComments' | 'support'>;

/** The whole thread is shown before agents get it; what is sent carries the hash of what was shown. */
export async function fixComment({ forgeComments, support }: Parts, argument: unknown): Promise<void> {
  const { shown, thread } = await currentThread(forgeComments, argument);
  const resolve = await confirm('fix_comment', shown, thread, { text: wholeText(thread), support });
  if (resolve === undefined) return;
  const body = { comment: thread.id, note: '', shown: shownHash(thread), resolve };
  await sendAndTell(shown, 'fix_comment', body);
}

/** The comment becomes context of the ticket, as a quotation. */
export async function noteComment({ forgeComments, support }: Parts, argument: unknown): Promise<void> {
  const { shown, thread } = await currentThread(forgeComments, argument);
  const question = l10n.t('Tell agents what {0} wrote?', authorsOf(thread));
  const button = l10n.t('Add Note');
  if ((await askWhole(question, wholeText(thread), [button], support)) !== button) return;
  const done = l10n.t('{0}: note added.', shown.ticket);
  await sendAndTell(shown, 'context', { text: threadRequest(thread, ''), scope: 'once' }, done);
}

/** Says where the reply goes, and posts it then. */
export async function replyComment({ forgeComments, support }: Parts, argument: unknown): Promise<void> {
  const { shown, thread, text } = await currentThread(forgeComments, argument);
  if (text.trim() === '') return;
  const resolve = await confirm('reply_comment', shown, thread, { text: visible(text), support });
  if (resolve === undefined) return;
  const { done = '' } = formOf('reply_comment');
  await sendAndTell(shown, 'reply_comment', { comment: thread.id, text, resolve }, l10n.t(done));
}

export async function resolveComment({ forgeComments, support }: Parts, argument: unknown): Promise<void> {
  const { shown, thread } = await currentThread(forgeComments, argument);
  const button = l10n.t('Resolve');
  const question = l10n.t('Resolve this thread on GitHub?');
  if ((await askWhole(question, wholeText(thread), [button], support)) !== button) return;
  await sendAndTell(shown, 'reply_comment', { comment: thread.id, text: '', resolve: true });
}

/** Answers whether the thread is to be resolved; undefined if the person leaves. */
async function confirm(
  action: FormAction,
  shown: ShownForgeThread,
  thread: ForgeThread,
  { text, support }: { readonly text: string; readonly support: Parts['support'] },
): Promise<boolean | undefined> {
  const { confirmation } = formOf(action);
  const [, flag] = flagOf(action) ?? [];
  if (!confirmation || !flag) return undefined;
  const { repository, ticket } = shown;
  const made = await readArtifact(repository.client, ticket, 'forge_pull_request', ForgePullRequestReport);
  const names = { author: authorsOf(thread), ticket, location: made?.location ?? '' };
  const buttons = [confirmation.button, ...(thread.node === null ? [] : [flag.button])].map((label) =>
    l10n.t(label),
  );
  const detail = `${l10n.t(confirmation.detail, names)}\n\n${text}`;
  const answer = await askWhole(l10n.t(confirmation.question, names), detail, buttons, support);
  return answer === undefined ? undefined : answer === buttons[1];
}

export function wholeText(thread: ForgeThread): string {
  const texts = thread.comments
    .map((comment) => `${bylineOf(comment, words)}:\n${comment.text}`)
    .join('\n\n');
  const hidden = countHidden(texts);
  const strangers = strangersOf(thread);
  return [
    ...(strangers.length === 0 ? [] : [l10n.t('Without write access: {0}.', visible(strangers.join(', ')))]),
    ...(hidden > 0 ? [l10n.t(hiddenSentence, hidden)] : []),
    visible(texts),
  ].join('\n\n');
}

function authorsOf({ comments }: ForgeThread): string {
  return visible([...new Set(comments.map((comment) => bylineOf(comment, words)))].slice(0, 3).join(', '));
}

/** The thread as it is now. */
export async function currentThread(
  forgeComments: Pick<ForgeComments, 'shownThread'>,
  argument: unknown,
): Promise<{ readonly shown: ShownForgeThread; readonly thread: ForgeThread; readonly text: string }> {
  const value: unknown =
    typeof argument === 'object' && argument !== null && 'thread' in argument ? argument.thread : argument;
  const shown = isThread(value) ? forgeComments.shownThread(value) : undefined;
  const read =
    shown && (await readArtifact(shown.repository.client, shown.ticket, 'forge_threads', ForgeThreads));
  const thread = read?.threads.find(({ id }) => id === shown?.id);
  if (!shown || !thread) throw notInDiff();
  const hasText = typeof argument === 'object' && argument !== null && 'text' in argument;
  return { shown, thread, text: hasText ? String(argument.text) : '' };
}
