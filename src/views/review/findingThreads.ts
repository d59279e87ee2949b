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
import type { OpenRepository, Repositories } from '../shared/repositories.ts';
import type { BlobPlace } from './blobAddress.ts';
import { DiffDocuments, type DiffSide } from './diffDocuments.ts';
import { type ListedFinding, readFindings, settledStates } from './findingState.ts';
import { placeFinding } from './places.ts';
import { doubtText, severityText, standingText } from './findingTexts.ts';

interface ShownFinding {
  readonly repository: OpenRepository;
  readonly ticket: string;
  readonly finding: string;
}

/**
 * Read-only, wherever the quoted code is in the open version (docs/decisions/146-findings-in-the-editor.md).
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

  shownFinding(thread: CommentThread): ShownFinding | undefined {
    return this.#known.get(thread);
  }

  /** Also in documents that are still being opened. */
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

/** Of the same file, bead and iteration. A finding that was found again is shown once. */
function belongs({ finding, review, state }: ListedFinding, { path, scope }: BlobPlace): boolean {
  if (finding.file !== path || state === 'again') return false;
  if (scope.kind === 'ticket') return state !== 'earlier';
  return (
    review.bead === scope.bead &&
    (scope.kind === 'bead' ? state !== 'earlier' : review.iteration === scope.iteration)
  );
}

/** Read-only, and never Markdown: a model wrote it. */
class FindingNote implements Comment {
  readonly body: string;
  readonly mode = CommentMode.Preview;
  readonly author: { readonly name: string };
  readonly label: string;
  readonly timestamp: Date;

  constructor(author: string, label: string, body: string, at: string) {
    this.author = { name: visible(author) };
    this.label = label;
    this.body = visible(body);
    this.timestamp = new Date(at);
  }
}

function findingNotes({ finding, review, decision }: ListedFinding): readonly FindingNote[] {
  const { severity, category, claim, suggestedFix, doubt, test } = finding;
  const said = [
    claim,
    ...(suggestedFix.trim() === '' ? [] : [l10n.t('Suggested fix: {0}', suggestedFix.trim())]),
    ...(test ? [l10n.t('Test that demonstrates it: {0}', `${test.file} (${test.command})`)] : []),
    ...(doubt === null ? [] : [l10n.t('Doubtful: {0}', doubtText(doubt))]),
  ].join('\n\n');
  const notes = [
    new FindingNote(review.reviewer, `${severityText(severity)} · ${category}`, said, review.at),
  ];
  if (decision) notes.push(new FindingNote(l10n.t('You'), '', decisionText(decision), decision.at));
  return notes;
}

function findingLabel(one: ListedFinding, outdated: boolean): string {
  return joined([
    l10n.t('Review finding'),
    standingText(one),
    outdated ? l10n.t('Outdated: the lines no longer exist') : '',
  ]);
}

function decisionText({ verdict, reason }: NonNullable<ListedFinding['decision']>): string {
  const words = {
    accept: l10n.t('Accepted.'),
    dismiss: l10n.t('Dismissed.'),
    bead: l10n.t('Becomes a bead of its own.'),
  }[verdict];
  return joined([words, reason], ' ');
}
