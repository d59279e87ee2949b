import { commands as editor, l10n, window } from 'vscode';
import { type Disposable } from '../base/disposable.ts';
import { fromRecord } from '../domain/errors.ts';
import type { TicketDetail, TicketView } from '../protocol/api.ts';
import type { BoardRow } from './board.ts';
import { commandId, type CommandName } from './commands.ts';
import { errorText } from './errorText.ts';
import { likelyCommand } from './offered.ts';
import { WaitingTickets } from './waitingTickets.ts';
import type { Workbench } from './workbench.ts';

/** Tells, once, that a ticket needs a person, with the action that is most likely wanted. A gate is told when it is ready for an answer. */
export function notices(workbench: Workbench): Disposable {
  const waiting = new WaitingTickets();
  return workbench.board.onDidRead(() => {
    if (!workbench.repositories.trusted) return;
    for (const row of workbench.board.rows) {
      if (row.error || !row.repository) continue;
      for (const ticket of waiting.look(row.root, row.tickets))
        tell(row, ticket, waiting).catch((error: unknown) => workbench.logError('notice', error));
    }
  });
}

async function tell(row: BoardRow, ticket: TicketView, waiting: WaitingTickets): Promise<void> {
  const detail = await row.repository?.client.ticket(ticket.id);
  if (!detail?.ready || detail.view.status !== ticket.status || !waiting.look(row.root, [ticket]).includes(ticket)) return;
  waiting.tell(row.root, ticket);
  const command = likelyCommand(ticket);
  const [action, log] = [actionTitle(command), l10n.t('Show Log')];
  const answer = detail.error
    ? await window.showWarningMessage(blockedText(detail), action, log)
    : await window.showInformationMessage(l10n.t('{0} “{1}” needs you: {2}.', ticket.id, ticket.title, l10n.t(ticket.label)), action);
  // A notice stays until somebody closes it, and by then the ticket may want something else.
  if (answer === action) await editor.executeCommand(commandId(await likelyNow(row, ticket)), { root: row.root, ticket: ticket.id });
  if (answer === log) await editor.executeCommand(commandId('showLog'));
}

async function likelyNow(row: BoardRow, ticket: TicketView): Promise<CommandName> {
  const detail = await row.repository?.client.ticket(ticket.id);
  return likelyCommand(detail?.view ?? ticket);
}

function blockedText({ ticket, error }: TicketDetail): string {
  const { message, nextStep } = ticket.error
    ? errorText(fromRecord(ticket.error))
    : { message: error?.message ?? '', nextStep: error?.nextStep ?? '' };
  return l10n.t('{0} “{1}” is blocked: {2} {3}', ticket.id, ticket.title, message, nextStep);
}

function actionTitle(command: CommandName): string {
  if (command === 'answer') return l10n.t('Answer');
  if (command === 'approve') return l10n.t('Look and Approve');
  if (command === 'qa') return l10n.t('Begin');
  return command === 'start' ? l10n.t('Start') : l10n.t('What Next…');
}
