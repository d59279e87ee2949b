import { commands as editor, env, l10n, Uri, window } from 'vscode';
import type { TicketPlace } from './workbench.ts';

/** Opens the ticket's worktree in a window of its own. */
export async function openWorktree(place: TicketPlace): Promise<void> {
  const worktree = await worktreeOf(place);
  if (worktree !== undefined) await editor.executeCommand('vscode.openFolder', Uri.file(worktree), { forceNewWindow: true });
}

/** Opens a terminal in the ticket's worktree. */
export async function openTerminal(place: TicketPlace): Promise<void> {
  const worktree = await worktreeOf(place);
  if (worktree !== undefined) window.createTerminal({ name: place.ticket, cwd: Uri.file(worktree) }).show();
}

export async function copyId({ ticket }: TicketPlace): Promise<void> {
  await env.clipboard.writeText(ticket);
  window.setStatusBarMessage(l10n.t('{0} is in the clipboard.', ticket), 3_000);
}

async function worktreeOf({ repository, ticket }: TicketPlace): Promise<string | undefined> {
  const { ticket: stored } = await repository.client.ticket(ticket);
  if (stored.worktree !== null) return stored.worktree;
  void window.showInformationMessage(l10n.t('{0} has no worktree now.', ticket));
  return undefined;
}
