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
import { words } from '../shared/errorText.ts';
import type { OpenRepository, Repositories } from '../shared/repositories.ts';
import type { BlobPlace } from './blobAddress.ts';
import type { DiffSide } from './diffDocuments.ts';
import { type DiffThread, DiffThreads } from './diffThreads.ts';
import { type ListedFinding, readFindings, settledStates } from '../../protocol/findings/findingStates.ts';
import { placeFinding } from './places.ts';
import { doubtTexts, severityLabels, standingText } from '../../protocol/findings/findingTexts.ts';

interface ShownFinding {
  readonly repository: OpenRepository;
  readonly ticket: string;
  readonly finding: string;
}

/**
 * Read-only, wherever the quoted code is in the open version (docs/decisions/146-findings-in-the-editor.md).
 */
export class FindingThreads implements Disposable {
  readonly #threads: DiffThreads<ShownFinding>;
  #wanted: ShownFinding | undefined;

  constructor(repositories: Repositories, logError: (what: string, error: unknown) => void) {
    this.#threads = new DiffThreads(repositories, {
      id: 'beadsmith-findings',
      label: l10n.t('Beadsmith Findings'),
      load: async (repository, ticket) => {
        const [found, [view]] = await Promise.all([
          readFindings(repository.client, ticket),
          repository.client.tickets([ticket]),
        ]);
        const canDecide = repositories.trusted && (view?.actions.includes('finding') ?? false);
        return (side) =>
          found
            .filter((one) => belongs(one, side.place))
            .map((one) => this.#threadIn(side, one, { repository, canDecide }));
      },
      logError: (error) => logError('findings in diffs', error),
    });
  }

  shownFinding(thread: CommentThread): ShownFinding | undefined {
    return this.#threads.knownOf(thread);
  }

  /** Also in documents that are still being opened. */
  reveal(wanted: ShownFinding): void {
    this.#wanted = wanted;
    for (const thread of this.#threads.threads)
      if (this.#isWanted(this.#threads.knownOf(thread)))
        thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
  }

  dispose(): void {
    this.#threads.dispose();
  }

  #threadIn(
    { document, place: { commit, ticket } }: DiffSide,
    one: ListedFinding,
    { repository, canDecide }: { readonly repository: OpenRepository; readonly canDecide: boolean },
  ): DiffThread<ShownFinding> {
    const { finding, review, sha256, state, pending } = one;
    const of = { finding, candidate: review.candidate };
    const { line, outdated } = placeFinding(of, commit, document.getText());
    const known = { repository, ticket, finding: finding.id };
    return {
      id: finding.id,
      known,
      line,
      endLine: line,
      drawn: JSON.stringify([sha256, state, pending, canDecide, line, outdated]),
      draw: (thread, isNew) => {
        draw(thread, one, { outdated, canDecide, isNew });
        if (isNew && this.#isWanted(known)) thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
      },
    };
  }

  #isWanted(shown: ShownFinding | undefined): boolean {
    const { ticket, finding, repository } = this.#wanted ?? {};
    return (
      shown !== undefined &&
      shown.ticket === ticket &&
      shown.finding === finding &&
      shown.repository.root === repository?.root
    );
  }
}

interface Looks {
  readonly outdated: boolean;
  readonly canDecide: boolean;
  readonly isNew: boolean;
}

function draw(thread: CommentThread, one: ListedFinding, { outdated, canDecide, isNew }: Looks): void {
  const { Collapsed, Expanded } = CommentThreadCollapsibleState;
  const isSettled = settledStates.has(one.state) || one.pending !== null;
  const isWaiting = canDecide && !isSettled && one.decision === null;
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
    ...(doubt === null ? [] : [l10n.t('Doubtful: {0}', l10n.t(doubtTexts[doubt]))]),
  ].join('\n\n');
  const notes = [
    new FindingNote(review.reviewer, `${l10n.t(severityLabels[severity])} · ${category}`, said, review.at),
  ];
  if (decision) notes.push(new FindingNote(l10n.t('You'), '', decisionText(decision), decision.at));
  return notes;
}

function findingLabel(one: ListedFinding, outdated: boolean): string {
  return joined([
    l10n.t('Review finding'),
    standingText(one, words),
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
