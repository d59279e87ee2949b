import { l10n, window, workspace } from 'vscode';
import { ReceivedHandoff, receivedHandoffDocument } from '../../domain/documents/receivedHandoff.ts';
import { entriesIn } from '../../domain/handoff/handoff.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { showArtifact } from '../documents/openDocument.ts';
import { type Choice, pickOne } from '../shared/quickInput.ts';
import { sendAndTell } from '../shared/sendAction.ts';
import type { TicketPlace } from '../shared/workbench.ts';

/** A copy is edited like any text, and used by this command again. */
export async function editHandoff(place: TicketPlace): Promise<void> {
  const { kind } = receivedHandoffDocument;
  const stored = await place.repository.client.artifact(place.ticket, kind);
  if (!stored || stored.content.trim() === '') {
    void window.showInformationMessage(l10n.t('{0} received no handoff.', place.ticket));
    return;
  }
  const received = await readArtifact(place.repository.client, place.ticket, kind, ReceivedHandoff);
  const isRemoved = received !== undefined && entriesIn(received) === 0;
  const active = window.activeTextEditor?.document;
  const copy = active?.isUntitled === true && active.languageId === 'yaml' ? active.getText() : undefined;
  const choices: readonly Choice<'show' | 'copy' | 'use' | 'remove'>[] = [
    ...(copy === undefined
      ? []
      : [{ label: `$(check) ${l10n.t('Use the Text of the Active Editor')}`, value: 'use' as const }]),
    { label: `$(go-to-file) ${l10n.t('Show Handoff')}`, value: 'show' },
    {
      label: `$(edit) ${l10n.t('Edit a Copy')}`,
      detail: l10n.t('Run this command again to use it.'),
      value: 'copy',
    },
    ...(isRemoved
      ? []
      : [
          {
            label: `$(trash) ${l10n.t('Remove Handoff')}`,
            detail: l10n.t('Models no longer receive it.'),
            value: 'remove' as const,
          },
        ]),
  ];
  const title = isRemoved
    ? l10n.t('{0}: received handoff (removed)', place.ticket)
    : l10n.t('{0}: received handoff', place.ticket);
  const reply = await pickOne({ title, choices });
  if (reply.kind !== 'given') return;
  const baseSha256 = stored.info.sha256;
  if (reply.value === 'show') await showArtifact(place, kind);
  else if (reply.value === 'copy')
    await window.showTextDocument(
      await workspace.openTextDocument({ language: 'yaml', content: stored.content }),
    );
  else
    await sendAndTell(place, 'edit_handoff', {
      baseSha256,
      content: reply.value === 'use' ? (copy ?? '') : '',
    });
}
