import { l10n, window } from 'vscode';
import type { InboxBody, InboxKind } from '../../domain/ticket/inbox.ts';
import { sendAction } from './sendAction.ts';
import type { TicketPlace } from './workbench.ts';

/**
 * Asks who leaves with something said that isn't sent whether to send it; nobody is asked about nothing.
 * `lines`: what was said.
 */
export async function sendsUnsent(question: string, lines: readonly string[]): Promise<boolean> {
  if (lines.length === 0) return false;
  const send = l10n.t('Send');
  const detail = lines.map((line) => `- ${line}`).join('\n');
  return (await window.showWarningMessage(question, { modal: true, detail }, send)) === send;
}

/**
 * Files an action, waits for what becomes of it, and says so. `done`: what is said when it was taken; empty
 * where that can be seen.
 */
export async function sendAndTell<K extends InboxKind>(
  { repository, ticket }: TicketPlace,
  kind: K,
  body: InboxBody<K>,
  done = '',
): Promise<void> {
  tellSent(ticket, await sendAction(repository.client, ticket, kind, body), done);
}

/** Nobody is told that something is done while it only lies in the inbox: a bead that is coded goes first. */
export function tellSent(ticket: string, state: 'consumed' | 'pending', done: string): void {
  const filed = state === 'pending' ? l10n.t('{0}: queued; applied when work resumes.', ticket) : '';
  if (filed !== '' || done !== '') window.setStatusBarMessage(filed || done, 5_000);
}
