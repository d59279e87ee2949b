import { l10n, window } from 'vscode';
import { BeadReview } from '../../domain/workflow/receipts.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { writeText } from '../shared/quickInput.ts';
import { sendAndTell } from '../shared/sendAction.ts';
import { showArtifact } from '../documents/openDocument.ts';
import type { Target } from '../commands/ticketTarget.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { isUnreviewed, readReviewedBeads } from './beadReviews.ts';
import { pickBead, showScope } from './showDiff.ts';

/** The first bead without a verdict on its current diff; the whole ticket once there is none. */
export async function reviewChanges(place: TicketPlace): Promise<void> {
  const next = (await readReviewedBeads(place)).find(isUnreviewed);
  await showScope(place, next ? { kind: 'bead', bead: next.id } : { kind: 'ticket' });
}

/** The receipt carries the hash of exactly this diff. Returns the bead once it is accepted. */
export async function acceptBead(place: TicketPlace, target: Target): Promise<string | undefined> {
  const found = await finished(place, target);
  if (!found) return undefined;
  const { bead, sha256 } = found;
  const { client } = place.repository;
  const before = await readArtifact(client, place.ticket, `bead_review:${bead}`, BeadReview);
  if (before?.verdict === 'accepted' && before.diff_sha256 === sha256) {
    void window.showInformationMessage(l10n.t('You already accepted {0}.', bead));
    return bead;
  }
  await sendAndTell(
    place,
    'accept_bead',
    { bead, sha256, reason: '' },
    `$(verified) ${l10n.t('{0} accepted.', bead)}`,
  );
  return bead;
}

/** Shows the next bead to review, first those after this one. `end`: there is none. */
export async function acceptAndNext(
  place: TicketPlace,
  target: Target,
  end: (place: TicketPlace) => Promise<void>,
): Promise<void> {
  const bead = await acceptBead(place, target);
  if (bead === undefined) return;
  const beads = await readReviewedBeads(place);
  const at = beads.findIndex(({ id }) => id === bead);
  // What was accepted may still wait to be stored.
  const next = [...beads.slice(at + 1), ...beads.slice(0, Math.max(0, at))].find(isUnreviewed);
  if (next) await showScope(place, { kind: 'bead', bead: next.id });
  else await end(place);
}

export async function rejectBead(place: TicketPlace, target: Target): Promise<void> {
  const found = await finished(place, target);
  if (!found) return;
  const { bead, sha256 } = found;
  const reason = await writeText({
    title: l10n.t('Reject {0}', bead),
    prompt: l10n.t('What is wrong? Beadsmith adds a fix bead; existing commits are kept.'),
    check: (text) => (text.trim() === '' ? l10n.t('Describe what is wrong.') : undefined),
  });
  if (reason.kind !== 'given') return;
  const items = [{ text: reason.value.trim(), bead, rejects: sha256 }];
  await sendAndTell(place, 'changes', { items }, `$(circle-slash) ${l10n.t('{0} rejected.', bead)}`);
}

export async function showEvidence(place: TicketPlace, target: Target): Promise<void> {
  const bead = target.bead ?? (await pickBead(place, true));
  if (bead !== undefined) await showArtifact(place, `bead_execution:${bead}`);
}

async function finished(
  place: TicketPlace,
  target: Target,
): Promise<{ readonly bead: string; readonly sha256: string } | undefined> {
  const { client } = place.repository;
  const bead = target.bead ?? (await pickBead(place, true));
  if (bead === undefined) return undefined;
  const { beads } = await client.beads(place.ticket);
  const isDone = beads.some(({ id, status }) => id === bead && status === 'done');
  const view = isDone ? await client.diffs.diff(place.ticket, { kind: 'bead', bead }) : undefined;
  if (!view) {
    void window.showInformationMessage(l10n.t('{0} isn’t finished yet.', bead));
    return undefined;
  }
  // Nobody decides about a diff that they don't see.
  if (target.bead !== undefined && target.commit !== undefined && target.commit !== view.to) {
    void window.showInformationMessage(l10n.t('{0} changed since. Here are its current changes.', bead));
    await showScope(place, view.scope);
    return undefined;
  }
  return { bead, sha256: view.sha256 };
}
