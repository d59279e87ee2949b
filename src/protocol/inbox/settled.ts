import { BeadsmithError } from '../../domain/core/errors.ts';
import type { ActionOutcome, Client } from '../api.ts';

/** Time that a person waits without feedback, in milliseconds. A later action is safe in the inbox. */
export const patienceMs = 10_000;

/** Tries `look` with every change until it finds an outcome; undefined if it stops before. */
export async function firstOutcome(
  client: Pick<Client, 'onDidChange'>,
  look: () => Promise<ActionOutcome | undefined>,
  stop: AbortSignal,
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
  const leave = (): void => end.resolve(undefined);
  stop.addEventListener('abort', leave);
  try {
    await lookNow();
    return await end.promise;
  } finally {
    stop.removeEventListener('abort', leave);
    watch.dispose();
  }
}

interface Filed {
  readonly ticket: string;
  /** Of the inbox entry. */
  readonly id: string;
  /** The document that an approval is about. */
  readonly approved?: string | undefined;
}

/** The end of an action that was filed; undefined while nobody carried it out. */
export async function settledOutcome(
  client: Client,
  { ticket, id, approved }: Filed,
): Promise<ActionOutcome | undefined> {
  const outcome = await client.outcome(ticket, id);
  if (approved === undefined || outcome?.state !== 'consumed') return outcome;
  const { idle, gate } = await client.ticket(ticket);
  // A gate takes an approval before it refuses it. A refusal replaces the acknowledgement, so the outcome
  // that is stored once the gate is idle is final.
  return !idle && gate?.artifact === approved ? undefined : client.outcome(ticket, id);
}
