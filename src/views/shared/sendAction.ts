import { BeadsmithError } from '../../domain/core/errors.ts';
import type { InboxBody, InboxKind } from '../../domain/ticket/inbox.ts';
import type { ActionOutcome, Client } from '../../protocol/api.ts';

/**
 * Time that a person waits without feedback, in milliseconds. An action that isn't carried out by then is
 * safe in the inbox.
 */
export const patienceMs = 10_000;

/**
 * Files an action and waits for what becomes of it. `pending`: nobody has taken it yet (a follower's driver
 * may be busy, a handler may still work). Throws what `Client.act` throws, and RefusedAction with the
 * driver's own words.
 */
export async function sendAction<K extends InboxKind>(
  client: Client,
  ticket: string,
  kind: K,
  body: InboxBody<K>,
  limitMs = patienceMs,
): Promise<'consumed' | 'pending'> {
  const { id } = await client.act(ticket, kind, body);
  const outcome = await untilSettled(client, () => client.outcome(ticket, id), limitMs);
  if (outcome?.state === 'refused') throw new RefusedAction(outcome.message, outcome.code);
  return outcome?.state ?? 'pending';
}

/** A driver checked an action and refused it; its message already contains the next step. */
export class RefusedAction extends Error {
  override readonly name = 'RefusedAction';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Waits until `look` finds an outcome, and tries it again with every change; undefined when it finds none in
 * time.
 */
export async function untilSettled(
  client: Client,
  look: () => Promise<ActionOutcome | undefined>,
  limitMs: number,
): Promise<ActionOutcome | undefined> {
  const end = Promise.withResolvers<ActionOutcome | undefined>();
  const lookNow = async (): Promise<void> => {
    try {
      const outcome = await look();
      if (outcome) end.resolve(outcome);
    } catch (error) {
      end.reject(
        error instanceof Error ? error : new BeadsmithError('UNEXPECTED', { reason: String(error) }),
      );
    }
  };
  const watch = client.onDidChange(() => void lookNow());
  const timer = setTimeout(() => end.resolve(undefined), limitMs);
  try {
    await lookNow();
    return await end.promise;
  } finally {
    clearTimeout(timer);
    watch.dispose();
  }
}

/**
 * Files an approval and waits until the gate has checked it: it takes one before it refuses it. `pending`:
 * nobody has taken it yet. Throws what `Client.act` throws, and RefusedAction with the driver's own words.
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
    const { idle, gate } = await client.ticket(ticket);
    // A refusal replaces the acknowledgement, so the outcome that is stored once the gate is idle is final.
    return !idle && gate?.artifact === artifact ? undefined : client.outcome(ticket, id);
  };
  const outcome = await untilSettled(client, decided, limitMs);
  if (outcome?.state === 'refused') throw new RefusedAction(outcome.message, outcome.code);
  return outcome ? 'consumed' : 'pending';
}
