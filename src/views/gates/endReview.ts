import { l10n, window } from 'vscode';
import { joined } from '../../base/joined.ts';
import { draftsOf } from '../../domain/findings/reviewThread.ts';
import { plainTitle } from '../commands/commandTitles.ts';
import { isUnreviewed, type ReviewedBead, readReviewedBeads } from '../review/beadReviews.ts';
import { reviewChanges } from '../review/reviewBead.ts';
import { countViewed, type ViewedCount, type ViewedFiles } from '../review/viewedFiles.ts';
import { takeAction } from '../shared/fillForm.ts';
import { plainNotification } from '../shared/plainText.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { requestChanges } from './approveGate.ts';

type Ending = 'merge' | 'merge_pull_request' | 'close';
const commandOf = { merge: 'merge', merge_pull_request: 'mergePullRequest', close: 'close' } as const;

/** A dialog lists no more; the diff shows them all. */
const mostListed = 10;

/** Says first what nobody reviewed, and offers to show it. */
export async function endReview(place: TicketPlace, action: Ending, viewed: ViewedFiles): Promise<void> {
  const beads = await readReviewedBeads(place);
  if (!beads.some(isUnreviewed)) return take(place, action);
  const { view } = await place.repository.client.ticket(place.ticket);
  const endings: readonly Ending[] = action === 'close' ? ['close', 'merge'] : [action, 'close'];
  const ways = [
    // Enter takes the first.
    { title: l10n.t('Review Changes'), go: () => reviewChanges(place) },
    ...endings
      .filter((ending) => view.actions.includes(ending))
      .map((ending) => ({
        title: ending === 'close' ? `${plainTitle(ending)}…` : l10n.t('Merge Anyway…'),
        go: () => take(place, ending),
      })),
    ...(view.actions.includes('changes')
      ? [{ title: l10n.t('Request Changes…'), go: () => requestChanges(place) }]
      : []),
  ];
  const accepted = beads.filter(({ verdict }) => verdict === 'accepted').length;
  const question = l10n.t('{0}: {1} of {2} beads accepted', place.ticket, accepted, beads.length);
  const unreviewed = beads.filter(isUnreviewed);
  const notes = await Promise.all([unviewedText(place, unreviewed, viewed), unsentText(place)]);
  const detail = joined([unreviewedText(unreviewed), ...notes], '\n\n');
  const titles = ways.map(({ title }) => title);
  const answer = await window.showWarningMessage(question, { modal: true, detail }, ...titles);
  await ways.find(({ title }) => title === answer)?.go();
}

function take(place: TicketPlace, action: Ending): Promise<void> {
  return takeAction(place, action, `${place.ticket}: ${plainTitle(commandOf[action])}`);
}

function unreviewedText(beads: readonly ReviewedBead[]): string {
  const lines = beads.slice(0, mostListed).map(({ title, verdict }) => {
    const name = plainNotification(title).text;
    return `- ${verdict === 'changed' ? l10n.t('{0} (changed since you decided)', name) : name}`;
  });
  const more = beads.length - lines.length;
  return [l10n.t('Not reviewed:'), ...lines, ...(more > 0 ? [l10n.t('And {0} more.', more)] : [])].join('\n');
}

/** Of the files of beads without a verdict. */
async function unviewedText(
  { repository: { client, root }, ticket }: TicketPlace,
  beads: readonly ReviewedBead[],
  viewed: ViewedFiles,
): Promise<string> {
  const seen = viewed.of({ root, ticket });
  const counts = await Promise.all(beads.map(({ id }) => countViewed(client, ticket, id, seen)));
  const sum = (pick: (count: ViewedCount) => number): number =>
    counts.reduce((all, count) => all + pick(count), 0);
  const total = sum((count) => count.total);
  const left = total - sum((count) => count.viewed);
  return left === 0 ? '' : l10n.t('{0} of their {1} files not viewed', left, total);
}

async function unsentText({ repository, ticket }: TicketPlace): Promise<string> {
  const threads = await repository.client.comments.threads(ticket);
  const drafts = threads.filter((thread) => draftsOf(thread).length > 0).length;
  if (drafts === 0) return '';
  return drafts === 1 ? l10n.t('1 comment not sent') : l10n.t('{0} comments not sent', drafts);
}
