import { l10n, window } from 'vscode';
import { joined } from '../../base/joined.ts';
import { errorTexts } from '../../domain/core/errorTexts.ts';
import { offeredValues } from '../../domain/facts/offeredValues.ts';
import { inboxBodies, type InboxBody } from '../../domain/ticket/inbox.ts';
import type { ChoiceField, Condition, TextField } from '../../domain/workflow/formFields.ts';
import {
  choicesOf,
  flagOf,
  type FormAction,
  formOf,
  isNeeded,
  textsOf,
} from '../../domain/workflow/forms.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import { type Choice, pickOne, writeText } from './quickInput.ts';
import { sendAndTell } from './sendAction.ts';
import type { TicketPlace } from './workbench.ts';

/** `title`: of the inputs. `said`: shown before the person writes. */
export async function takeAction(
  place: TicketPlace,
  action: FormAction,
  title: string,
  said: (detail: TicketDetail) => string = () => '',
): Promise<void> {
  const detail = await place.repository.client.ticket(place.ticket);
  const texts = await fillForm(action, title, [], { said: said(detail) });
  const chosen = texts && (await choose(action, title, detail));
  const flags = chosen && (await confirm(action, detail));
  if (!flags) return;
  const body = inboxBodies[action].parse({ ...texts, ...chosen, ...flags }) as InboxBody<FormAction>;
  const { done = '' } = formOf(action);
  await sendAndTell(place, action, body, done && l10n.t('{0}: {1}', place.ticket, l10n.t(done)));
}

/**
 * Texts that people are always asked for, and those that can't be left empty. Undefined if the person left.
 * `given`: what they gave before, to be changed.
 */
export async function fillForm(
  action: FormAction,
  title: string,
  met: readonly Condition[],
  {
    said = '',
    given = {},
  }: { readonly said?: string; readonly given?: Readonly<Record<string, string>> } = {},
): Promise<Readonly<Record<string, string>> | undefined> {
  const filled: Record<string, string> = {};
  for (const [name, field] of textsOf(action)) {
    const { label, about, placeholder = '', asked } = field;
    const needed = isNeeded(field, met);
    if (!needed && !asked) continue;
    const reply = await writeText({
      title: `${title}: ${l10n.t(label)}`,
      prompt: joined(
        [said, needed ? l10n.t(about) : l10n.t('{0} (optional)', l10n.t(about).replace(/\.$/, ''))],
        ' ',
      ),
      placeholder: placeholder && l10n.t(placeholder),
      value: given[name] ?? '',
      check: (text) => problemOf(field, needed, text),
    });
    if (reply.kind !== 'given') return undefined;
    filled[name] = reply.value.trim();
  }
  return filled;
}

function problemOf({ most, needed }: TextField, isRequired: boolean, text: string): string | undefined {
  if (isRequired && text.trim() === '')
    return needed === 'always' || needed === undefined
      ? l10n.t('Enter between 1 and {0} characters.', most.toLocaleString())
      : l10n.t(errorTexts[needed.code][0]);
  return text.length > most ? l10n.t('Enter {0} characters at most.', most.toLocaleString()) : undefined;
}

/** Values of choices that leave something to choose. Undefined if the person left. */
async function choose(
  action: FormAction,
  title: string,
  { ticket }: TicketDetail,
): Promise<Readonly<Record<string, string>> | undefined> {
  const chosen: Record<string, string> = {};
  for (const [name, { label, about, choices, offered }] of choicesOf(action)) {
    const values = offeredValues(offered, ticket);
    if (values.length < 2) continue;
    const reply = await pickOne({
      title: `${title}: ${l10n.t(label)}`,
      placeholder: l10n.t(about),
      choices: values.flatMap((value) => choiceOf(value, choices[value])),
    });
    if (reply.kind !== 'given') return undefined;
    chosen[name] = reply.value;
  }
  return chosen;
}

function choiceOf(value: string, texts: ChoiceField['choices'][string] | undefined): Choice<string>[] {
  if (!texts) return [];
  const { label, about } = texts;
  return [{ label: l10n.t(label), detail: l10n.t(about), value }];
}

async function confirm(
  action: FormAction,
  { ticket }: TicketDetail,
): Promise<Readonly<Record<string, boolean>> | undefined> {
  const { confirmation } = formOf(action);
  if (!confirmation) return {};
  const names = {
    ticket: ticket.id,
    title: ticket.title,
    branch: ticket.branch ?? ticket.id,
    base: ticket.baseBranch ?? '?',
  };
  const [flag, field] = (ticket.worktree === null ? undefined : flagOf(action)) ?? [];
  const buttons = [confirmation.button, ...(field ? [field.button] : [])].map((text) => l10n.t(text));
  const answer = await window.showWarningMessage(
    l10n.t(confirmation.question, names),
    { modal: true, detail: l10n.t(confirmation.detail, names) },
    ...buttons,
  );
  if (answer === undefined) return undefined;
  return flag !== undefined && answer === buttons[1] ? { [flag]: true } : {};
}
