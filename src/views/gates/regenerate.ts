import { l10n } from 'vscode';
import { documentOfType } from '../../domain/documents/documents.ts';
import { inboxBodies } from '../../domain/ticket/inbox.ts';
import { writeText } from '../shared/quickInput.ts';
import { sendAndTell } from '../shared/sendAndTell.ts';
import type { TicketPlace } from '../shared/workbench.ts';

/**
 * Regenerates the document of a gate, with a note for the models. What becomes of its content is said before.
 */
export async function regenerate(place: TicketPlace): Promise<void> {
  const { gate } = await place.repository.client.ticket(place.ticket);
  const note = await writeText({
    title: l10n.t('{0}: regenerate', place.ticket),
    prompt: [regenerationText(gate?.artifact ?? ''), l10n.t('What should change? (optional)')].join(' '),
    check: (text) =>
      inboxBodies.regenerate.shape.note.safeParse(text).success ? undefined : l10n.t('The text is too long.'),
  });
  if (note.kind === 'given') await sendAndTell(place, 'regenerate', { note: note.value });
}

/** Explains what drafting a document again does to its current version. */
export function regenerationText(artifact: string): string {
  const own = documentOfType(artifact)?.approval?.regenerates;
  return own === undefined
    ? l10n.t('This creates the document again. The current one is kept as an earlier version.')
    : l10n.t(own);
}
