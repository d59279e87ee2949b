import { l10n } from 'vscode';
import { joined } from '../../../base/joined.ts';
import type { Band } from '../../../domain/workflow/rows.ts';
import type { TicketFilter, TicketOrder } from './ticketFilter.ts';
import type { TicketList } from './ticketList.ts';

/** A unit ends where it would be rounded to the next one; a clock that was set back counts as no time. */
export function durationText(ms: number): string {
  if (ms < 9_950) return l10n.t('{0} s', (Math.max(0, ms) / 1_000).toFixed(1));
  if (ms < 59_500) return l10n.t('{0} s', Math.round(ms / 1_000));
  return ms < 3_570_000
    ? l10n.t('{0} min', Math.round(ms / 60_000))
    : l10n.t('{0} h', (ms / 3_600_000).toFixed(1));
}

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
