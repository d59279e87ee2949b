import { l10n, window } from 'vscode';
import { type ForgePlace, shownName } from '../../domain/forge/forgePlace.ts';
import { flagOf, formOf } from '../../domain/workflow/forms.ts';
import { plainTitle } from '../commands/commandTitles.ts';
import { pickOne } from '../shared/quickInput.ts';
import { sendAndTell } from '../shared/sendAction.ts';
import type { TicketPlace } from '../shared/workbench.ts';

const action = 'create_pull_request';

/** Says which repositories get the branch and the pull request; nothing goes to others than those. */
export async function createPullRequest(place: TicketPlace): Promise<void> {
  const { client } = place.repository;
  const { ticket } = await client.ticket(place.ticket);
  const found = await pickPlace(place.ticket, await client.pullRequestPlaces(place.ticket));
  if (!found) return;
  const { confirmation } = formOf(action);
  const [, flag] = flagOf(action) ?? [];
  if (!confirmation || !flag) return;
  const [repository, pushTo] = [shownName(found.base), shownName(found.head)];
  const names = { branch: ticket.branch ?? ticket.id, repository, pushTo, remote: found.head.remote };
  const buttons = [l10n.t(confirmation.button), l10n.t(flag.button)];
  const answer = await window.showWarningMessage(
    l10n.t(confirmation.question, names),
    { modal: true, detail: l10n.t(confirmation.detail, names) },
    ...buttons,
  );
  if (answer === undefined) return;
  const { remote } = found.base;
  await sendAndTell(place, action, { remote, repository, pushTo, draft: answer === buttons[1] });
}

async function pickPlace(ticket: string, places: readonly ForgePlace[]): Promise<ForgePlace | undefined> {
  if (places.length <= 1) return places[0];
  const reply = await pickOne({
    title: `${ticket}: ${plainTitle('createPullRequest')}`,
    placeholder: l10n.t('Select the repository that gets the pull request'),
    choices: places.map((value) => ({
      label: shownName(value.base),
      description: value.base.remote,
      value,
    })),
  });
  return reply.kind === 'given' ? reply.value : undefined;
}
