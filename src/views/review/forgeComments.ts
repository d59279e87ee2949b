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
} from 'vscode';
import { joined } from '../../base/joined.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { visible } from '../../base/visible.ts';
import {
  commentedText,
  type ForgeComment,
  type ForgeThread,
  ForgeThreads,
  isOpenThread,
  nameOf,
} from '../../domain/forge/forgeThread.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { words } from '../shared/errorText.ts';
import type { OpenRepository, Repositories } from '../shared/repositories.ts';
import type { BlobPlace } from './blobAddress.ts';
import { DiffDocuments, type DiffSide } from './diffDocuments.ts';
import { placeThread } from './places.ts';
import { suggestedLines } from './suggestion.ts';

/** A thread of a pull request that is shown. */
export interface ShownForgeThread {
  readonly repository: OpenRepository;
  readonly ticket: string;
  readonly id: string;
}

interface Drawn {
  readonly thread: CommentThread;
  readonly drawn: string;
}

/** Comments of a pull request beside our own, read-only: a reply goes to the forge, and comes from there. */
export class ForgeComments implements Disposable {
  readonly #repositories: Repositories;
  readonly #controller: CommentController;
  readonly #shown = new Map<string, Map<string, Drawn>>();
  readonly #known = new WeakMap<CommentThread, ShownForgeThread>();
  readonly #lifetime = new DisposableStore();

  constructor(repositories: Repositories, logError: (what: string, error: unknown) => void) {
    this.#repositories = repositories;
    this.#controller = this.#lifetime.add(comments.createCommentController('beadsmith-forge', 'GitHub'));
    this.#controller.options = {
      prompt: l10n.t('Reply on GitHub'),
      placeHolder: l10n.t('It is posted after you confirm.'),
    };
    this.#lifetime.add(
      new DiffDocuments(repositories, {
        show: (repository, ticket, sides) => this.#showSides(repository, ticket, sides),
        drop: (uri) => this.#drop(uri.toString()),
        isShowing: () => this.#shown.size > 0,
        logError: (error) => logError('comments of the pull request', error),
      }),
    );
  }

  shownThread(thread: CommentThread): ShownForgeThread | undefined {
    return this.#known.get(thread);
  }

  threadOf(note: ForgeNote): CommentThread | undefined {
    return [...this.#shown.values()]
      .flatMap((threads) => [...threads.values()].map(({ thread }) => thread))
      .find(({ comments: notes }) => notes.includes(note));
  }

  dispose(): void {
    for (const key of this.#shown.keys()) this.#drop(key);
    this.#lifetime.dispose();
  }

  async #showSides(repository: OpenRepository, ticket: string, sides: readonly DiffSide[]): Promise<void> {
    const [read, [view]] = await Promise.all([
      readArtifact(repository.client, ticket, 'forge_threads', ForgeThreads),
      repository.client.tickets([ticket]),
    ]);
    const canAct = this.#repositories.trusted && (view?.actions.includes('reply_comment') ?? false);
    for (const { document, place } of sides)
      if (!document.isClosed) this.#show(document, place, read?.threads ?? [], { repository, canAct });
  }

  #show(
    document: TextDocument,
    place: BlobPlace,
    all: readonly ForgeThread[],
    { repository, canAct }: { readonly repository: OpenRepository; readonly canAct: boolean },
  ): void {
    const key = document.uri.toString();
    const before = this.#shown.get(key) ?? new Map<string, Drawn>();
    const shown = new Map<string, Drawn>();
    this.#shown.set(key, shown);
    const isWhole = place.scope.kind === 'ticket';
    for (const one of all) {
      if (one.place?.path !== place.path) continue;
      const at = placeForgeThread(one, place.commit, document.getText());
      // A bead's diff has only what is still on its lines.
      if (at.outdated && !isWhole) continue;
      const drawn = JSON.stringify([one, at, canAct]);
      const known = before.get(one.id);
      const range = new Range(at.line - 1, 0, at.endLine - 1, 0);
      const thread = known?.thread ?? this.#controller.createCommentThread(document.uri, range, []);
      shown.set(one.id, { thread, drawn });
      // The editor draws a thread again on each assignment, so what is the same isn't touched.
      if (known?.drawn === drawn) continue;
      this.#known.set(thread, { repository, ticket: place.ticket, id: one.id });
      thread.range = range;
      draw(thread, one, { outdated: at.outdated, canAct, isNew: !known });
    }
    for (const [id, { thread }] of before) if (!shown.has(id)) thread.dispose();
  }

  #drop(key: string): void {
    for (const { thread } of this.#shown.get(key)?.values() ?? []) thread.dispose();
    this.#shown.delete(key);
  }
}

/** As our own comments; what isn't there any more, and what is on the whole file, is at its top. */
export function placeForgeThread(
  { place }: Pick<ForgeThread, 'place'>,
  commit: string | null,
  content: string,
): { readonly line: number; readonly endLine: number; readonly outdated: boolean } {
  const top = { line: 1, endLine: 1 };
  if (!place?.lines) return { ...top, outdated: false };
  if (place.side === 'old') return { ...top, outdated: true };
  const { lines, commit: of } = place;
  const found = placeThread({ ...lines, commit: of, text: commentedText(place) }, commit, content);
  return found.outdated ? { ...top, outdated: true } : found;
}

function draw(
  thread: CommentThread,
  one: ForgeThread,
  {
    outdated,
    canAct,
    isNew,
  }: { readonly outdated: boolean; readonly canAct: boolean; readonly isNew: boolean },
): void {
  const { Collapsed, Expanded } = CommentThreadCollapsibleState;
  const isOpen = isOpenThread(one);
  thread.canReply = canAct;
  thread.comments = [
    ...(outdated && one.place ? [new HunkNote(one.place.hunk)] : []),
    ...one.comments.map((comment) => new ForgeNote(comment, canAct && !outdated)),
  ];
  thread.label = joined([
    l10n.t('On GitHub'),
    isOpen ? '' : l10n.t('resolved'),
    outdated ? l10n.t('Outdated: the lines no longer exist') : '',
  ]);
  thread.contextValue = `;${isOpen ? 'open' : 'resolved'};${canAct ? 'fix;' : ''}${
    canAct && isOpen && one.node !== null ? 'resolve;' : ''
  }`;
  thread.state = isOpen ? CommentThreadState.Unresolved : CommentThreadState.Resolved;
  if (isNew) thread.collapsibleState = isOpen ? Expanded : Collapsed;
}

/** Read-only, and never Markdown: anyone may have written it. */
export class ForgeNote implements Comment {
  readonly id: number;
  readonly body: string;
  readonly mode = CommentMode.Preview;
  readonly author: { readonly name: string };
  readonly label: string;
  readonly contextValue: string;
  readonly timestamp?: Date;

  constructor(comment: ForgeComment, canApply: boolean) {
    const { id, text, isCut, author, mayWrite, at } = comment;
    this.id = id;
    this.body = joined([visible(text), isCut ? l10n.t('The rest is on GitHub.') : ''], '\n\n');
    this.author = { name: visible(nameOf(author, words)) };
    this.label = mayWrite ? '' : l10n.t('without write access');
    this.contextValue = canApply && !isCut && suggestedLines(text) !== undefined ? ';suggestion;' : ';';
    const time = new Date(at);
    if (!Number.isNaN(time.getTime())) this.timestamp = time;
  }
}

/** The lines as they were, above a comment that lost its place. */
class HunkNote implements Comment {
  readonly body: string;
  readonly mode = CommentMode.Preview;
  readonly author: { readonly name: string };

  constructor(hunk: string) {
    this.author = { name: l10n.t('Lines at the time') };
    this.body = visible(hunk.split('\n').slice(-12).join('\n'));
  }
}
