import { mayLeaveOut, partRow } from '../context/partRow.ts';
import { isEditable, type PromptChoices, withEdits, withRule } from '../domain/prompts/promptChoices.ts';
import type { ContextEntry } from '../domain/prompts/contextEntries.ts';
import { BeadsmithError } from '../domain/core/errors.ts';
import type { InboxBody } from '../domain/ticket/inbox.ts';
import type { Ticket } from '../domain/ticket/ticket.ts';
import type { Ports } from '../engine/ports/ports.ts';
import type { Change } from '../engine/ports/storePort.ts';
import { filedContext } from './shared/ticket/contextEntries.ts';
import { choicesOf } from './shared/ticket/promptChoices.ts';

type Stores = Pick<Ports, 'store'>;

/**
 * A rule for a part of later prompts. Throws INVALID_INPUT for a part that there isn't, or that has to be
 * sent, and for a bead that isn't in the plan.
 */
export async function promptRule(
  ports: Stores,
  ticket: Ticket,
  { part, rule, bead }: InboxBody<'prompt_rule'>,
): Promise<readonly Change[]> {
  if (!partRow(part))
    throw new BeadsmithError('INVALID_INPUT', {
      what: `The part "${part}"`,
      reason: 'no prompt has a part of that name',
    });
  if (rule === 'exclude' && !mayLeaveOut(part))
    throw new BeadsmithError('INVALID_INPUT', {
      what: `The part "${part}"`,
      reason: 'a prompt makes no sense without it',
    });
  if (bead !== null && !(await ports.store.beads(ticket.id)).some(({ id }) => id === bead))
    throw new BeadsmithError('INVALID_INPUT', {
      what: `The bead "${bead}"`,
      reason: `${ticket.id} has no bead with that id`,
    });
  const choices = await choicesOf(ports, ticket.id);
  return [filed(withRule(choices, { part, rule: rule === 'none' ? null : rule, bead }))];
}

/** The wish to see the next prompt before it is sent. It has an id of its own, so that it is met once. */
export async function previewWish(
  ports: Pick<Ports, 'store' | 'clock'>,
  ticket: Ticket,
): Promise<readonly Change[]> {
  return [filed({ ...(await choicesOf(ports, ticket.id)), preview: ports.clock.randomId() })];
}

/** Another text for context that agents are still to get. Throws CONTEXT_UNKNOWN, CONTEXT_DELIVERED. */
export async function editedContext(
  ports: Stores,
  ticket: Ticket,
  { entry, text }: InboxBody<'edit_context'>,
): Promise<readonly Change[]> {
  const { found, choices } = await standingEntry(ports, ticket, entry);
  if (found && !isEditable(found)) throw new BeadsmithError('CONTEXT_DELIVERED', { entry });
  return [filed({ ...choices, edits: { ...choices.edits, [entry]: text } })];
}

/**
 * Takes context back that agents are still to get. One that waits in the inbox is compared and set: if a
 * handler takes it at the same time, one of both is refused. Throws CONTEXT_UNKNOWN, CONTEXT_DELIVERED.
 */
export async function withdrawal(
  ports: Stores,
  ticket: Ticket,
  { entry }: InboxBody<'withdraw_context'>,
): Promise<readonly Change[]> {
  const { found, choices } = await standingEntry(ports, ticket, entry);
  if (found) {
    if (!isEditable(found)) throw new BeadsmithError('CONTEXT_DELIVERED', { entry });
    return [filed({ ...choices, edits: { ...choices.edits, [entry]: null } })];
  }
  const { code, message, nextStep } = new BeadsmithError('CONTEXT_WITHDRAWN');
  return [
    { type: 'inbox', id: entry, state: 'refused', outcome: { code, message: `${message} ${nextStep}` } },
  ];
}

/**
 * The entry as a handler filed it, or none where it still waits in the inbox. Throws CONTEXT_UNKNOWN,
 * CONTEXT_DELIVERED for one that was used up or is kept as a text.
 */
async function standingEntry(
  ports: Stores,
  ticket: Ticket,
  entry: string,
): Promise<{ readonly found: ContextEntry | undefined; readonly choices: PromptChoices }> {
  const choices = await choicesOf(ports, ticket.id);
  const found = withEdits(await filedContext(ports, ticket.id), choices).find(({ id }) => id === entry);
  if (found) return { found, choices };
  const waiting = (await ports.store.inbox(ticket.id)).find(
    ({ id, kind }) => id === entry && kind === 'context',
  );
  if (!waiting) throw new BeadsmithError('CONTEXT_UNKNOWN', { ticket: ticket.id, entry });
  if (waiting.state !== 'pending') throw new BeadsmithError('CONTEXT_DELIVERED', { entry });
  return { found, choices };
}

/** Filed with DRAFT, which is never archived: the choices hold for the whole ticket. */
function filed(choices: PromptChoices): Change {
  const content = `${JSON.stringify(choices, null, 2)}\n`;
  return { type: 'artifact', artifact: 'prompt_choices', content, status: 'DRAFT', attempt: 1 };
}
