import { l10n, Uri } from 'vscode';
import { TicketId } from '../../../domain/core/ids.ts';
import { type DocumentAddress, repositoryKey } from '../../../protocol/documents.ts';
import { draftScheme } from '../../../protocol/schemes.ts';
import { readTicketDocument, ticketDocument } from '../../../domain/ticket/ticketDocument.ts';

/** The document of a draft, or of a ticket that isn't there yet: then it has a number. */
export interface DraftPlace {
  /** As `repositoryKey` makes it of the repository's top folder. */
  readonly repository: string;
  readonly of: { readonly ticket: string } | { readonly number: number };
}

export function draftUri(root: string, of: DraftPlace['of']): Uri {
  const [folder, name] =
    'ticket' in of ? [of.ticket, of.ticket] : [`new-${String(of.number)}`, nameOf(of.number)];
  return Uri.from({ scheme: draftScheme, authority: repositoryKey(root), path: `/${folder}/${name}.md` });
}

function nameOf(number: number): string {
  return number === 1 ? l10n.t('New Ticket') : l10n.t('New Ticket {0}', number);
}

/** Undefined for an address that isn't ours; it can come from any source. */
export function parseDraftAddress({
  scheme,
  authority,
  path,
}: Omit<DocumentAddress, 'query'>): DraftPlace | undefined {
  const [, folder = ''] = /^\/([^/]+)\/[^/]+$/.exec(path) ?? [];
  if (scheme !== draftScheme || authority === '') return undefined;
  const [, number] = /^new-([1-9]\d{0,3})$/.exec(folder) ?? [];
  if (number !== undefined) return { repository: authority, of: { number: Number(number) } };
  return TicketId.safeParse(folder).success ? { repository: authority, of: { ticket: folder } } : undefined;
}

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
