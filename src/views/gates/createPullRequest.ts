import { env, l10n, Uri, window } from 'vscode';
import { joined } from '../../base/joined.ts';
import { ForgePullRequestReport } from '../../domain/beads/reports.ts';
import { type ForgePlace, shownName } from '../../domain/forge/forgePlace.ts';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import { flagOf, formOf } from '../../domain/workflow/forms.ts';
import type { ActionOutcome } from '../../protocol/api.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { plainTitle } from '../commands/commandTitles.ts';
import { isPublished } from '../commands/offered.ts';
import { fillForm } from '../shared/fillForm.ts';
import { pickOne } from '../shared/quickInput.ts';
import { tellSent, untilSettled } from '../shared/sendAction.ts';
import { RefusedAction } from '../shared/errorText.ts';
import { withCancel } from '../shared/withCancel.ts';
import type { TicketPlace } from '../shared/workbench.ts';

const action = 'create_pull_request';
/** A sign-in takes its time, and so does a push. */
const mostWaitMs = 120_000;

/**
 * Creates the pull request, or updates the one that is published. Says which repositories get the branch and
 * the pull request; nothing goes to others than those.
 */
export async function createPullRequest(place: TicketPlace): Promise<void> {
  const { client } = place.repository;
  const { ticket, view } = await client.ticket(place.ticket);
  const isUpdate = isPublished(view);
  const heading = `${place.ticket}: ${plainTitle(isUpdate ? 'updatePullRequest' : 'createPullRequest')}`;
  const found = await pickPlace(heading, await client.pullRequestPlaces(place.ticket));
  if (!found) return;
  const { again, confirmation: first } = formOf(action);
  const confirmation = isUpdate ? again?.confirmation : first;
  const [, flag] = flagOf(action) ?? [];
  if (!confirmation || !flag) return;
  const [repository, pushTo] = [shownName(found.base), shownName(found.head)];
  const names = { branch: ticket.branch ?? ticket.id, repository, pushTo, remote: found.head.remote };
  const buttons = [l10n.t(confirmation.button), ...(isUpdate ? [] : [l10n.t(flag.button)])];
  const asked = await fillForm(action, heading, [], { given: await lastGiven(place) });
  if (!asked) return;
  const answer = await window.showWarningMessage(
    l10n.t(confirmation.question, names),
    { modal: true, detail: l10n.t(confirmation.detail, names) },
    ...buttons,
  );
  if (answer === undefined) return;
  const { remote } = found.base;
  const { labels = '', reviewers = '' } = asked;
  const body = { remote, repository, pushTo, labels, reviewers, draft: answer === buttons[1] };
  const title = isUpdate
    ? l10n.t('{0}: updating the pull request…', place.ticket)
    : l10n.t('{0}: creating the pull request…', place.ticket);
  let waits: AbortSignal | undefined;
  const location = await withCancel(title, (stop) => {
    waits = stop;
    return send(place, body, stop);
  });
  const left = isUpdate
    ? l10n.t(
        '{0}: no longer waiting. The pull request is updated all the same; to stop it, cancel the ticket.',
        place.ticket,
      )
    : l10n.t(
        '{0}: no longer waiting. The pull request is created all the same; to stop it, cancel the ticket.',
        place.ticket,
      );
  if (waits?.aborted === true) void window.showInformationMessage(left);
  else if (location === undefined) tellSent(place.ticket, 'pending', '');
  else await show(place, location, isUpdate);
}

/** The newest tickets may have what a person gave last. */
const mostLooked = 20;

/** Labels and reviewers of this ticket's pull request, else of the newest ticket's that has one. */
async function lastGiven({
  repository: { client },
  ticket,
}: TicketPlace): Promise<Readonly<Record<string, string>>> {
  const others = (await client.tickets()).map(({ id }) => id).toReversed();
  for (const id of [ticket, ...others.filter((one) => one !== ticket).slice(0, mostLooked)]) {
    const found = await readArtifact(client, id, 'forge_pull_request', ForgePullRequestReport);
    if (found && found.number !== null)
      return { labels: found.labels.join(', '), reviewers: found.reviewers.join(', ') };
  }
  return {};
}

/**
 * Answers its address once it is there; undefined if that takes long, or the person doesn't wait. Throws what
 * `sendAction` throws.
 */
async function send(
  { repository: { client }, ticket }: TicketPlace,
  body: InboxBody<typeof action>,
  stop: AbortSignal,
): Promise<string | undefined> {
  const { id } = await client.act(ticket, action, body);
  let location = '';
  // The review takes a request before it can refuse it.
  const look = async (): Promise<ActionOutcome | undefined> => {
    const made = await readArtifact(client, ticket, 'forge_pull_request', ForgePullRequestReport);
    if (made?.request === id) {
      location = made.location ?? '';
      return { state: 'consumed' };
    }
    const outcome = await client.outcome(ticket, id);
    return outcome?.state === 'refused' ? outcome : undefined;
  };
  const outcome = await untilSettled(client, look, mostWaitMs, stop);
  if (outcome?.state === 'refused') throw new RefusedAction(outcome);
  return outcome && location;
}

async function show(
  { repository: { client }, ticket }: TicketPlace,
  location: string,
  isUpdate: boolean,
): Promise<void> {
  const open = l10n.t('Open on GitHub');
  const made = await readArtifact(client, ticket, 'forge_pull_request', ForgePullRequestReport);
  const unset = (made?.unset ?? []).map(({ name, reason }) => `${name} (${reason.replace(/\.$/, '')})`);
  const text = joined(
    [
      isUpdate ? l10n.t('{0}: pull request updated.', ticket) : l10n.t('{0}: pull request created.', ticket),
      ...(unset.length === 0 ? [] : [l10n.t('Not set on it: {0}.', unset.join(', '))]),
    ],
    ' ',
  );
  if ((await window.showInformationMessage(text, open)) === open)
    await env.openExternal(Uri.parse(location, true));
}

async function pickPlace(title: string, places: readonly ForgePlace[]): Promise<ForgePlace | undefined> {
  if (places.length <= 1) return places[0];
  const reply = await pickOne({
    title,
    placeholder: l10n.t('Select the repository that gets the pull request'),
    choices: places.map((value) => ({
      label: shownName(value.base),
      description: value.base.remote,
      value,
    })),
  });
  return reply.kind === 'given' ? reply.value : undefined;
}
