import { l10n, type Tab, TabInputWebview, type Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import * as z from 'zod';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { PagePlace } from '../../protocol/pages/frame.ts';
import { pageType } from '../../protocol/pages/pageNames.ts';
import type { PagePart } from '../../protocol/pages/ticket.ts';
import type { Memory } from '../shared/memory.ts';
import type { OpenRepository } from '../shared/repositories.ts';
import type { TicketPlace, Workbench } from '../shared/workbench.ts';
import type { DraftStore } from './pageDrafts.ts';
import { fillPanel, pageError, panelOptions } from './fillPanel.ts';
import type { Page } from './pageKind.ts';
import { PageSession } from './pageSession.ts';
import { TicketSource } from './ticketSource.ts';

const memoryKey = 'pages.open';
/** More pages than a person has open; the oldest are forgotten. */
const most = 50;

/** Finds pages that were left before their script ran and kept their place. Kept for the workspace. */
export class OpenPages {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  async add(place: PagePlace): Promise<void> {
    await this.#keep([...this.#others(place), place].slice(-most));
  }

  async remove(place: PagePlace): Promise<void> {
    await this.#keep(this.#others(place));
  }

  find(fits: (place: PagePlace) => boolean): PagePlace | undefined {
    return this.#all().findLast(fits);
  }

  #others({ root, ticket }: PagePlace): readonly PagePlace[] {
    return this.#all().filter((page) => page.root !== root || page.ticket !== ticket);
  }

  /** Another version may have kept something else. */
  #all(): readonly PagePlace[] {
    return z.array(PagePlace).catch([]).parse(this.#memory.get(memoryKey));
  }

  async #keep(pages: readonly PagePlace[]): Promise<void> {
    await this.#memory.set(memoryKey, pages);
  }
}

interface OpenPanel extends Disposable {
  readonly panel: WebviewPanel;
  readonly session: PageSession;
}

/** One panel for each repository and ticket. Hidden content isn't retained. They survive a reload. */
export class PagePanels implements Disposable {
  readonly #extension: Uri;
  readonly #workbench: Workbench;
  readonly #page: Page;
  readonly #drafts: DraftStore;
  readonly #places: OpenPages;
  readonly #open = new Map<string, OpenPanel>();
  readonly #lifetime = new DisposableStore();

  constructor(
    extension: Uri,
    workbench: Workbench,
    page: Page,
    { memory, drafts }: { memory: Memory; drafts: DraftStore },
  ) {
    this.#extension = extension;
    this.#workbench = workbench;
    this.#drafts = drafts;
    this.#places = new OpenPages(memory);
    this.#page = page;
    this.#lifetime.add(
      workbench.repositories.onDidChange(() => {
        for (const { session } of this.#open.values()) void session.refresh();
      }),
    );
    this.#lifetime.add(
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) for (const { session } of this.#open.values()) void session.refreshDrafts();
      }),
    );
  }

  /** `part`: what the person wants to see of it; default: what matters now. */
  open({ repository, ticket }: TicketPlace, part?: PagePart): void {
    const place = { root: repository.root, ticket };
    const known = this.#open.get(keyOf(place));
    if (known) {
      known.panel.reveal();
      if (part) known.session.show(part);
      return;
    }
    const tab = this.#unloadedTab(place);
    const column = tab?.group.viewColumn ?? ViewColumn.Active;
    const panel = window.createWebviewPanel(pageType, this.#page.title(ticket, undefined), column, {
      enableFindWidget: true,
      ...panelOptions(this.#extension),
    });
    this.#fill(panel, place, part);
    // Only now: a group whose last tab is closed goes, and with it the place.
    if (tab)
      window.tabGroups
        .close(tab)
        .then(undefined, (error: unknown) => this.#workbench.logError('closing a tab', error));
  }

  shows({ repository, ticket }: TicketPlace): boolean {
    return this.#open.get(keyOf({ root: repository.root, ticket }))?.panel.active ?? false;
  }

  /** A page that is open already, or that nothing is known of, is closed. */
  restore(panel: WebviewPanel, state: unknown): void {
    const place = this.#placeOf(panel, state);
    if (!place || this.#open.has(keyOf(place))) {
      panel.dispose();
      return;
    }
    panel.webview.options = panelOptions(this.#extension);
    this.#fill(panel, place);
  }

  dispose(): void {
    this.#lifetime.dispose();
    // The panels themselves stay: the editor keeps them for the next window.
    for (const { session } of this.#open.values()) session.dispose();
    this.#open.clear();
  }

  /**
   * The tab of a page that the previous window left hidden. The editor offers no way to show it, so the
   * requested page takes the tab's place.
   */
  #unloadedTab(place: PagePlace): Tab | undefined {
    const named = this.#places.find(({ ticket }) => ticket === place.ticket);
    if (named?.root !== place.root) return undefined;
    const loaded = [...this.#open.values()].map(({ panel }) => panel.title);
    return window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .find(
        ({ input, label }) =>
          input instanceof TabInputWebview &&
          input.viewType.endsWith(pageType) &&
          isAbout(label, place.ticket) &&
          !loaded.includes(label),
      );
  }

  /** A page that was left before its script ran has the kept place that its title names. */
  #placeOf(panel: WebviewPanel, state: unknown): PagePlace | undefined {
    const stored = PagePlace.safeParse((state as { readonly place?: unknown } | null | undefined)?.place);
    if (stored.success) return stored.data;
    return this.#places.find((place) => isAbout(panel.title, place.ticket) && !this.#open.has(keyOf(place)));
  }

  #fill(panel: WebviewPanel, place: PagePlace, part?: PagePart): void {
    const page = this.#page;
    const { ticket } = place;
    const key = keyOf(place);
    const session = new PageSession({
      source: new TicketSource({
        page,
        ticket,
        workbench: this.#workbench,
        find: () => this.#find(place.root),
        refusal: (repository) => this.#refusal(repository),
      }),
      post: (message) => void panel.webview.postMessage(message),
      retitle: (title) => {
        if (this.#open.has(key) && panel.title !== title) panel.title = title;
      },
      explain: pageError,
      logError: (what, error) => this.#workbench.logError(what, error),
      drafts: { store: this.#drafts, place: { page: page.name, ...place } },
    });
    if (part) session.show(part);
    const parts = new DisposableStore();
    parts.add(session);
    parts.add(panel.webview.onDidReceiveMessage((message: unknown) => session.receive(message)));
    parts.add(
      panel.onDidChangeViewState(() => {
        if (panel.visible) session.prepare();
        else session.hide();
      }),
    );
    this.#open.set(key, { panel, session, dispose: () => parts.dispose() });
    if (panel.visible) session.prepare();
    const logError = (error: unknown): void =>
      this.#workbench.logError('keeping which pages are open', error);
    this.#places.add(place).catch(logError);
    panel.onDidDispose(() => {
      this.#open.delete(key);
      this.#places.remove(place).catch(logError);
      parts.dispose();
    });
    fillPanel(panel, this.#extension, { name: page.name, title: page.title(ticket, undefined), place });
  }

  async #find(root: string): Promise<OpenRepository> {
    const { repositories } = this.#workbench;
    await repositories.open();
    const entry = repositories.entries.find((candidate) => candidate.root === root);
    if (entry?.kind === 'open') return entry.repository;
    throw entry?.error ?? new BeadsmithError('REPOSITORY_NOT_OPEN', { path: root });
  }

  #refusal({ client }: OpenRepository): string {
    const { mode, reason } = client.repository;
    if (!this.#workbench.repositories.trusted) return l10n.t('the workspace is in Restricted Mode');
    return mode === 'readOnly' ? reason : '';
  }
}

function isAbout(title: string, ticket: string): boolean {
  return title.split(/[^\p{L}\p{N}_-]+/u).includes(ticket);
}

function keyOf({ root, ticket }: PagePlace): string {
  return JSON.stringify([root, ticket]);
}
