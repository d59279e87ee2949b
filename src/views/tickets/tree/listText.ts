import { l10n } from 'vscode';
import { joined } from '../../../base/joined.ts';
import { bandLabel } from '../../../domain/workflow/rows.ts';
import type { TicketFilter, TicketOrder } from './ticketFilter.ts';
import type { TicketList } from './ticketList.ts';

export function orderTitles(): Readonly<Record<TicketOrder, string>> {
  return { priority: l10n.t('By priority'), updated: l10n.t('By last change'), number: l10n.t('By number') };
}

export function listText({ filter, order }: Pick<TicketList, 'filter' | 'order'>): string {
  const sorted = order === 'priority' ? '' : orderTitles()[order];
  return joined([filterText(filter), sorted]);
}

function filterText({ text, needsPerson, blocked, bands }: TicketFilter): string {
  return joined([
    text.trim() === '' ? '' : `“${text.trim()}”`,
    needsPerson ? l10n.t('need input') : '',
    blocked ? l10n.t('blocked') : '',
    bandsText(bands),
  ]);
}

export function bandsText(bands: readonly string[]): string {
  return bands.map((band) => l10n.t(bandLabel(band))).join(', ');
}
