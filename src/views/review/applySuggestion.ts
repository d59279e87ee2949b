import { l10n, window } from 'vscode';
import { joined } from '../../base/joined.ts';
import { sha256 } from '../../base/sha256.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { bylineOf, commentedText } from '../../domain/forge/forgeThread.ts';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import type { ActionOutcome, Client } from '../../protocol/api.ts';
import { RefusedAction, words } from '../shared/errorText.ts';
import { withoutLinks } from '../shared/plainText.ts';
import { patienceMs } from '../../protocol/inbox/settled.ts';
import { untilSettled } from '../shared/sendAction.ts';
import { change, storedComment } from './commentActions.ts';
import { askWhole } from '../shared/askWhole.ts';
import { currentThread, type Parts, wholeText } from './forgeCommentActions.ts';
import type { ForgeNote } from './forgeComments.ts';
import { placeThread } from './places.ts';
import type { ReviewComments } from './reviewComments.ts';
import { replaceLines, suggestedLines, withoutSuggestion } from './suggestion.ts';

/** The edit is the person's own commit, and can be taken back. */
export async function applySuggestion(review: ReviewComments, argument: unknown): Promise<void> {
  const found = await storedComment(review, argument);
  const lines = found && suggestedLines(found.comment.text);
  if (!found || lines === undefined) return;
  const { shown, thread, comment } = found;
  const { client } = shown.repository;
  const { commit, content } = await present(client, shown.ticket, thread.path);
  const place = placeThread(thread, commit, content);
  if (place.outdated) throw new BeadsmithError('EDIT_CONFLICT', { artifact: thread.path });
  const edited = replaceLines(content, place, lines);
  const about = { file: thread.path, ...(thread.bead === null ? {} : { bead: thread.bead }) };
  const state = await commitEdit(client, shown.ticket, {
    ...about,
    from: content,
    to: edited,
    reason: withoutSuggestion(comment.text),
  });
  await change(shown, (stored) => ({
    ...stored,
    resolved: true,
    comments: stored.comments.map((one) => (one.id === comment.id ? { ...one, sent: 'committed' } : one)),
  }));
  await review.refresh();
  const undo = l10n.t('Undo');
  const said =
    state === 'consumed'
      ? l10n.t(
          'Your edit of {0} was committed to {1}. Undo adds a commit that reverts it; history isn’t rewritten.',
          thread.path,
          shown.ticket,
        )
      : l10n.t('Your edit of {0} will be committed when no bead is being coded.', thread.path);
  if (
    (await window.showInformationMessage(withoutLinks(said), ...(state === 'consumed' ? [undo] : []))) !==
    undo
  )
    return;
  await commitEdit(client, shown.ticket, {
    ...about,
    from: edited,
    to: content,
    reason: l10n.t('Undo my edit'),
  });
}

/** As the reviewer wrote it, on the lines where these are now. A stranger's is shown whole before. */
export async function applyForgeSuggestion(
  { forgeComments, support }: Parts,
  note: ForgeNote,
): Promise<void> {
  const { shown, thread } = await currentThread(forgeComments, forgeComments.threadOf(note));
  const comment = thread.comments.find(({ id }) => id === note.id);
  const lines = comment && suggestedLines(comment.text);
  const { place: at } = thread;
  if (!comment || lines === undefined || comment.isCut || !at?.lines || at.side === 'old') return;
  const { ticket, repository } = shown;
  const { commit, content } = await present(repository.client, ticket, at.path);
  const place = placeThread({ ...at.lines, commit: at.commit, text: commentedText(at) }, commit, content);
  if (place.outdated) throw new BeadsmithError('EDIT_CONFLICT', { artifact: at.path });
  const button = l10n.t('Commit This Edit');
  const question = l10n.t('Commit what {0} suggests for {1}?', bylineOf(comment, words), at.path);
  if (!comment.mayWrite && (await askWhole(question, wholeText(thread), [button], support)) !== button)
    return;
  await commitEdit(repository.client, ticket, {
    file: at.path,
    from: content,
    to: replaceLines(content, place, lines),
    reason: joined(
      [withoutSuggestion(comment.text), l10n.t('Suggested by {0} on GitHub.', bylineOf(comment))],
      '\n\n',
    ),
    answers: { thread: thread.id, resolve: true },
  });
}

async function present(
  client: Client,
  ticket: string,
  path: string,
): Promise<{ readonly commit: string; readonly content: string }> {
  const whole = await client.diffs.diff(ticket, { kind: 'ticket' });
  const bytes = whole && (await client.diffs.file(ticket, whole.to, path));
  if (!whole || !bytes) throw new BeadsmithError('EDIT_CONFLICT', { artifact: path });
  return {
    commit: whole.to,
    content: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
  };
}

/** An edit is taken before it is known whether it still fits. */
async function commitEdit(
  client: Client,
  ticket: string,
  edit: Pick<InboxBody<'suggest_edit'>, 'file' | 'bead' | 'reason' | 'answers'> & {
    readonly from: string;
    readonly to: string;
  },
): Promise<'consumed' | 'pending'> {
  const { from, to, ...about } = edit;
  const { id } = await client.act(ticket, 'suggest_edit', {
    ...about,
    baseSha256: sha256(from),
    content: to,
  });
  const look = async (): Promise<ActionOutcome | undefined> => {
    if (await client.artifact(ticket, `suggested_edit:${id}`)) return { state: 'consumed' };
    const outcome = await client.outcome(ticket, id);
    return outcome?.state === 'refused' ? outcome : undefined;
  };
  const outcome = await untilSettled(client, look, patienceMs);
  if (outcome?.state === 'refused') throw new RefusedAction(outcome);
  return outcome?.state ?? 'pending';
}
