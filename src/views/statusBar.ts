import { l10n, StatusBarAlignment, window } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { commandId } from './commands.ts';
import { needYou } from './ticketsView.ts';
import type { Workbench } from './workbench.ts';

/** How many tickets need the person. Nothing at all when none does. */
export function statusBar({ board }: Workbench): Disposable {
  const parts = new DisposableStore();
  const item = parts.add(window.createStatusBarItem('beadsmith.waiting', StatusBarAlignment.Left, 20));
  item.name = l10n.t('Tickets That Need You');
  item.command = commandId('showWaiting');
  const show = (): void => {
    const { waiting } = board;
    item.text = `$(bell-dot) ${String(waiting.length)}`;
    item.tooltip = [needYou(waiting.length), ...waiting.map(({ ticket }) => `${ticket.id} ${ticket.title}: ${l10n.t(ticket.label)}`)].join(
      '\n',
    );
    item.accessibilityInformation = { label: needYou(waiting.length), role: 'button' };
    if (waiting.length > 0) item.show();
    else item.hide();
  };
  parts.add(board.onDidChange(show));
  show();
  return parts;
}
