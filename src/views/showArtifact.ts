import { l10n, window } from 'vscode';
import { artifactText } from './artifactText.ts';
import { documentTitle } from './documentTitles.ts';
import { openDocument } from './openDocument.ts';
import { pickOne } from './quickInput.ts';
import { documentsOf } from './documentTypes.ts';
import type { TicketPlace } from './workbench.ts';

/** Opens a document of a ticket, or a stored version of it; asks which, if none is named. */
export async function showArtifact(place: TicketPlace, artifact?: string, version?: number): Promise<void> {
  const type = artifact ?? (await pickDocument(place));
  if (type === undefined) return;
  if (await artifactText(place.repository.client, place.ticket, type, version)) await openDocument(place, type, { version });
  else void window.showInformationMessage(l10n.t('{0} has no such document now.', place.ticket));
}

/** Asks for one of a ticket's documents; undefined when there is none or the person left. */
export async function pickDocument({ repository, ticket }: TicketPlace): Promise<string | undefined> {
  const { view } = await repository.client.ticket(ticket);
  const documents = documentsOf(view.beadsTotal, await repository.client.artifacts(ticket));
  if (documents.length === 0) {
    void window.showInformationMessage(l10n.t('{0} has no documents yet.', ticket));
    return undefined;
  }
  const choices = documents.map((value) => ({ label: `$(file) ${documentTitle(value)}`, value }));
  const reply = await pickOne({ title: l10n.t('Documents of {0}', ticket), choices });
  return reply.kind === 'given' ? reply.value : undefined;
}
