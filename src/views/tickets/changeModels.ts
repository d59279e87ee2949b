import { l10n, window } from 'vscode';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import { askInSteps, changed, type Step } from '../shared/quickInput.ts';
import { sendAction } from '../shared/sendAction.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { ModelPicker } from './pickModels.ts';

type Models = InboxBody<'change_models'>;

/** Changes the models of a started ticket: those that every ticket has, and the others that it has. */
export async function changeModels({ repository, ticket }: TicketPlace): Promise<void> {
  const { client } = repository;
  const { settings } = (await client.ticket(ticket)).ticket;
  const picker = new ModelPicker(repository);
  const title = l10n.t('Models of {0} from the Next Call On', ticket);
  const one =
    (name: 'mainImplementer' | 'secondImplementer' | 'reviewer', placeholder?: string): Step<Models> =>
    async (known, place) =>
      changed(
        await picker.main({ ...place, title, ...(placeholder ? { placeholder } : {}) }, settings?.[name]),
        (model) => ({ ...known, [name]: model }),
      );
  const chosen = await askInSteps<Models>({}, [
    one('mainImplementer'),
    async (known, place) =>
      changed(
        await picker.council(
          {
            ...place,
            title,
            placeholder: l10n.t(
              'Select additional council members. A council that is drafting or voting keeps its members.',
            ),
          },
          known.mainImplementer,
          settings?.councilMembers ?? [],
        ),
        (members) => ({ ...known, councilMembers: [...members] }),
      ),
    ...(settings?.secondImplementer
      ? [one('secondImplementer', l10n.t('Select the model that codes after two failures'))]
      : []),
    ...(settings?.reviewer ? [one('reviewer', l10n.t('Select the model that reviews'))] : []),
  ]);
  if (!chosen) return;
  await sendAction(client, ticket, 'change_models', chosen);
  const text = l10n.t('{0} uses {1} from the next call on.', ticket, chosen.mainImplementer ?? '');
  window.setStatusBarMessage(text, 5_000);
}
