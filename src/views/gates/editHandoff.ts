import { l10n, window } from 'vscode';
import { ReceivedHandoff, receivedHandoffDocument } from '../../domain/documents/receivedHandoff.ts';
import { entriesIn } from '../../domain/handoff/handoff.ts';
import { readArtifact, ungatedText } from '../../protocol/readDocument.ts';
import { openDocument } from '../documents/openDocument.ts';
import { type Choice, pickOne } from '../shared/quickInput.ts';
import { sendAndTell } from '../shared/sendAction.ts';
import type { TicketPlace } from '../shared/workbench.ts';

export async function editHandoff(place: TicketPlace): Promise<void> {
  const { kind } = receivedHandoffDocument;
  const {
    repository: { client },
    ticket,
  } = place;
  const present = await ungatedText(client, ticket, kind);
  if (!present) {
    void window.showInformationMessage(l10n.t('{0} received no handoff.', ticket));
    return;
  }
  const received = await readArtifact(client, ticket, kind, ReceivedHandoff);
  const isRemoved = received !== undefined && entriesIn(received) === 0;
  const choices: readonly Choice<'file' | 'remove'>[] = [
    { label: `$(go-to-file) ${l10n.t('Edit as File')}`, value: 'file' },
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
    ? l10n.t('{0}: received handoff (removed)', ticket)
    : l10n.t('{0}: received handoff', ticket);
  const reply = await pickOne({ title, choices });
  if (reply.kind !== 'given') return;
  if (reply.value === 'file') await openDocument(place, kind, { focus: true });
  else
    await sendAndTell(place, 'edit_document', {
      artifact: kind,
      baseSha256: present.sha256,
      content: '',
      reason: '',
    });
}
