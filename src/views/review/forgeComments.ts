import {
  type Comment,
  CommentMode,
  type CommentThread,
  CommentThreadCollapsibleState,
  CommentThreadState,
  l10n,
} from 'vscode';
import { joined } from '../../base/joined.ts';
import type { Disposable } from '../../base/disposable.ts';
import { visible } from '../../base/visible.ts';
import {
  commentedText,
  type ForgeComment,
  type ForgeThread,
  ForgeThreads,
  isOpenThread,
  nameOf,
} from '../../domain/forge/forgeThread.ts';
import { forgeTexts } from '../../domain/forge/forgeTexts.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { words } from '../shared/errorText.ts';
import type { OpenRepository, Repositories } from '../shared/repositories.ts';
import type { DiffSide } from './diffDocuments.ts';
import { type DiffThread, DiffThreads } from './diffThreads.ts';
import { placeThread } from './places.ts';
import { suggestedLines } from './suggestion.ts';

/** A thread of a pull request that is shown. */
export interface ShownForgeThread {
  readonly repository: OpenRepository;
  readonly ticket: string;
  readonly id: string;
}

/** Comments of a pull request beside our own, read-only: a reply goes to the forge, and comes from there. */
export class ForgeComments implements Disposable {
  readonly #threads: DiffThreads<ShownForgeThread>;

  constructor(repositories: Repositories, logError: (what: string, error: unknown) => void) {
    this.#threads = new DiffThreads(repositories, {
      id: 'beadsmith-forge',
      label: 'GitHub',
      load: async (repository, ticket) => {
        const [read, [view]] = await Promise.all([
          readArtifact(repository.client, ticket, 'forge_threads', ForgeThreads),
          repository.client.tickets([ticket]),
        ]);
        const canAct = repositories.trusted && (view?.actions.includes('reply_comment') ?? false);
        return (side) => (read?.threads ?? []).flatMap((one) => threadIn(side, one, { repository, canAct }));
      },
      logError: (error) => logError('comments of the pull request', error),
    });
    this.#threads.controller.options = {
      prompt: l10n.t('Reply on GitHub'),
      placeHolder: l10n.t('It is posted after you confirm.'),
    };
  }

  shownThread(thread: CommentThread): ShownForgeThread | undefined {
    return this.#threads.knownOf(thread);
  }

  threadOf(note: ForgeNote): CommentThread | undefined {
    return this.#threads.threadOf(note);
  }

  dispose(): void {
    this.#threads.dispose();
  }
}

function threadIn(
  { document, place }: DiffSide,
  one: ForgeThread,
  { repository, canAct }: { readonly repository: OpenRepository; readonly canAct: boolean },
): readonly DiffThread<ShownForgeThread>[] {
  if (one.place?.path !== place.path) return [];
  const { outdated, ...lines } = placeForgeThread(one, place.commit, document.getText());
  // A bead's diff has only what is still on its lines.
  if (outdated && place.scope.kind !== 'ticket') return [];
  return [
    {
      ...lines,
      id: one.id,
      known: { repository, ticket: place.ticket, id: one.id },
      drawn: JSON.stringify([one, lines, outdated, canAct]),
      draw: (thread, isNew) => draw(thread, one, { outdated, canAct, isNew }),
    },
  ];
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
    this.body = joined([visible(text), isCut ? l10n.t(forgeTexts.cut) : ''], '\n\n');
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
