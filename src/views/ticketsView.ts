import { l10n, type TreeView, window } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { setContextKeys } from './contextKeys.ts';
import { type Node, TicketsTree } from './ticketsTree.ts';
import type { Workbench } from './workbench.ts';

/** The view of all tickets with its badge, its message and the keys its welcome texts depend on. Repositories are opened when it is first seen. */
export function ticketsView(workbench: Workbench): Disposable {
  const { board, repositories } = workbench;
  const parts = new DisposableStore();
  const tree = parts.add(new TicketsTree(board));
  const view: TreeView<Node> = parts.add(
    window.createTreeView<Node>('beadsmith.tickets', { treeDataProvider: tree, showCollapseAll: true }),
  );
  const show = (): void => {
    const count = board.waiting.length;
    view.badge = count === 0 ? undefined : { value: count, tooltip: needYou(count) };
    view.message = messageOf(workbench) ?? '';
    void setContextKeys(workbench);
  };
  const open = (): void => {
    if (view.visible) repositories.open().catch((error: unknown) => workbench.logError('opening', error));
  };
  parts.add(view.onDidChangeVisibility(open));
  parts.add(board.onDidChange(show));
  parts.add(repositories.onDidChange(show));
  open();
  show();
  return parts;
}

export function needYou(count: number): string {
  return count === 1 ? l10n.t('1 ticket needs you') : l10n.t('{0} tickets need you', count);
}

/** Why nothing can be done here, if that is so. */
function messageOf({ repositories, board }: Workbench): string | undefined {
  if (repositories.state === 'opening') return l10n.t('Opening …');
  const open = repositories.entries.flatMap((entry) => (entry.kind === 'open' ? [entry.repository.client.repository] : []));
  if (!repositories.trusted)
    return open.length > 0 && board.rows.some(({ tickets }) => tickets.length > 0)
      ? l10n.t('Restricted Mode: tickets can only be read.')
      : undefined;
  const readOnly = open.find(({ mode }) => mode === 'readOnly');
  if (readOnly) return l10n.t('Read-only: {0}', readOnly.reason);
  return open.some(({ mode }) => mode === 'follower')
    ? l10n.t('Another window or command drives these tickets. What you decide here reaches it.')
    : undefined;
}
