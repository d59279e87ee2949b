import { type Comment, CommentMode, l10n } from 'vscode';
import { visible } from '../../base/visible.ts';
import type { ListedFinding } from './findingState.ts';
import { doubtText, severityText, standingText } from './findingTexts.ts';

/**
 * A reviewer's finding, or a person's decision about it, as a comment that is only read. Its body is a text,
 * never Markdown: a model wrote it.
 */
export class FindingNote implements Comment {
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

/** The comments of a finding's thread: the reviewer's, and the person's decision. */
export function findingNotes({ finding, review, decision }: ListedFinding): readonly FindingNote[] {
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

/** Returns the label above a finding's thread. */
export function findingLabel(one: ListedFinding, outdated: boolean): string {
  return [
    l10n.t('Review finding'),
    standingText(one),
    outdated ? l10n.t('Outdated: the lines no longer exist') : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function decisionText({ verdict, reason }: NonNullable<ListedFinding['decision']>): string {
  const words = {
    accept: l10n.t('Accepted.'),
    dismiss: l10n.t('Dismissed.'),
    bead: l10n.t('Becomes a bead of its own.'),
  }[verdict];
  return [words, reason].filter((part) => part !== '').join(' ');
}
