import { l10n } from 'vscode';
import { readTicketDocument, ticketDocument } from '../../../domain/ticket/ticketDocument.ts';

/** The document of a new ticket. */
export function draftTemplate(): string {
  return ticketDocument({ title: '', description: draftHint() });
}

/** True for the template and for an empty text. */
export function isUnwritten(text: string): boolean {
  return ['', draftTemplate().trim()].includes(text.trim());
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
