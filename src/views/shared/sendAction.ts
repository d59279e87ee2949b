import { l10n, window } from 'vscode';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { InboxBody, InboxKind } from '../../domain/ticket/inbox.ts';
import type { ActionOutcome, Client } from '../../protocol/api.ts';
import { RefusedAction } from './errorText.ts';
import type { TicketPlace } from './workbench.ts';
import { isConfirmed } from './quickInput.ts';

/** Time that a person waits without feedback, in milliseconds. A later action is safe in the inbox. */
export const patienceMs = 10_000;

/**
 * `pending`: nobody has taken it yet. Throws what `Client.act` throws, and RefusedAction with what the driver
 * says.
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
  if (outcome?.state === 'refused') throw new RefusedAction(outcome);
  return outcome?.state ?? 'pending';
}

/** Tries `look` with every change until it finds an outcome; undefined if none comes in time, or it stops. */
export async function untilSettled(
  client: Client,
  look: () => Promise<ActionOutcome | undefined>,
  limitMs: number,
  stop?: AbortSignal,
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
  const timer = setTimeout(leave, limitMs);
  stop?.addEventListener('abort', leave);
  try {
    await lookNow();
    return await end.promise;
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', leave);
    watch.dispose();
  }
}

/** A gate takes an approval before it refuses it. */
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
  if (outcome?.state === 'refused') throw new RefusedAction(outcome);
  return outcome ? 'consumed' : 'pending';
}

export async function sendsUnsent(question: string, lines: readonly string[]): Promise<boolean> {
  if (lines.length === 0) return false;
  const detail = lines.map((line) => `- ${line}`).join('\n');
  return isConfirmed(question, detail, l10n.t('Send'));
}

/** `done`: said when it was taken; empty where that can be seen. */
export async function sendAndTell<K extends InboxKind>(
  { repository, ticket }: TicketPlace,
  kind: K,
  body: InboxBody<K>,
  done = '',
): Promise<void> {
  tellSent(ticket, await sendAction(repository.client, ticket, kind, body), done);
}

/** Never says that something is done while it only lies in the inbox. */
export function tellSent(ticket: string, state: 'consumed' | 'pending', done: string): void {
  const filed = state === 'pending' ? l10n.t('{0}: queued; applied when work resumes.', ticket) : '';
  if (filed !== '' || done !== '') window.setStatusBarMessage(filed || done, 5_000);
}
