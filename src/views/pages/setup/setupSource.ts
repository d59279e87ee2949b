import { commands as editor, env, l10n } from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { CheckGroup } from '../../../protocol/checks.ts';
import { setupPage } from '../../../protocol/pages/setup.ts';
import { serveRequest } from '../pageKind.ts';
import type { PageListener, PageSource } from '../pageSession.ts';
import type { Workbench } from '../../shared/workbench.ts';
import { runChecks } from '../../support/runChecks.ts';
import { setupText, type SetupView, setupView } from '../../support/setupState.ts';

/** A check-up as its page shows it, line by line while it runs. */
export class SetupSource implements PageSource {
  readonly name = 'setup page';
  readonly #workbench: Workbench;
  readonly #changed = new Emitter<void>();
  #runs = 0;
  #running: Promise<void> | undefined;
  #stop = new AbortController();
  #view: SetupView = setupView([], { run: 0, progress: 'running' });

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  get title(): string {
    return this.#view.state.title;
  }

  /** Joins the one that runs. */
  check(): Promise<void> {
    this.#running ??= this.#check().finally(() => (this.#running = undefined));
    return this.#running;
  }

  cancel(): void {
    this.#stop.abort();
  }

  read(): ReturnType<PageSource['read']> {
    return Promise.resolve({ title: this.title, content: this.#view.state });
  }

  serve(method: string, params: unknown): Promise<unknown> {
    const requests = {
      check: () => {
        // A repository may have become one since.
        const { repositories } = this.#workbench;
        this.#started(
          repositories.open().then(() => this.check()),
          'checking the setup',
        );
        return Promise.resolve({});
      },
      cancel: () => {
        this.cancel();
        return Promise.resolve({});
      },
      copy: async () => {
        await env.clipboard.writeText(setupText(this.#view.state));
        return {};
      },
      fix: ({ id }: { readonly id: string }) => {
        const fix = this.#view.fixes.get(id);
        if (!fix) return Promise.reject(new BeadsmithError('STATUS_CONFLICT'));
        this.#started(Promise.resolve(editor.executeCommand(fix.command, ...fix.args)), fix.command);
        return Promise.resolve({});
      },
    };
    return serveRequest(setupPage, requests, method, params);
  }

  listen(listener: PageListener): Disposable {
    return this.#changed.on(() => listener.changed());
  }

  async #check(): Promise<void> {
    const run = ++this.#runs;
    const { signal } = (this.#stop = new AbortController());
    let found: readonly CheckGroup[] = [];
    const show = (progress: 'running' | 'done' | 'canceled'): void => {
      this.#view = setupView(found, { run, progress });
      this.#changed.emit();
    };
    show('running');
    const groups = await runChecks(this.#workbench, titles(), signal, (_count, until) => {
      found = until;
      show('running');
    });
    found = groups ?? found;
    show(groups ? 'done' : 'canceled');
  }

  /** Waits for nothing: a command shows by itself what it does. */
  #started(work: Promise<unknown>, what: string): void {
    work.catch((error: unknown) => this.#workbench.logError(what, error));
  }
}

function titles(): Parameters<typeof runChecks>[1] {
  return {
    machine: l10n.t('This machine'),
    repository: (name) => (name === '' ? l10n.t('Repository') : l10n.t('Repository {0}', name)),
  };
}
