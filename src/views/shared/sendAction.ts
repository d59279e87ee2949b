import { l10n, window } from 'vscode';
import type { InboxBody, InboxKind } from '../../domain/ticket/inbox.ts';
import type { ActionOutcome, Client } from '../../protocol/api.ts';
import { firstOutcome, patienceMs, settledOutcome } from '../../protocol/inbox/settled.ts';
import { RefusedAction } from './errorText.ts';
import type { TicketPlace } from './workbench.ts';
import { isConfirmed } from './quickInput.ts';

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
  const outcome = await untilSettled(client, () => settledOutcome(client, { ticket, id }), limitMs);
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
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limitMs);
  try {
    return await firstOutcome(client, look, AbortSignal.any([limit.signal, ...(stop ? [stop] : [])]));
  } finally {
    clearTimeout(timer);
  }
}

/** As `sendAction`. */
export async function sendApproval(
  client: Client,
  ticket: string,
  { artifact, ...body }: InboxBody<'approve'> & { readonly artifact: string },
  limitMs = patienceMs,
): Promise<'consumed' | 'pending'> {
  const { id } = await client.act(ticket, 'approve', body);
  const look = () => settledOutcome(client, { ticket, id, approved: artifact });
  const outcome = await untilSettled(client, look, limitMs);
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
