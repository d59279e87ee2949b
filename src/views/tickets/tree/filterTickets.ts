import { l10n } from 'vscode';
import { bandLabels, bandLabel } from '../../../domain/workflow/rows.ts';
import { pickMany, pickOne, writeText } from '../../shared/quickInput.ts';
import { everything, TicketFilter, TicketOrder } from './ticketFilter.ts';
import type { TicketList } from './ticketList.ts';
import { joined } from '../../../base/joined.ts';

type Way = 'text' | 'needsPerson' | 'blocked' | 'bands' | 'clear';

export async function filterTickets(list: TicketList): Promise<void> {
  const { filter } = list;
  const on = (isOn: boolean): { readonly description?: string } =>
    isOn ? { description: l10n.t('on') } : {};
  const reply = await pickOne<Way>({
    title: l10n.t('Filter Tickets'),
    placeholder: l10n.t('Show only tickets that…'),
    choices: [
      {
        label: `$(search) ${l10n.t('…contain words')}`,
        value: 'text',
        ...(filter.text === '' ? {} : { description: filter.text }),
      },
      { label: `$(bell-dot) ${l10n.t('…need input')}`, value: 'needsPerson', ...on(filter.needsPerson) },
      { label: `$(error) ${l10n.t('…are blocked')}`, value: 'blocked', ...on(filter.blocked) },
      {
        label: `$(list-tree) ${l10n.t('…have a status')}`,
        value: 'bands',
        ...(filter.bands.length === 0 ? {} : { description: bandsText(filter.bands) }),
      },
      ...(list.isFiltered
        ? [{ label: `$(clear-all) ${l10n.t('Clear filter')}`, value: 'clear' as const }]
        : []),
    ],
  });
  if (reply.kind !== 'given') return;
  const next = await changed(filter, reply.value);
  if (next) await list.show(next);
}

export async function sortTickets(list: TicketList): Promise<void> {
  const titles = orderTitles();
  const reply = await pickOne<TicketOrder>({
    title: l10n.t('Sort Tickets'),
    choices: TicketOrder.options.map((value) => ({
      label: titles[value],
      ...(value === list.order ? { description: l10n.t('now') } : {}),
      value,
    })),
  });
  if (reply.kind === 'given') await list.sort(reply.value);
}

async function changed(filter: TicketFilter, way: Way): Promise<TicketFilter | undefined> {
  switch (way) {
    case 'clear':
      return everything;
    case 'needsPerson':
    case 'blocked':
      return { ...filter, [way]: !filter[way] };
    case 'text': {
      const reply = await writeText({
        title: l10n.t('Filter Tickets'),
        prompt: l10n.t('Words in the ID, title or status. Leave empty to show all.'),
        value: filter.text,
        check: (text) =>
          TicketFilter.shape.text.safeParse(text).success ? undefined : l10n.t('The text is too long.'),
      });
      return reply.kind === 'given' ? { ...filter, text: reply.value.trim() } : undefined;
    }
    case 'bands': {
      const choices = Object.entries(bandLabels).map(([value, label]) => ({
        label: l10n.t(label),
        value,
        picked: filter.bands.includes(value),
      }));
      const reply = await pickMany({
        title: l10n.t('Filter Tickets'),
        placeholder: l10n.t('None: any status'),
        choices,
      });
      return reply.kind === 'given' ? { ...filter, bands: [...reply.value] } : undefined;
    }
  }
}

function orderTitles(): Readonly<Record<TicketOrder, string>> {
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

function bandsText(bands: readonly string[]): string {
  return bands.map((band) => l10n.t(bandLabel(band))).join(', ');
}
