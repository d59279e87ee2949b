import { l10n } from 'vscode';
import { joined } from '../../../base/joined.ts';
import type { Band } from '../../../domain/workflow/rows.ts';
import type { TicketFilter, TicketOrder } from './ticketFilter.ts';
import type { TicketList } from './ticketList.ts';

export function bandTitles(): Readonly<Record<Band, string>> {
  return {
    todo: l10n.t('Drafts'),
    discovery: l10n.t('Scan'),
    interview: l10n.t('Interview'),
    prd: l10n.t('PRD'),
    beads: l10n.t('Beads'),
    pre_implementation: l10n.t('Setup'),
    implementation: l10n.t('Coding'),
    post_implementation: l10n.t('Delivery'),
    done: l10n.t('Finished'),
    errors: l10n.t('Blocked'),
  };
}

export function orderTitles(): Readonly<Record<TicketOrder, string>> {
  return { priority: l10n.t('By priority'), updated: l10n.t('By last change'), number: l10n.t('By number') };
}

export function listText({ filter, order }: Pick<TicketList, 'filter' | 'order'>): string {
  const sorted = order === 'priority' ? '' : orderTitles()[order];
  return joined([filterText(filter), sorted]);
}

function filterText({ text, needsPerson, blocked, bands }: TicketFilter): string {
  const titles: Readonly<Record<string, string>> = bandTitles();
  return joined([
    text.trim() === '' ? '' : `“${text.trim()}”`,
    needsPerson ? l10n.t('need input') : '',
    blocked ? l10n.t('blocked') : '',
    bands.map((band) => titles[band] ?? band).join(', '),
  ]);
}
