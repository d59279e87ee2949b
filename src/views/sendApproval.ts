import type { InboxBody } from '../domain/inbox.ts';
import type { ActionOutcome, Client } from '../protocol/api.ts';
import { patienceMs, RefusedAction, untilSettled } from './sendAction.ts';

/**
 * Files an approval and waits until the gate has looked at it: it takes one before it refuses it. `pending`: nobody has taken it yet. Throws what
 * `Client.act` throws, and RefusedAction with the driver's own words.
 */
export async function sendApproval(
  client: Client,
  ticket: string,
  { artifact, ...body }: InboxBody<'approve'> & { readonly artifact: string },
  limitMs = patienceMs,
): Promise<'consumed' | 'pending'> {
  const { id } = await client.act(ticket, 'approve', body);
  const decided = async (): Promise<ActionOutcome | undefined> => {
    const outcome = await client.outcome(ticket, id);
    if (outcome?.state !== 'consumed') return outcome;
    const { ready, gate } = await client.ticket(ticket);
    // A refusal replaces the acknowledgement, so what stands there once the gate rests is the last word.
    return !ready && gate?.artifact === artifact ? undefined : client.outcome(ticket, id);
  };
  const outcome = await untilSettled(client, decided, limitMs);
  if (outcome?.state === 'refused') throw new RefusedAction(outcome.message, outcome.code);
  return outcome ? 'consumed' : 'pending';
}
