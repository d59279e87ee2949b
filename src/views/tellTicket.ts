import { l10n, window } from 'vscode';
import { inboxBodies, type InboxBody } from '../domain/inbox.ts';
import { type Choice, pickOne, writeText } from './quickInput.ts';
import { sendAndTell } from './sendAndTell.ts';
import { askInSteps } from './steps.ts';
import type { TicketPlace } from './workbench.ts';

type Context = InboxBody<'context'>;

/** Tells the agents something they should know, for the next call or for all that follow. */
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
          inboxBodies.context.shape.text.safeParse(text).success ? undefined : l10n.t('Write between 1 and 20,000 characters.'),
      });
      return reply.kind === 'given' ? { kind: 'given', value: { ...known, text: reply.value.trim() } } : reply;
    },
    async (known, place) => {
      const choices: readonly Choice<Context['scope']>[] = [
        { label: l10n.t('Once'), detail: l10n.t('The next model call gets it.'), value: 'once' },
        { label: l10n.t('Always'), detail: l10n.t('Every model call of this ticket from now on gets it.'), value: 'always' },
      ];
      const reply = await pickOne({ ...place, title, placeholder: l10n.t('How long does that hold?'), choices });
      return reply.kind === 'given' ? { kind: 'given', value: { ...known, scope: reply.value } } : reply;
    },
  ]);
  if (!context) return;
  // It lies in the inbox until a call takes it, so nobody waits for that.
  await repository.client.act(ticket, 'context', context);
  window.setStatusBarMessage(l10n.t('{0}: the agents will be told.', ticket), 5_000);
}

/** Has the model revise the document of a gate once more, for what the coverage check found missing. */
export async function fixGaps(place: TicketPlace): Promise<void> {
  await sendAndTell(place, 'fix_gaps', {});
}

/** Begins the document of a gate anew, with a note for the models. */
export async function regenerate(place: TicketPlace): Promise<void> {
  const note = await writeText({
    title: l10n.t('{0}: make a new one', place.ticket),
    prompt: l10n.t('What should be different? (optional)'),
    check: (text) => (inboxBodies.regenerate.shape.note.safeParse(text).success ? undefined : l10n.t('That is too long.')),
  });
  if (note.kind === 'given') await sendAndTell(place, 'regenerate', { note: note.value });
}

/** Goes back to the setup plan, after a question: what was prepared is prepared anew. */
export async function rewindSetup(place: TicketPlace): Promise<void> {
  const back = l10n.t('Back to the Setup Plan');
  const answer = await window.showWarningMessage(
    l10n.t('Take {0} back to its setup plan?', place.ticket),
    { modal: true, detail: l10n.t('You approve the plan again, and the environment is prepared anew.') },
    back,
  );
  if (answer === back) await sendAndTell(place, 'rewind_setup', {});
}
