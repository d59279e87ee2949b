import {
  commands,
  type ExtensionContext,
  l10n,
  lm,
  type LanguageModelTool,
  type TreeView,
  window,
} from 'vscode';
import { DisposableStore } from '../base/disposable.ts';
import { pageNames, pageType } from '../protocol/pages/pageNames.ts';
import { blobScheme, documentScheme, promptScheme, type Scheme, supportScheme } from '../protocol/schemes.ts';
import { toolNames } from '../views/chat/toolNames.ts';
import type { CommandName } from '../views/commands/commands.ts';
import { ticketsViewId } from '../views/tickets/ticketsViewId.ts';
import type { Node } from '../views/tickets/tree/nodes.ts';
import type { Host } from './compose.ts';
import { LazyFiles } from './files/lazyFiles.ts';
import { LazyTree } from './lazyTree.ts';

const schemes = [
  { scheme: documentScheme, isReadonly: false },
  { scheme: blobScheme, isReadonly: true },
  { scheme: promptScheme, isReadonly: true },
  { scheme: supportScheme, isReadonly: true },
] as const;

/**
 * The extension as the editor meets it: everything that the editor may call is registered here, and what
 * answers is loaded with the first call. So the editor, which wakes its extensions one by one, waits for a
 * few kilobytes of ours. Nothing may be imported here that parses (zod) or works.
 */
export class LazyHost {
  readonly #context: ExtensionContext;
  readonly #parts = new DisposableStore();
  readonly #tree: LazyTree;
  readonly #view: TreeView<Node>;
  readonly #files = new Map<Scheme, LazyFiles>();
  #host: Promise<Host> | undefined;
  #hasEnded = false;

  constructor(context: ExtensionContext) {
    this.#context = context;
    const parts = this.#parts;
    const load = (): Promise<Host> => this.#load();
    this.#tree = parts.add(new LazyTree(async () => (await load()).tree));
    this.#view = parts.add(
      window.createTreeView(ticketsViewId, { treeDataProvider: this.#tree, showCollapseAll: true }),
    );
    for (const { scheme, ...options } of schemes)
      this.#files.set(
        scheme,
        parts.add(new LazyFiles(scheme, options, async () => (await load()).files[scheme])),
      );
    for (const { command, name } of ownCommands(context))
      parts.add(
        commands.registerCommand(command, async (argument: unknown) => (await load()).run(name, argument)),
      );
    for (const name of pageNames)
      parts.add(
        window.registerWebviewPanelSerializer(pageType(name), {
          deserializeWebviewPanel: async (panel, state) => (await load()).restorePage(name, panel, state),
        }),
      );
    for (const name of toolNames)
      parts.add(
        lm.registerTool(
          name,
          lazyTool(async () => (await load()).tools[name]),
        ),
      );
    // Some work begins without a call, as when a window opens on a demo.
    setImmediate(() => {
      if (!this.#hasEnded) load().catch(() => undefined);
    });
  }

  /** Ends everything in an orderly way. The editor may not wait for it, and nothing is lost if it doesn't. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    const host = await this.#host?.catch(() => undefined);
    await host?.end();
    this.#parts.dispose();
  }

  #load(): Promise<Host> {
    return (this.#host ??= this.#compose());
  }

  async #compose(): Promise<Host> {
    try {
      const { compose } = await import('./compose.ts');
      const host = compose(this.#context, this.#view);
      this.#tree.follow(host.tree);
      for (const [scheme, files] of this.#files) files.follow(host.files[scheme]);
      return host;
    } catch (error) {
      // Without a word people would see an empty view and commands that do nothing.
      void sayWhy(error);
      throw error;
    }
  }
}

/** The commands as package.json has them: their rows are too much to wake for. */
function ownCommands({ extension }: ExtensionContext): readonly { command: string; name: CommandName }[] {
  const { contributes } = extension.packageJSON as {
    readonly contributes: { readonly commands: readonly { readonly command: string }[] };
  };
  return contributes.commands.map(({ command }) => ({
    command,
    name: command.slice('beadsmith.'.length) as CommandName,
  }));
}

function lazyTool(load: () => Promise<LanguageModelTool<object>>): LanguageModelTool<object> {
  return {
    prepareInvocation: async (options, token) => (await load()).prepareInvocation?.(options, token),
    invoke: async (options, token) => (await load()).invoke(options, token),
  };
}

async function sayWhy(error: unknown): Promise<void> {
  const reload = l10n.t('Reload Window');
  const reason = error instanceof Error ? error.message : String(error);
  const answer = await window.showErrorMessage(
    l10n.t(
      'Beadsmith could not start: {0} Reload the window. If the problem persists, report it with the log of the extension host.',
      reason,
    ),
    reload,
  );
  if (answer === reload) await commands.executeCommand('workbench.action.reloadWindow');
}
