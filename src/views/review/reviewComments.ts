import {
  type Comment,
  type CommentController,
  CommentMode,
  comments,
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
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { draftsOf, type ReviewComment, type ReviewThread } from '../../domain/findings/reviewThread.ts';
import { visible } from '../../base/visible.ts';
import type { OpenRepository, Repositories } from '../shared/repositories.ts';
import type { BlobPlace } from './blobAddress.ts';
import { DiffDocuments, type DiffSide, placeOf } from './diffDocuments.ts';
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
  readonly #controller: CommentController;
  readonly #shown = new Map<string, Map<string, CommentThread>>();
  readonly #known = new WeakMap<CommentThread, ShownThread>();
  readonly #lifetime = new DisposableStore();
  readonly #documents: DiffDocuments;

  constructor(repositories: Repositories, logError: (what: string, error: unknown) => void) {
    this.#repositories = repositories;
    this.#controller = this.#lifetime.add(
      comments.createCommentController('beadsmith-review', l10n.t('Beadsmith Review')),
    );
    this.#controller.options = {
      prompt: l10n.t('Comment on these lines'),
      placeHolder: l10n.t('What should change here?'),
    };
    this.#controller.commentingRangeProvider = {
      provideCommentingRanges: (document) => this.#ranges(document),
    };
    this.#documents = this.#lifetime.add(
      new DiffDocuments(repositories, {
        show: (repository, ticket, sides) => this.#showSides(repository, ticket, sides),
        drop: (uri) => this.#drop(uri),
        isShowing: () => this.#shown.size > 0,
        logError: (error) => logError('review comments', error),
      }),
    );
  }

  shownThread(thread: CommentThread): ShownThread | undefined {
    return this.#known.get(thread);
  }

  threadOf(note: ReviewNote): CommentThread | undefined {
    return [...this.#shown.values()]
      .flatMap((threads) => [...threads.values()])
      .find(({ comments: notes }) => notes.includes(note));
  }

  repositoryOf(place: BlobPlace): Promise<OpenRepository | undefined> {
    return this.#documents.repositoryOf(place);
  }

  /** A thread without comments, on these lines. */
  open(uri: Uri, range: Range): CommentThread {
    return this.#controller.createCommentThread(uri, range, []);
  }

  /** INVALID_INPUT when it isn't on the right side of a diff. */
  async draft(
    thread: CommentThread,
    id: string,
  ): Promise<{ readonly repository: OpenRepository; readonly thread: ReviewThread }> {
    const place = placeOf(thread.uri);
    const repository = place && (await this.#documents.repositoryOf(place));
    if (!place?.commit || !repository || !thread.range)
      throw new BeadsmithError('INVALID_INPUT', {
        what: l10n.t('The comment'),
        reason: l10n.t('it isn’t on a line of a diff'),
      });
    const line = thread.range.start.line + 1;
    const endLine = thread.range.end.line + 1;
    const document = await workspace.openTextDocument(thread.uri);
    this.#register(thread, { repository, ticket: place.ticket, id });
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
    await this.#documents.showAll();
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
    this.#lifetime.dispose();
  }

  #ranges(document: TextDocument): Range[] {
    const place = placeOf(document.uri);
    if (!place?.commit || !this.#repositories.trusted) return [];
    return [new Range(0, 0, Math.max(0, document.lineCount - 1), 0)];
  }

  async #showSides(repository: OpenRepository, ticket: string, sides: readonly DiffSide[]): Promise<void> {
    const stored = await repository.client.comments.threads(ticket);
    for (const { document, place } of sides)
      if (!document.isClosed) this.#show(document, place, repository, stored);
  }

  #show(
    document: TextDocument,
    place: BlobPlace,
    repository: OpenRepository,
    stored: readonly ReviewThread[],
  ): void {
    const key = document.uri.toString();
    const mine = stored.filter((thread) => belongs(thread, place));
    const shown = this.#shown.get(key) ?? new Map<string, CommentThread>();
    this.#shown.set(key, shown);
    for (const [id, thread] of shown) {
      if (mine.some((one) => one.id === id)) continue;
      // One whose first comment is being stored this moment is there, but not in what was read.
      if (thread.comments.length === 0) continue;
      thread.dispose();
      shown.delete(id);
    }
    for (const thread of mine) this.#paint(document, place, thread, shown, repository);
  }

  #paint(
    document: TextDocument,
    place: BlobPlace,
    stored: ReviewThread,
    shown: Map<string, CommentThread>,
    repository: OpenRepository,
  ): void {
    const { line, endLine, outdated } = placeThread(stored, place.commit, document.getText());
    const range = new Range(line - 1, 0, endLine - 1, 0);
    const known = shown.get(stored.id);
    const thread = known ?? this.#controller.createCommentThread(document.uri, range, []);
    if (!known) this.#register(thread, { repository, ticket: stored.ticket, id: stored.id });
    const drafts = draftsOf(stored).length;
    if (!thread.range?.isEqual(range)) thread.range = range;
    showNotes(thread, stored);
    const looks: Pick<CommentThread, 'contextValue' | 'state' | 'canReply' | 'label'> = {
      contextValue: `;${stored.resolved ? 'resolved' : 'open'};${drafts > 0 ? 'draft;' : ''}`,
      state: stored.resolved ? CommentThreadState.Resolved : CommentThreadState.Unresolved,
      canReply: this.#repositories.trusted && repository.client.repository.mode !== 'readOnly',
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
    if (!known)
      thread.collapsibleState = stored.resolved
        ? CommentThreadCollapsibleState.Collapsed
        : CommentThreadCollapsibleState.Expanded;
  }

  #register(thread: CommentThread, known: ShownThread): void {
    this.#known.set(thread, known);
    const key = thread.uri.toString();
    const shown = this.#shown.get(key) ?? new Map<string, CommentThread>();
    shown.set(known.id, thread);
    this.#shown.set(key, shown);
  }

  #drop(uri: Uri): void {
    const key = uri.toString();
    for (const thread of this.#shown.get(key)?.values() ?? []) thread.dispose();
    this.#shown.delete(key);
  }
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
