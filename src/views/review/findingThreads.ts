import {
  type CommentController,
  comments,
  type CommentThread,
  CommentThreadCollapsibleState,
  CommentThreadState,
  l10n,
  Range,
  type TextDocument,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { OpenRepository, Repositories } from '../shared/repositories.ts';
import type { BlobPlace } from './blobAddress.ts';
import { DiffDocuments, type DiffSide } from './diffDocuments.ts';
import { findingLabel, findingNotes } from './findingNote.ts';
import { type ListedFinding, settledStates } from './findingState.ts';
import { placeFinding } from './placeFinding.ts';
import { readFindings } from './readFindings.ts';

/** A finding whose thread is shown. */
export interface ShownFinding {
  readonly repository: OpenRepository;
  readonly ticket: string;
  readonly finding: string;
}

/**
 * The findings of reviews, as threads beside the lines of diffs
 * (docs/decisions/146-findings-in-the-editor.md). They are only read and decided on: each open document of a
 * diff's right side shows the findings of its file, wherever the quoted code is in its version. Settled
 * findings are collapsed.
 */
export class FindingThreads implements Disposable {
  readonly #repositories: Repositories;
  readonly #controller: CommentController;
  /** By document and finding, with what was drawn last. */
  readonly #shown = new Map<
    string,
    Map<string, { readonly thread: CommentThread; readonly drawn: string }>
  >();
  readonly #known = new WeakMap<CommentThread, ShownFinding>();
  readonly #lifetime = new DisposableStore();
  #wanted: ShownFinding | undefined;

  constructor(repositories: Repositories, logError: (what: string, error: unknown) => void) {
    this.#repositories = repositories;
    this.#controller = this.#lifetime.add(
      comments.createCommentController('beadsmith-findings', l10n.t('Beadsmith Findings')),
    );
    this.#lifetime.add(
      new DiffDocuments(repositories, {
        show: (repository, ticket, sides) => this.#showSides(repository, ticket, sides),
        drop: (uri) => this.#drop(uri.toString()),
        isShowing: () => this.#shown.size > 0,
        logError: (error) => logError('findings in diffs', error),
      }),
    );
  }

  /**
   * Returns the finding that a thread of the editor shows; undefined for a thread that isn't of a finding.
   */
  shownFinding(thread: CommentThread): ShownFinding | undefined {
    return this.#known.get(thread);
  }

  /** Unfolds the threads of a finding, also of those whose document is still being opened. */
  reveal(wanted: ShownFinding): void {
    this.#wanted = wanted;
    for (const threads of this.#shown.values())
      for (const { thread } of threads.values())
        if (this.#isWanted(thread)) thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
  }

  dispose(): void {
    for (const key of this.#shown.keys()) this.#drop(key);
    this.#lifetime.dispose();
  }

  async #showSides(repository: OpenRepository, ticket: string, sides: readonly DiffSide[]): Promise<void> {
    const [found, [view]] = await Promise.all([
      readFindings({ repository, ticket }),
      repository.client.tickets([ticket]),
    ]);
    const canDecide = this.#repositories.trusted && (view?.actions.includes('finding') ?? false);
    for (const { document, place } of sides) {
      const own = found.filter((one) => belongs(one, place));
      if (!document.isClosed) this.#show(document, place, own, { repository, canDecide });
    }
  }

  #show(
    document: TextDocument,
    { commit, ticket }: BlobPlace,
    found: readonly ListedFinding[],
    { repository, canDecide }: { readonly repository: OpenRepository; readonly canDecide: boolean },
  ): void {
    const key = document.uri.toString();
    const before =
      this.#shown.get(key) ?? new Map<string, { readonly thread: CommentThread; readonly drawn: string }>();
    const shown: typeof before = new Map();
    this.#shown.set(key, shown);
    for (const one of found) {
      const { id } = one.finding;
      const { line, outdated } = placeFinding(
        { finding: one.finding, candidate: one.review.candidate },
        commit,
        document.getText(),
      );
      const drawn = JSON.stringify([one.sha256, one.state, one.pending, canDecide, line, outdated]);
      const known = before.get(id);
      // The editor draws a thread again on each assignment, so what is the same isn't touched.
      const thread =
        known?.thread ??
        this.#controller.createCommentThread(document.uri, new Range(line - 1, 0, line - 1, 0), []);
      shown.set(id, { thread, drawn });
      if (known?.drawn === drawn) continue;
      this.#known.set(thread, { repository, ticket, finding: id });
      draw(thread, one, { line, outdated, canDecide, isNew: !known });
      if (!known && this.#isWanted(thread)) thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
    }
    for (const [id, { thread }] of before) if (!shown.has(id)) thread.dispose();
  }

  #isWanted(thread: CommentThread): boolean {
    const shown = this.#known.get(thread);
    const { ticket, finding, repository } = this.#wanted ?? {};
    return (
      shown !== undefined &&
      shown.ticket === ticket &&
      shown.finding === finding &&
      shown.repository.root === repository?.root
    );
  }

  #drop(key: string): void {
    for (const { thread } of this.#shown.get(key)?.values() ?? []) thread.dispose();
    this.#shown.delete(key);
  }
}

interface Looks {
  readonly line: number;
  readonly outdated: boolean;
  readonly canDecide: boolean;
  readonly isNew: boolean;
}

function draw(thread: CommentThread, one: ListedFinding, { line, outdated, canDecide, isNew }: Looks): void {
  const { Collapsed, Expanded } = CommentThreadCollapsibleState;
  const isSettled = settledStates.has(one.state) || one.pending !== null;
  const isWaiting = canDecide && !isSettled && one.decision === null;
  thread.range = new Range(line - 1, 0, line - 1, 0);
  thread.canReply = false;
  thread.comments = [...findingNotes(one)];
  thread.label = findingLabel(one, outdated);
  thread.contextValue = isWaiting ? ';undecided;' : ';settled;';
  thread.state = isSettled ? CommentThreadState.Resolved : CommentThreadState.Unresolved;
  if (isSettled) thread.collapsibleState = Collapsed;
  else if (isNew) thread.collapsibleState = one.state === 'unfounded' ? Collapsed : Expanded;
}

/**
 * Returns true if a finding is shown in a file of a diff: of the same file, and of this bead and iteration. A
 * finding that was found again is shown once.
 */
function belongs({ finding, review, state }: ListedFinding, { path, scope }: BlobPlace): boolean {
  if (finding.file !== path || state === 'again') return false;
  if (scope.kind === 'ticket') return state !== 'earlier';
  return (
    review.bead === scope.bead &&
    (scope.kind === 'bead' ? state !== 'earlier' : review.iteration === scope.iteration)
  );
}
