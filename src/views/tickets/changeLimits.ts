import { l10n, window } from 'vscode';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { limitsBehind } from '../../domain/beads/limitsBehind.ts';
import {
  isTime,
  type LimitName,
  writtenLimit,
  limitFrom,
  limitNames,
  limitRange,
  type LimitsChange,
  limitsHash,
  limitsOf,
  type TicketLimits,
} from '../../domain/settings/limits.ts';
import { ticketLimitsDocument } from '../../domain/documents/ticketLimits.ts';
import { plainText } from '../../domain/settings/optionText.ts';
import { settingRow } from '../../domain/settings/rows.ts';
import { lowBudget } from '../../domain/ticket/ticket.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import { changed, type Choice, pickOne, type Reply, writeText } from '../shared/quickInput.ts';
import { openDocument } from '../documents/openDocument.ts';
import { sendAction } from '../shared/sendAction.ts';
import type { TicketPlace } from '../shared/workbench.ts';

function limitText(name: LimitName): { readonly label: string; readonly detail: string } {
  const { label = name, about } = settingRow(name);
  return { label: l10n.t(label), detail: l10n.t(plainText(about)) };
}

function limitValueText(name: LimitName, value: number): string {
  const written = writtenLimit(name, value).toLocaleString();
  if (value === 0 && name === 'providerWait') return l10n.t('off');
  if (value === 0 && isTime(name)) return l10n.t('one hour');
  if (value === 0 && uncapped.has(name)) return l10n.t('no limit');
  return isTime(name) ? l10n.t('{0} s', written) : written;
}

const uncapped: ReadonlySet<LimitName> = new Set(limitNames.filter((name) => settingRow(name).budget));

type Next = LimitName | 'save' | 'file' | GoingOn;

type GoingOn = 'retry' | 'continue' | 'resume';

type Change = Partial<Record<LimitName, number>>;

/** A ticket that a limit blocked is asked for that one first, and continues with it. */
export async function changeLimits({ repository, ticket }: TicketPlace): Promise<void> {
  const { client } = repository;
  const detail = await client.ticket(ticket);
  const present = limitsOf(detail.ticket);
  if (!present)
    throw new BeadsmithError('ACTION_NOT_ALLOWED', {
      status: l10n.t(detail.view.label),
      action: 'limits',
      allowed: 'start',
    });
  const chosen = await choose(detail, present);
  if (!chosen) return;
  const { change, next } = chosen;
  if (next === 'file') {
    await openDocument({ repository, ticket }, ticketLimitsDocument.kind, { focus: true });
    return;
  }
  const body = { baseSha256: limitsHash(present), limits: change satisfies LimitsChange, reason: '' };
  const state = await sendAction(client, ticket, 'limits', body);
  if (next === 'retry') await sendAction(client, ticket, 'retry', { note: '' });
  if (next === 'continue' || next === 'resume') await sendAction(client, ticket, next, {});
  window.setStatusBarMessage(
    state === 'pending'
      ? l10n.t('{0}: limits changed.', ticket)
      : `$(dashboard) ${l10n.t('{0} has new limits.', ticket)}`,
    5_000,
  );
}

async function choose(
  detail: TicketDetail,
  present: TicketLimits,
): Promise<{ readonly change: Change; readonly next: Exclude<Next, LimitName> } | undefined> {
  const { id, error, previousStatus } = detail.ticket;
  const title = l10n.t('Limits of {0}', id);
  const behind = error ? limitsBehind(error, previousStatus) : [];
  let change: Change = {};
  let wanted: Next | undefined = behind[0];
  for (;;) {
    if (wanted === undefined) {
      const placeholder = l10n.t(
        'Select a limit. Changes apply from the next step on; the current step keeps its limits.',
      );
      const reply = await pickOne<Next>({
        title,
        placeholder,
        choices: choicesOf(detail, present, change, behind),
      });
      if (reply.kind !== 'given') return undefined;
      wanted = reply.value;
    }
    if (wanted === 'retry' || wanted === 'continue' || wanted === 'resume') return { change, next: wanted };
    if (wanted === 'save' || wanted === 'file') return { change, next: wanted };
    const name: LimitName = wanted;
    const reply = await askValue(title, name, { value: change[name] ?? present[name], ...detail });
    if (reply.kind === 'left') return undefined;
    if (reply.kind === 'given') change = differing(present, { ...change, [name]: reply.value });
    wanted = undefined;
  }
}

function differing(present: TicketLimits, change: Change): Change {
  return Object.fromEntries(
    limitNames.flatMap((name) =>
      (change[name] ?? present[name]) === present[name] ? [] : [[name, change[name]]],
    ),
  );
}

function choicesOf(
  { ticket: { hold }, view: { actions }, error }: TicketDetail,
  present: TicketLimits,
  change: Change,
  behind: readonly LimitName[],
): readonly Choice<Next>[] {
  const names = [...behind, ...limitNames.filter((name) => !behind.includes(name))];
  const rows = names.map((value): Choice<Next> => {
    const { label, detail } = limitText(value);
    const next = change[value];
    const now = limitValueText(value, present[value]);
    const description = next === undefined ? now : l10n.t('{0} → {1}', now, limitValueText(value, next));
    return { label: behind.includes(value) ? `$(warning) ${label}` : label, description, detail, value };
  });
  const file: Choice<Next> = { label: `$(go-to-file) ${l10n.t('Edit as File')}`, value: 'file' };
  if (Object.keys(change).length === 0) return [...rows, file];
  // What continues in the same session loses nothing.
  const goesOn: Choice<Next>[] =
    behind.length === 0
      ? []
      : hold?.kind === 'budget'
        ? [{ label: `$(debug-rerun) ${l10n.t('Save and Continue')}`, value: 'resume' }]
        : error?.continuable === true && actions.includes('continue')
          ? [{ label: `$(debug-rerun) ${l10n.t('Save and Continue')}`, value: 'continue' }]
          : actions.includes('retry')
            ? [{ label: `$(refresh) ${l10n.t('Save and Retry')}`, value: 'retry' }]
            : [];
  return [...goesOn, { label: `$(save) ${l10n.t('Save')}`, value: 'save' }, ...rows];
}

async function askValue(
  title: string,
  name: LimitName,
  { value, ticket }: Pick<TicketDetail, 'ticket'> & { readonly value: number },
): Promise<Reply<number>> {
  const { label, detail } = limitText(name);
  const { least, most } = limitRange(name);
  const check = (text: string): string | undefined => {
    const number = /^\s*\d{1,12}\s*$/.test(text) ? Number(text) : undefined;
    const low = lowBudget(ticket, { [name]: number });
    if (low)
      return l10n.t(
        '{0} are already used. Enter a higher value, or 0 for no limit.',
        Math.ceil(low.used).toLocaleString(),
      );
    if (number !== undefined && number >= least && (most === null || number <= most)) return undefined;
    return most === null
      ? l10n.t('Enter a whole number, {0} or more.', least)
      : l10n.t('Enter a whole number from {0} to {1}.', least, most);
  };
  const reply = await writeText({
    title: `${title}: ${label}`,
    prompt: detail,
    value: String(writtenLimit(name, value)),
    back: true,
    check,
  });
  return changed(reply, (value) => limitFrom(name, Number(value)));
}
