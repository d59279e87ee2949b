import { type Comment, CommentMode, type CommentThread, l10n } from 'vscode';
import { visible } from '../../base/visible.ts';
import type { ReviewComment, ReviewThread } from '../../domain/findings/reviewThread.ts';
import { suggestedLines } from './suggestion.ts';

/**
 * A comment as the editor shows it. Its body is a text, never Markdown: another window may have written it.
 * What is hidden in it is marked, except while it is edited.
 */
export class ReviewNote implements Comment {
  readonly id: string;
  readonly text: string;
  body: string;
  mode = CommentMode.Preview;
  readonly author: { readonly name: string };
  readonly contextValue: string;
  readonly label: string;
  readonly timestamp: Date;

  constructor(comment: ReviewComment) {
    this.id = comment.id;
    this.text = comment.text;
    this.body = visible(comment.text);
    this.author = { name: comment.author === 'user' ? l10n.t('You') : comment.author };
    const isDraft = comment.sent === null;
    this.contextValue = `;${isDraft ? 'draft' : 'sent'};${suggestedLines(comment.text) === undefined ? '' : 'suggestion;'}`;
    this.label = isDraft ? l10n.t('Draft') : l10n.t('Sent');
    this.timestamp = new Date(comment.at);
  }

  /** Starts or ends editing; what was typed and not saved is dropped. */
  edit(isOn: boolean): void {
    this.mode = isOn ? CommentMode.Editing : CommentMode.Preview;
    this.body = isOn ? this.text : visible(this.text);
  }

  /** Returns true if it shows what is stored now. Text that was typed into it and canceled doesn't count. */
  shows(comment: ReviewComment): boolean {
    const { text, body, contextValue } = new ReviewNote(comment);
    const isSame =
      this.id === comment.id &&
      this.text === text &&
      this.body === body &&
      this.contextValue === contextValue;
    return isSame && this.mode === CommentMode.Preview;
  }
}

/** A comment that looks the same stays the same object, so that a click on it isn't lost. */
export function showNotes(thread: CommentThread, { comments: stored }: ReviewThread): void {
  // What the person types at this moment isn't theirs to lose.
  if (thread.comments.some(({ mode }) => mode === CommentMode.Editing)) return;
  const known = thread.comments.filter((note) => note instanceof ReviewNote);
  const notes = stored.map((comment) => known.find((note) => note.shows(comment)) ?? new ReviewNote(comment));
  if (notes.length !== thread.comments.length || notes.some((note, at) => note !== thread.comments[at]))
    thread.comments = notes;
}
