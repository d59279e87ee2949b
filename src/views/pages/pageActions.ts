import { commands as editor } from 'vscode';
import * as z from 'zod';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { inboxBodies, type InboxBody, type InboxKind } from '../../domain/ticket/inbox.ts';
import { type CommandName, commandId, commandNames } from '../commands/commands.ts';
import { isOffered } from '../commands/offered.ts';
import type { Target } from '../commands/ticketTarget.ts';
import { settleUnsaved } from '../documents/unsavedDocuments.ts';
import { ownTarget } from '../shared/ownTargets.ts';
import { errorActions, showError } from '../shared/showError.ts';
import { sendAction, sendApproval } from '../shared/sendAction.ts';
import type { TicketPlace, Workbench } from '../shared/workbench.ts';

const ofDocuments: readonly InboxKind[] = ['approve', 'check_again'];

/**
 * `left`: the person was asked about unsaved changes, and left. Throws INVALID_INPUT for a body that the
 * action doesn't take, and what `sendAction` throws.
 */
async function actFromPage(
  place: TicketPlace,
  { kind, body }: { readonly kind: InboxKind; readonly body?: unknown },
): Promise<{ readonly state: 'consumed' | 'pending' | 'left' }> {
  const parsed = inboxBodies[kind].safeParse(body);
  if (!parsed.success)
    throw new BeadsmithError('INVALID_INPUT', {
      what: 'The action',
      reason: z.prettifyError(parsed.error),
    });
  if (ofDocuments.includes(kind) && !(await settleUnsaved(place))) return { state: 'left' };
  const { client } = place.repository;
  if (kind !== 'approve')
    return { state: await sendAction(client, place.ticket, kind, parsed.data as InboxBody<InboxKind>) };
  const { gate } = await client.ticket(place.ticket);
  const approval = parsed.data as InboxBody<'approve'>;
  return {
    state: await sendApproval(client, place.ticket, { ...approval, artifact: gate?.artifact ?? '' }),
  };
}

/**
 * Throws what `actFromPage` throws. Where the device hasn't joined the team, a notification asks for its
 * pairing code.
 */
export async function actOrJoin(
  place: TicketPlace,
  workbench: Workbench,
  filed: Parameters<typeof actFromPage>[1],
): ReturnType<typeof actFromPage> {
  try {
    return await actFromPage(place, filed);
  } catch (error) {
    // The page shows the error, and has no place to enter a code.
    if (errorActions(error, true).includes('joinTeam')) void showError(workbench, filed.kind, error);
    throw error;
  }
}

/** Throws STATUS_CONFLICT for a command that makes no sense for the ticket now. */
export async function runFromPage(
  place: TicketPlace,
  workbench: Workbench,
  { command }: { readonly command: string },
): Promise<Record<string, never>> {
  const { view } = await place.repository.client.ticket(place.ticket);
  const name = commandNames.find((one) => one === command);
  if (!name || !isOffered(name, view)) throw new BeadsmithError('STATUS_CONFLICT');
  return openFromPage(place, workbench, { command: name });
}

export function openFromPage(
  { repository: { root }, ticket }: TicketPlace,
  workbench: Workbench,
  { command, ...about }: Target & { readonly command: CommandName },
): Record<string, never> {
  const id = commandId(command);
  editor
    .executeCommand(id, ownTarget({ root, ticket, ...about }))
    .then(undefined, (error: unknown) => workbench.logError(id, error));
  return {};
}
