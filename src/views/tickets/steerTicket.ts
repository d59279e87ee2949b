import { commands as editor, env, l10n, ProgressLocation, Uri, window } from 'vscode';
import { readTime } from '../../base/timeOfDay.ts';
import { inboxBodies, type InboxBody } from '../../domain/ticket/inbox.ts';
import { isEditable } from '../../domain/prompts/contextEntries.ts';
import { type Hold, waitsForProvider } from '../../domain/ticket/ticket.ts';
import type { CheckedOut } from '../../domain/team/checkedOut.ts';
import { settleUnsaved } from '../documents/unsavedDocuments.ts';
import { askInSteps, changed, type Choice, pickOne, writeText } from '../shared/quickInput.ts';
import { sendAndTell } from '../shared/sendAction.ts';
import type { TicketPlace } from '../shared/workbench.ts';

/** People may know when a provider answers again. */
export async function resumeTicket(place: TicketPlace): Promise<void> {
  const { hold } = (await place.repository.client.ticket(place.ticket)).ticket;
  const body = hold && waitsForProvider(hold) ? await chooseTime(place.ticket, hold) : {};
  if (body) await sendAndTell(place, 'resume', body);
}

const minuteMs = 60_000;

async function chooseTime(
  ticket: string,
  { kind, detail, until }: Hold,
): Promise<InboxBody<'resume'> | undefined> {
  const title =
    until === undefined
      ? l10n.t('Continue {0}', ticket)
      : l10n.t('Continue {0} (planned for {1})', ticket, new Date(until).toLocaleString());
  const choices: readonly Choice<number | 'now' | 'time'>[] = [
    { label: l10n.t('Now'), value: 'now' },
    { label: l10n.t('In 15 Minutes'), value: 15 * minuteMs },
    { label: l10n.t('In 1 Hour'), value: 60 * minuteMs },
    { label: l10n.t('In 5 Hours'), value: 300 * minuteMs },
    { label: l10n.t('At a Specific Time…'), value: 'time' },
  ];
  // Of one that can't be reached the words are our own.
  const said = kind === 'quota' && detail !== '' ? l10n.t('Message from the provider: {0}', detail) : detail;
  const placeholder = said === '' ? l10n.t('When should it continue?') : said;
  const chosen = await pickOne({ title, placeholder, choices });
  if (chosen.kind !== 'given') return undefined;
  if (chosen.value === 'now') return {};
  if (chosen.value !== 'time') return { at: Date.now() + chosen.value };
  const written = await writeText({
    title,
    prompt: placeholder,
    placeholder: l10n.t('Time, for example 14:30 or 2026-11-28 09:00'),
    check: (text) =>
      readTime(text, Date.now()) === undefined
        ? l10n.t('Enter a time, for example 14:30 or 2026-11-28 09:00.')
        : undefined,
  });
  const at = written.kind === 'given' ? readTime(written.value, Date.now()) : undefined;
  return at === undefined ? undefined : { at };
}

type Context = InboxBody<'context'>;

export async function addContext({ repository, ticket }: TicketPlace): Promise<void> {
  const title = l10n.t('{0}: add context', ticket);
  const context = await askInSteps<Context>({ text: '', scope: 'once' }, [
    async (known, place) => {
      const reply = await writeText({
        ...place,
        title,
        prompt: l10n.t('What should the agents know?'),
        value: known.text,
        check: (text) =>
          inboxBodies.context.shape.text.safeParse(text).success
            ? undefined
            : l10n.t('Enter between 1 and 20,000 characters.'),
      });
      return changed(reply, (value) => ({ ...known, text: value.trim() }));
    },
    async (known, place) => {
      const choices: readonly Choice<'now' | Context['scope']>[] = [
        { label: l10n.t('Once'), detail: l10n.t('The next iteration receives it.'), value: 'once' },
        {
          label: l10n.t('Once, Now'),
          detail: l10n.t('The coding session ends, and its iteration restarts with the text.'),
          value: 'now',
        },
        {
          label: l10n.t('Until Done'),
          detail: l10n.t('Every iteration receives it until the bead is done.'),
          value: 'until_done',
        },
        {
          label: l10n.t('Pinned'),
          detail: l10n.t('Every future model call of this ticket receives it.'),
          value: 'pinned',
        },
      ];
      const reply = await pickOne({
        ...place,
        title,
        placeholder: l10n.t('How long does it apply?'),
        choices,
      });
      if (reply.kind !== 'given') return reply;
      const { text } = known;
      return {
        kind: 'given',
        value:
          reply.value === 'now' ? { text, scope: 'once', interrupt: true } : { text, scope: reply.value },
      };
    },
  ]);
  if (!context) return;
  // It lies in the inbox until a call takes it, so nobody waits for that.
  await repository.client.act(ticket, 'context', context);
  window.setStatusBarMessage(l10n.t('{0}: context added for the agents.', ticket), 5_000);
}

export async function withdrawContext(place: TicketPlace): Promise<void> {
  const { repository, ticket } = place;
  const editable = (await repository.client.context(ticket)).filter(isEditable);
  if (editable.length === 0) {
    void window.showInformationMessage(l10n.t('{0} has no context that can be withdrawn.', ticket));
    return;
  }
  const choices = editable.map(({ id, text, at }) => ({
    label: text.slice(0, 200),
    detail: new Date(at).toLocaleString(),
    value: id,
  }));
  const reply = await pickOne({
    title: l10n.t('{0}: withdraw context', ticket),
    placeholder: l10n.t('Select what to withdraw.'),
    choices,
  });
  if (reply.kind === 'given') await sendAndTell(place, 'withdraw_context', { entry: reply.value });
}

export async function checkAgain(place: TicketPlace): Promise<void> {
  if (await settleUnsaved(place)) await sendAndTell(place, 'check_again', {});
}

export async function openWorktree(place: TicketPlace): Promise<void> {
  const worktree = await worktreeOf(place);
  if (worktree !== undefined)
    await editor.executeCommand('vscode.openFolder', Uri.file(worktree), { forceNewWindow: true });
}

export async function openTerminal(place: TicketPlace): Promise<void> {
  const worktree = await worktreeOf(place);
  if (worktree !== undefined) window.createTerminal({ name: place.ticket, cwd: Uri.file(worktree) }).show();
}

export async function copyId({ ticket }: TicketPlace): Promise<void> {
  await env.clipboard.writeText(ticket);
  window.setStatusBarMessage(l10n.t('{0} copied to the clipboard.', ticket), 3_000);
}

async function worktreeOf({ repository, ticket }: TicketPlace): Promise<string | undefined> {
  const { checkOut } = repository;
  if (checkOut) return checkedOut(ticket, () => checkOut(ticket));
  const { ticket: stored } = await repository.client.ticket(ticket);
  if (stored.worktree !== null) return stored.worktree;
  void window.showInformationMessage(l10n.t('{0} has no worktree.', ticket));
  return undefined;
}

/** A team's ticket has its worktree on the machine of a runner. */
async function checkedOut(ticket: string, checkOut: () => Promise<CheckedOut>): Promise<string> {
  const progress = { location: ProgressLocation.Window, title: l10n.t('Checking out {0}…', ticket) };
  const { path, state } = await window.withProgress(progress, checkOut);
  if (state === 'kept')
    void window.showWarningMessage(
      l10n.t('{0}: the checkout has changes of your own, so it isn’t updated to the latest commit.', ticket),
    );
  return path;
}
