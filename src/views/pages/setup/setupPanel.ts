import { type Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { setupPage } from '../../../protocol/pages/setup.ts';
import { setupPageType } from '../../../protocol/pages/pageNames.ts';
import { fillPanel, pageError, panelOptions } from '../fillPanel.ts';
import type { DraftStore } from '../pageDrafts.ts';
import { PageSession } from '../pageSession.ts';
import type { Workbench } from '../../shared/workbench.ts';
import { SetupSource } from './setupSource.ts';

/** Nothing is typed there. */
const noDrafts: DraftStore = {
  read: () => Promise.resolve({}),
  change: () => Promise.resolve(),
};

const place = { root: '', ticket: '' };

/** One panel for the window. It goes with the window, because what it shows may be different by then. */
export class SetupPanel implements Disposable {
  readonly #extension: Uri;
  readonly #workbench: Workbench;
  #open: { readonly panel: WebviewPanel; readonly source: SetupSource } | undefined;

  constructor(extension: Uri, workbench: Workbench) {
    this.#extension = extension;
    this.#workbench = workbench;
  }

  /** Shows the page and checks; resolves when everything is checked. */
  async check(): Promise<void> {
    if (this.#open) this.#open.panel.reveal();
    const { source } = (this.#open ??= this.#create());
    await source.check();
  }

  dispose(): void {
    this.#open?.panel.dispose();
  }

  #create(): { readonly panel: WebviewPanel; readonly source: SetupSource } {
    const source = new SetupSource(this.#workbench);
    const { title } = source;
    const panel = window.createWebviewPanel(setupPageType, title, ViewColumn.Active, {
      enableFindWidget: true,
      ...panelOptions(this.#extension),
    });
    const session = new PageSession({
      source,
      post: (message) => void panel.webview.postMessage(message),
      // It is the same all the time.
      retitle: () => undefined,
      explain: pageError,
      logError: (what, error) => this.#workbench.logError(what, error),
      drafts: { store: noDrafts, place: { page: setupPage.name, ...place } },
    });
    const parts = new DisposableStore();
    parts.add(session);
    parts.add(panel.webview.onDidReceiveMessage((message: unknown) => session.receive(message)));
    parts.add(
      panel.onDidChangeViewState(() => {
        if (!panel.visible) session.hide();
      }),
    );
    panel.onDidDispose(() => {
      this.#open = undefined;
      source.cancel();
      parts.dispose();
    });
    fillPanel(panel, this.#extension, { name: setupPage.name, title, place });
    return { panel, source };
  }
}
