import {
  commands,
  type ExtensionContext,
  l10n,
  lm,
  type LanguageModelTool,
  type TreeView,
  window,
  EventEmitter,
  type TreeDataProvider,
  type TreeItem,
  type FileChangeEvent,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  type FileType,
  type Uri,
  workspace,
} from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { earlierPageTypes, pageType } from '../protocol/pages/pageNames.ts';
import {
  blobScheme,
  documentScheme,
  draftScheme,
  promptScheme,
  type Scheme,
  supportScheme,
} from '../protocol/schemes.ts';
import { toolNames } from '../views/chat/toolNames.ts';
import type { CommandName } from '../views/commands/commands.ts';
import { draggedType, ticketsViewId } from '../views/tickets/ticketsViewId.ts';
import type { Node } from '../views/tickets/tree/nodes.ts';
import type { Host } from './compose.ts';
import type { TicketsTree } from '../views/tickets/tree/ticketsTree.ts';
import type { OwnFiles } from './files/ownFiles.ts';

const schemes = [
  { scheme: documentScheme, isReadonly: false },
  { scheme: blobScheme, isReadonly: true },
  { scheme: promptScheme, isReadonly: true },
  { scheme: supportScheme, isReadonly: true },
  { scheme: draftScheme, isReadonly: false },
] as const;

/**
 * Registers everything with the editor, and loads the rest with the first call, because extensions wake one
 * by one. Imports here must be small: no zod, no work.
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
      window.createTreeView(ticketsViewId, {
        treeDataProvider: this.#tree,
        showCollapseAll: true,
        dragAndDropController: {
          dragMimeTypes: [draggedType],
          dropMimeTypes: [draggedType],
          handleDrag: async (nodes, data) => (await load()).drag.handleDrag(nodes, data),
          handleDrop: async (target, data) => (await load()).drag.handleDrop(target, data),
        },
      }),
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
    for (const type of [pageType, ...earlierPageTypes])
      parts.add(
        window.registerWebviewPanelSerializer(type, {
          deserializeWebviewPanel: async (panel, state) => (await load()).restorePage(panel, state),
        }),
      );
    for (const name of toolNames)
      parts.add(
        lm.registerTool(
          name,
          lazyTool(async () => (await load()).tools[name]),
        ),
      );
    // Some work needs no call, as in a demo's window.
    setImmediate(() => {
      if (!this.#hasEnded) load().catch(() => undefined);
    });
  }

  /** The editor may not wait; then nothing is lost. */
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
      // Else people see an empty view and dead commands.
      void sayWhy(error);
      throw error;
    }
  }
}

/** From package.json: their rows are too much to load. */
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

/**
 * The tree, loaded on demand. It implements all optional methods, because the editor silently skips missing
 * ones.
 */
export class LazyTree implements Required<TreeDataProvider<Node>>, Disposable {
  readonly #load: () => Promise<TicketsTree>;
  readonly #changed = new EventEmitter<Node | Node[] | undefined>();
  readonly #lifetime = new DisposableStore();
  #tree: TicketsTree | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(load: () => Promise<TicketsTree>) {
    this.#load = load;
    this.#lifetime.add(this.#changed);
  }

  follow(tree: TicketsTree): void {
    this.#tree = tree;
    this.#lifetime.add(tree.onDidChangeTreeData((nodes) => this.#changed.fire(nodes)));
  }

  async getChildren(node?: Node): Promise<Node[]> {
    return (this.#tree ?? (await this.#load())).getChildren(node);
  }

  getTreeItem(node: Node): TreeItem {
    return this.#loaded.getTreeItem(node);
  }

  resolveTreeItem(item: TreeItem, node: Node): TreeItem {
    return this.#loaded.resolveTreeItem(item, node);
  }

  getParent(node: Node): Node | undefined {
    return this.#loaded.getParent(node);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  get #loaded(): TicketsTree {
    if (!this.#tree) throw new Error('There are no rows yet.');
    return this.#tree;
  }
}

/** One scheme's files, loaded on demand. Changes are reported without `watch`. */
export class LazyFiles implements FileSystemProvider, Disposable {
  readonly #load: () => Promise<OwnFiles>;
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  readonly #lifetime = new DisposableStore();

  readonly onDidChangeFile = this.#changed.event;

  constructor(scheme: string, options: { readonly isReadonly: boolean }, load: () => Promise<OwnFiles>) {
    this.#load = load;
    this.#lifetime.add(this.#changed);
    this.#lifetime.add(
      workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true, ...options }),
    );
  }

  follow(files: OwnFiles): void {
    this.#lifetime.add(files.onDidChangeFile((changes) => this.#changed.fire(changes)));
  }

  async stat(uri: Uri): Promise<FileStat> {
    return (await this.#load()).stat(uri);
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    return (await this.#load()).readFile(uri);
  }

  async readDirectory(uri: Uri): Promise<[string, FileType][]> {
    return (await this.#load()).readDirectory(uri);
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    await (await this.#load()).writeFile(uri, content);
  }

  watch(): Disposable {
    return { dispose: () => undefined };
  }

  createDirectory(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  delete(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  rename(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
