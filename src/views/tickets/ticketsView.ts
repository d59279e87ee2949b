import { l10n, TreeItemCheckboxState, type TreeView, window } from 'vscode';
import { joined } from '../../base/joined.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { noSandboxText, scriptedText } from '../shared/statusTexts.ts';
import type { Workbench } from '../shared/workbench.ts';
import { openOf, type Readiness } from '../shared/repositories.ts';
import { setContextKeys } from './contextKeys.ts';
import { listText } from './tree/filterTickets.ts';
import type { Node } from './tree/nodes.ts';
import { ticketsViewId } from './ticketsViewId.ts';
import type { TicketsTree } from './tree/ticketsTree.ts';

/** Checks again when a repository gets its first commit. */
export class ReadinessLook implements Disposable {
  readonly #workbench: Pick<Workbench, 'repositories' | 'board' | 'logError'>;
  readonly #changed = new Emitter<void>();
  readonly #lifetime = new DisposableStore();
  #watches: DisposableStore | undefined;
  #found: Readiness | undefined;
  /** Of several checks at a time, the last one knows best. */
  #turn = 0;

  readonly onDidChange = this.#changed.on;

  constructor(workbench: Pick<Workbench, 'repositories' | 'board' | 'logError'>) {
    this.#workbench = workbench;
    this.#lifetime.add(
      workbench.repositories.onDidChange(() => {
        this.#found = undefined;
        this.#turn += 1;
        this.#stopWatching();
      }),
    );
    this.#lifetime.add(workbench.board.onDidRead(() => void this.#look()));
  }

  /** Of the repository that is worst off. */
  get found(): Readiness | undefined {
    return this.#found;
  }

  dispose(): void {
    this.#turn += 1;
    this.#stopWatching();
    this.#lifetime.dispose();
    this.#changed.dispose();
  }

  async #look(): Promise<void> {
    const { repositories, board } = this.#workbench;
    const hasNone =
      board.rows.length > 0 && board.rows.every(({ tickets, error }) => tickets.length === 0 && !error);
    if (this.#found || !hasNone || !repositories.trusted || repositories.state !== 'ready') return;
    this.#found = { hasCommits: true, opencode: 'found' };
    await this.#check();
  }

  async #check(): Promise<void> {
    const { repositories, logError } = this.#workbench;
    const turn = ++this.#turn;
    try {
      const open = openOf(repositories);
      const all = await Promise.all(open.map((repository) => repository.readiness()));
      if (turn !== this.#turn) return;
      const hasCommits = all.every((readiness) => readiness.hasCommits);
      if (!hasCommits && !this.#watches) {
        this.#watches = new DisposableStore();
        for (const repository of open) this.#watches.add(repository.watchBranches(() => void this.#check()));
        // The first commit may have been made before the watch began.
        await this.#check();
        return;
      }
      if (hasCommits) this.#stopWatching();
      this.#found = {
        hasCommits,
        opencode: all.find(({ opencode }) => opencode !== 'found')?.opencode ?? 'found',
      };
      this.#changed.emit();
    } catch (error) {
      logError('readiness', error);
    }
  }

  #stopWatching(): void {
    this.#watches?.dispose();
    this.#watches = undefined;
  }
}

/** Repositories are opened when the view is first seen. */
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
  parts.add(
    view.onDidChangeCheckboxState(({ items }) => {
      const marked = items.map(([node, state]) => tree.mark(node, state === TreeItemCheckboxState.Checked));
      Promise.all(marked).catch((error: unknown) => workbench.logError('viewed files', error));
    }),
  );
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

/** A view alone in its container shows no description, so the filter is in the message. */
function messageOf({ repositories, list }: Workbench): string {
  const filter = list.isFiltered ? l10n.t('Filtered: {0}', listText(list)) : '';
  const isDemo = openOf(repositories).some((repository) => repository.isDemo);
  // The editor shows a message in one line, whatever is in it.
  return joined([
    isDemo ? scriptedText() : '',
    filter,
    whyReadOnly(repositories),
    whyNoSandbox(repositories),
  ]);
}

/** It depends on the machine, so it is the same for every repository. */
function whyNoSandbox(repositories: Workbench['repositories']): string {
  const open = openOf(repositories)[0]?.client.repository;
  return open && open.mode !== 'readOnly' ? noSandboxText(open) : '';
}

function whyReadOnly(repositories: Workbench['repositories']): string {
  if (!repositories.trusted) return l10n.t('Restricted Mode: tickets are read-only.');
  const open = openOf(repositories).map(({ client }) => client.repository);
  const readOnly = open.find(({ mode }) => mode === 'readOnly');
  if (open.some(({ isBusy }) => isBusy))
    return l10n.t('Another program has locked the database. Work continues when the lock is released.');
  if (readOnly) return l10n.t('Read-only: {0}', readOnly.reason);
  // A team's runners say on the ticket what they do.
  return open.some(({ mode }) => mode === 'follower')
    ? l10n.t(
        'Another window or process is working on these tickets. Your decisions here are picked up there.',
      )
    : '';
}
