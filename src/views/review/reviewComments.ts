import {
  type Comment,
  CommentMode,
  type CommentThread,
  CommentThreadCollapsibleState,
  CommentThreadState,
  l10n,
  Range,
  type TextDocument,
  type Uri,
  workspace,
} from 'vscode';
import { joined } from '../../base/joined.ts';
import type { Disposable } from '../../base/disposable.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { draftsOf, type ReviewComment, type ReviewThread } from '../../domain/findings/reviewThread.ts';
import { visible } from '../../base/visible.ts';
import type { OpenRepository, Repositories } from '../shared/repositories.ts';
import type { BlobPlace } from './blobAddress.ts';
import { type DiffSide, placeOf } from './diffDocuments.ts';
import { type DiffThread, DiffThreads } from './diffThreads.ts';
import { linesOf, placeThread } from './places.ts';
import { suggestedLines } from './suggestion.ts';

/** A thread that is shown, and what is stored of it; nothing while the person writes the first comment. */
export interface ShownThread {
  readonly repository: OpenRepository;
  readonly ticket: string;
  readonly id: string;
}

/** The stored thread is the truth, and every change of a thread changes it. */
export class ReviewComments implements Disposable {
  readonly #repositories: Repositories;
  readonly #threads: DiffThreads<ShownThread>;

  constructor(repositories: Repositories, logError: (what: string, error: unknown) => void) {
    this.#repositories = repositories;
    this.#threads = new DiffThreads(repositories, {
      id: 'beadsmith-review',
      label: l10n.t('Beadsmith Review'),
      load: async (repository, ticket) => {
        const stored = await repository.client.comments.threads(ticket);
        const canReply = repositories.trusted && repository.client.repository.mode !== 'readOnly';
        return (side) =>
          stored
            .filter((one) => belongs(one, side.place))
            .map((one) => threadIn(side, one, { repository, canReply }));
      },
      logError: (error) => logError('review comments', error),
    });
    const { controller } = this.#threads;
    controller.options = {
      prompt: l10n.t('Comment on these lines'),
      placeHolder: l10n.t('What should change here?'),
    };
    controller.commentingRangeProvider = {
      provideCommentingRanges: (document) => this.#ranges(document),
    };
  }

  shownThread(thread: CommentThread): ShownThread | undefined {
    return this.#threads.knownOf(thread);
  }

  threadOf(note: ReviewNote): CommentThread | undefined {
    return this.#threads.threadOf(note);
  }

  repositoryOf(place: BlobPlace): Promise<OpenRepository | undefined> {
    return this.#threads.documents.repositoryOf(place);
  }

  /** A thread without comments, on these lines. */
  open(uri: Uri, range: Range): CommentThread {
    return this.#threads.controller.createCommentThread(uri, range, []);
  }

  /** INVALID_INPUT when it isn't on the right side of a diff. */
  async draft(
    thread: CommentThread,
    id: string,
  ): Promise<{ readonly repository: OpenRepository; readonly thread: ReviewThread }> {
    const place = placeOf(thread.uri);
    const repository = place && (await this.#threads.documents.repositoryOf(place));
    if (!place?.commit || !repository || !thread.range)
      throw new BeadsmithError('INVALID_INPUT', {
        what: l10n.t('The comment'),
        reason: l10n.t('it isn’t on a line of a diff'),
      });
    const line = thread.range.start.line + 1;
    const endLine = thread.range.end.line + 1;
    const document = await workspace.openTextDocument(thread.uri);
    this.#threads.add(thread, id, { repository, ticket: place.ticket, id });
    const { scope } = place;
    return {
      repository,
      thread: {
        id,
        ticket: place.ticket,
        revision: 0,
        bead: scope.kind === 'ticket' ? null : scope.bead,
        iteration: scope.kind === 'iteration' ? scope.iteration : null,
        commit: place.commit,
        path: place.path,
        line,
        endLine,
        text: linesOf(document.getText(), line, endLine).slice(0, 20_000),
        resolved: false,
        comments: [],
      },
    };
  }

  async refresh(): Promise<void> {
    await this.#threads.documents.showAll();
  }

  edit(note: ReviewNote): void {
    const thread = this.threadOf(note);
    if (!thread) return;
    note.edit(true);
    thread.comments = [...thread.comments];
    thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
  }

  /** Unsaved text is dropped. */
  endEdit(thread: CommentThread): void {
    for (const note of thread.comments) if (note instanceof ReviewNote) note.edit(false);
    thread.comments = [...thread.comments];
  }

  dispose(): void {
    this.#threads.dispose();
  }

  #ranges(document: TextDocument): Range[] {
    const place = placeOf(document.uri);
    if (!place?.commit || !this.#repositories.trusted) return [];
    return [new Range(0, 0, Math.max(0, document.lineCount - 1), 0)];
  }
}

function threadIn(
  { document, place }: DiffSide,
  stored: ReviewThread,
  { repository, canReply }: { readonly repository: OpenRepository; readonly canReply: boolean },
): DiffThread<ShownThread> {
  const { outdated, ...lines } = placeThread(stored, place.commit, document.getText());
  const { id, ticket } = stored;
  return {
    ...lines,
    id,
    known: { repository, ticket, id },
    // What the person types must not keep a thread from being drawn later.
    draw: (thread, isNew) => draw(thread, stored, { outdated, canReply, isNew }),
  };
}

function draw(
  thread: CommentThread,
  stored: ReviewThread,
  {
    outdated,
    canReply,
    isNew,
  }: { readonly outdated: boolean; readonly canReply: boolean; readonly isNew: boolean },
): void {
  const drafts = draftsOf(stored).length;
  showNotes(thread, stored);
  const looks: Pick<CommentThread, 'contextValue' | 'state' | 'canReply' | 'label'> = {
    contextValue: `;${stored.resolved ? 'resolved' : 'open'};${drafts > 0 ? 'draft;' : ''}`,
    state: stored.resolved ? CommentThreadState.Resolved : CommentThreadState.Unresolved,
    canReply,
    label: joined([
      outdated ? l10n.t('Outdated: the lines no longer exist') : '',
      drafts > 0 ? l10n.t('Not sent yet') : l10n.t('Sent to the agent'),
    ]),
  };
  // The editor redraws on each assignment, and this runs many times a second while a ticket is worked on.
  if (
    thread.contextValue !== looks.contextValue ||
    thread.canReply !== looks.canReply ||
    thread.label !== looks.label
  )
    Object.assign(thread, looks);
  if (isNew)
    thread.collapsibleState = stored.resolved
      ? CommentThreadCollapsibleState.Collapsed
      : CommentThreadCollapsibleState.Expanded;
}

/** Of the same file, and not of another bead. */
function belongs(thread: ReviewThread, { path, scope }: BlobPlace): boolean {
  if (thread.path !== path) return false;
  return scope.kind === 'ticket' || thread.bead === null || thread.bead === scope.bead;
}

/**
 * Never Markdown: another window may have written it. Hidden characters are marked, except while it is
 * edited.
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

  /** Unsaved text is dropped. */
  edit(isOn: boolean): void {
    this.mode = isOn ? CommentMode.Editing : CommentMode.Preview;
    this.body = isOn ? this.text : visible(this.text);
  }

  /** Text that was typed and canceled doesn't count. */
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
