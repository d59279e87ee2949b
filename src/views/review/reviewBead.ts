import { l10n, window } from 'vscode';
import { BeadReview } from '../../domain/workflow/receipts.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { writeText } from '../shared/quickInput.ts';
import { sendAndTell } from '../shared/sendAction.ts';
import { showArtifact } from '../documents/openDocument.ts';
import type { Target } from '../commands/ticketTarget.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { pickBead } from './showDiff.ts';

/** The receipt carries the hash of exactly this diff. */
export async function acceptBead(place: TicketPlace, target: Target): Promise<void> {
  const found = await finished(place, target);
  if (!found) return;
  const { bead, sha256 } = found;
  const { client } = place.repository;
  const before = await readArtifact(client, place.ticket, `bead_review:${bead}`, BeadReview);
  if (before?.verdict === 'accepted' && before.diff_sha256 === sha256) {
    void window.showInformationMessage(l10n.t('You already accepted {0}.', bead));
    return;
  }
  await sendAndTell(
    place,
    'accept_bead',
    { bead, sha256, reason: '' },
    `$(verified) ${l10n.t('{0} accepted.', bead)}`,
  );
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
  if (!view) void window.showInformationMessage(l10n.t('{0} isn’t finished yet.', bead));
  return view && { bead, sha256: view.sha256 };
}
