import { l10n, window } from 'vscode';
import { artifactText } from './artifactText.ts';
import { documentTitle } from './documentTitles.ts';
import { pickOne } from './quickInput.ts';
import { documentsOf } from './ticketFacts.ts';
import type { TicketPlace, Workbench } from './workbench.ts';

/** Opens a document of a ticket for reading; asks which, if none is named. */
export async function showArtifact(workbench: Workbench, { repository, ticket }: TicketPlace, artifact?: string): Promise<void> {
  const type = artifact ?? (await pickDocument({ repository, ticket }));
  if (type === undefined) return;
  const text = await artifactText(repository.client, ticket, type);
  if (text) await workbench.showDocument(repository, ticket, text);
  else void window.showInformationMessage(l10n.t('{0} has no such document now.', ticket));
}

async function pickDocument({ repository, ticket }: TicketPlace): Promise<string | undefined> {
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
