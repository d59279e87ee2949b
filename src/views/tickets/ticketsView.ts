import { l10n, type TreeView, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { setContextKeys } from './contextKeys.ts';
import { scriptedText } from '../shared/statusTexts.ts';
import { listText } from './tree/listText.ts';
import type { Node } from './tree/nodes.ts';
import { ReadinessLook } from './readinessLook.ts';
import { ticketsViewId } from './ticketsViewId.ts';
import type { TicketsTree } from './tree/ticketsTree.ts';
import type { Workbench } from '../shared/workbench.ts';
import { unboxedText } from '../shared/unboxedText.ts';

/**
 * Keeps what surrounds the tree of all tickets up to date: the view's badge and message, and the keys its
 * welcome texts depend on. Repositories are opened when it is first seen.
 */
export function ticketsView(workbench: Workbench, view: TreeView<Node>, tree: TicketsTree): Disposable {
  const { board, repositories, list } = workbench;
  const parts = new DisposableStore();
  const look = parts.add(new ReadinessLook(workbench));
  let opened: PromiseWithResolvers<void> | undefined;
  const show = (): void => {
    const count = board.waiting.length;
    view.badge = count === 0 ? undefined : { value: count, tooltip: needYou(count) };
    // The editor shows a message in place of the welcome texts.
    view.message = tree.isEmpty ? '' : messageOf(workbench);
    view.description = listText(list);
    void setContextKeys(workbench, { isEmpty: tree.isEmpty, readiness: look.found });
  };
  const showProgress = (): void => {
    const isOpening = repositories.state === 'opening';
    if (isOpening && !opened) {
      const ending = (opened = Promise.withResolvers<void>());
      void window.withProgress({ location: { viewId: ticketsViewId } }, () => ending.promise);
    }
    if (isOpening) return;
    opened?.resolve();
    opened = undefined;
  };
  const open = (): void => {
    if (view.visible) repositories.open().catch((error: unknown) => workbench.logError('opening', error));
  };
  parts.add(view.onDidExpandElement(({ element }) => tree.fold(element, false)));
  parts.add(view.onDidCollapseElement(({ element }) => tree.fold(element, true)));
  parts.add(view.onDidChangeVisibility(open));
  parts.add(board.onDidChange(show));
  parts.add(list.onDidChange(show));
  parts.add(look.onDidChange(show));
  parts.add(repositories.onDidChange(show));
  parts.add(repositories.onDidChange(showProgress));
  parts.add({ dispose: () => opened?.resolve() });
  open();
  show();
  return parts;
}

export function needYou(count: number): string {
  return count === 1 ? l10n.t('1 ticket needs input') : l10n.t('{0} tickets need input', count);
}

/**
 * Returns the view's message: the filter, because a view that is alone in its container has no room for a
 * description; and, where it applies, that this is a demo, why nothing can be done here, and that there is no
 * sandbox.
 */
function messageOf({ repositories, list }: Workbench): string {
  const filter = list.isFiltered ? l10n.t('Filtered: {0}', listText(list)) : '';
  const isDemo = repositories.entries.some((entry) => entry.kind === 'open' && entry.repository.isDemo);
  return [isDemo ? scriptedText() : '', filter, whyReadOnly(repositories), whyUnboxed(repositories)]
    .filter((part) => part !== '')
    .join('\n');
}

/** It depends on the machine, so it is the same for every repository. */
function whyUnboxed({ entries }: Workbench['repositories']): string {
  const [open] = entries.flatMap((entry) =>
    entry.kind === 'open' ? [entry.repository.client.repository] : [],
  );
  return open && open.mode !== 'readOnly' ? unboxedText(open) : '';
}

function whyReadOnly(repositories: Workbench['repositories']): string {
  if (!repositories.trusted) return l10n.t('Restricted Mode: tickets are read-only.');
  const open = repositories.entries.flatMap((entry) =>
    entry.kind === 'open' ? [entry.repository.client.repository] : [],
  );
  const readOnly = open.find(({ mode }) => mode === 'readOnly');
  if (open.some(({ isBusy }) => isBusy))
    return l10n.t('Another program has locked the database. Work continues when the lock is released.');
  if (readOnly) return l10n.t('Read-only: {0}', readOnly.reason);
  return open.some(({ mode }) => mode === 'follower')
    ? l10n.t(
        'Another window or process is working on these tickets. Your decisions here are picked up there.',
      )
    : '';
}
