import { l10n } from 'vscode';
import { readTicketDocument, ticketDocument } from '../../../domain/ticket/ticketDocument.ts';

/** The document of a new ticket. */
export function draftTemplate(): string {
  return ticketDocument({ title: '', description: draftHint() });
}

export function isTemplate(text: string): boolean {
  return text.trim() === draftTemplate().trim();
}

export function readDraft(text: string): ReturnType<typeof readTicketDocument> {
  return readTicketDocument(text, draftHint());
}

function draftHint(): string {
  const hint = l10n.t(
    'Describe below the title what should change, and why. You can paste an issue, a specification or a stack trace.',
  );
  return `<!-- ${hint} -->`;
}
