import { Emitter } from '../../../src/base/emitter.ts';
import { isRecord } from '../../../src/base/json.ts';
import { manifestSettings } from '../manifestSettings.ts';
import type { Uri } from './fakeEditor.ts';

/** Part of the fake `vscode` (fakeEditor.ts): what only the wiring of the extension uses. */
export class EventEmitter<T> {
  readonly #emitter = new Emitter<T>();
  readonly event = this.#emitter.on;
  fire(value: T): void {
    this.#emitter.emit(value);
  }
  dispose(): void {}
}

export class CancellationError extends Error {}

export class FileSystemError extends Error {
  readonly code: string;
  constructor(message: string | Uri = '', code = 'Unknown') {
    super(String(message));
    this.code = code;
  }
  static readonly FileNotFound = (uri?: Uri): FileSystemError => new FileSystemError(uri, 'FileNotFound');
  static readonly NoPermissions = (uri?: Uri): FileSystemError => new FileSystemError(uri, 'NoPermissions');
  static readonly Unavailable = (message?: string): FileSystemError =>
    new FileSystemError(message, 'Unavailable');
}

export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };
export const FilePermission = { Readonly: 1 };
export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 };
export const TextDocumentSaveReason = { Manual: 1, AfterDelay: 2, FocusOut: 3 };
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };
export const UIKind = { Desktop: 1, Web: 2 };
export const version = '1.105.0';

export class DocumentLink {
  readonly range: unknown;
  readonly target: Uri;
  constructor(range: unknown, target: Uri) {
    this.range = range;
    this.target = target;
  }
}

interface Scoped {
  global?: unknown;
  workspace?: unknown;
  folder?: unknown;
}

const defaults = manifestSettings();

/** Settings by their full names, trust, folders, what the extension registered, and what can happen. */
export class FakeWindow {
  /** Tokens by provider; without one a person doesn't sign in. */
  readonly accounts = new Map<string, string>();
  /** Requests for a token so far: whether the person is asked to sign in. */
  asksToSignIn: boolean[] = [];
  readonly settings = new Map<string, Scoped>();
  isTrusted = true;
  /** Types of files, by their paths. */
  readonly onDisk = new Map<string, number>();
  folders: readonly { readonly uri: Uri }[] = [];
  /** By their names. */
  readonly registered = new Map<string, unknown>();
  readonly closed = new Emitter<{ readonly uri: Uri }>();
  readonly edited = new Emitter<{ readonly document: unknown }>();
  readonly saving = new Emitter<{ readonly document: { readonly uri: Uri }; readonly reason: number }>();
  readonly openedDocument = new Emitter<{ readonly uri: Uri }>();
  readonly trusted = new Emitter<void>();
  readonly foldersChanged = new Emitter<void>();
  readonly settingsChanged = new Emitter<{ affectsConfiguration(name: string): boolean }>();
  readonly focused = new Emitter<{ readonly focused: boolean }>();
  readonly activated = new Emitter<unknown>();
  readonly lines: string[] = [];

  set(name: string, value: unknown, scope: keyof Scoped = 'global'): void {
    this.settings.set(name, { ...this.settings.get(name), [scope]: value });
  }

  reset(): void {
    this.settings.clear();
    this.registered.clear();
    this.isTrusted = true;
    this.onDisk.clear();
    this.folders = [];
    this.lines.length = 0;
  }

  changes(name: string): void {
    this.settingsChanged.emit({
      affectsConfiguration: (asked) => name === asked || name.startsWith(`${asked}.`),
    });
  }

  async run(command: string, ...args: readonly unknown[]): Promise<unknown> {
    const found = this.registered.get(`command ${command}`) as
      ((...args: readonly unknown[]) => unknown) | undefined;
    if (!found) throw new Error(`There is no command ${command}`);
    return found(...args);
  }

  register(name: string, what: unknown): { dispose(): void } {
    this.registered.set(name, what);
    return { dispose: () => void this.registered.delete(name) };
  }
}

export const ownWindow = new FakeWindow();

export const authentication = {
  getSession: async (
    provider: string,
    _scopes: readonly string[],
    { createIfNone = false }: { readonly createIfNone?: boolean },
  ): Promise<object | undefined> => {
    ownWindow.asksToSignIn.push(createIfNone);
    const accessToken = ownWindow.accounts.get(provider);
    if (accessToken === undefined && !createIfNone) return undefined;
    if (accessToken === undefined) throw new Error('User did not consent to login.');
    return { accessToken };
  },
};

class Configuration {
  readonly #prefix: string;
  constructor(section?: string) {
    this.#prefix = section === undefined ? '' : `${section}.`;
  }

  get(name: string): unknown {
    const { global, workspace, folder } = this.#found(name);
    const usual = defaults[`${this.#prefix}${name}`]?.['default'];
    const value = folder ?? workspace ?? global ?? usual;
    // The editor fills in what an object leaves out.
    return isRecord(usual) && isRecord(value) ? { ...usual, ...value } : value;
  }

  inspect(name: string): { globalValue: unknown; workspaceValue: unknown; workspaceFolderValue: unknown } {
    const { global, workspace, folder } = this.#found(name);
    return { globalValue: global, workspaceValue: workspace, workspaceFolderValue: folder };
  }

  update(name: string, value: unknown, target: number): Promise<void> {
    ownWindow.set(
      `${this.#prefix}${name}`,
      value,
      target === ConfigurationTarget.Global ? 'global' : 'workspace',
    );
    return Promise.resolve();
  }

  #found(name: string): Scoped {
    return ownWindow.settings.get(`${this.#prefix}${name}`) ?? {};
  }
}

export const moreOfWorkspace = {
  fs: {
    stat: ({ path }: Uri): Promise<{ readonly type: number }> => {
      const type = ownWindow.onDisk.get(path);
      return type === undefined ? Promise.reject(FileSystemError.FileNotFound()) : Promise.resolve({ type });
    },
  },
  getConfiguration: (section?: string): Configuration => new Configuration(section),
  onDidCloseTextDocument: ownWindow.closed.on,
  onDidChangeTextDocument: ownWindow.edited.on,
  onWillSaveTextDocument: ownWindow.saving.on,
  onDidOpenTextDocument: ownWindow.openedDocument.on,
  onDidGrantWorkspaceTrust: ownWindow.trusted.on,
  onDidChangeWorkspaceFolders: ownWindow.foldersChanged.on,
  onDidChangeConfiguration: ownWindow.settingsChanged.on,
  registerFileSystemProvider: (scheme: string, provider: unknown, options: unknown): { dispose(): void } =>
    ownWindow.register(`files ${scheme}`, { provider, options }),
  get isTrusted(): boolean {
    return ownWindow.isTrusted;
  },
  get workspaceFolders(): readonly { readonly uri: Uri }[] {
    return ownWindow.folders;
  },
};

export const moreOfWindow = {
  createTreeView: (id: string, options: { readonly treeDataProvider: unknown }): object => ({
    ...ownWindow.register(`tree ${id}`, options.treeDataProvider),
    visible: true,
    onDidExpandElement: new Emitter<unknown>().on,
    onDidCollapseElement: new Emitter<unknown>().on,
    onDidChangeCheckboxState: new Emitter<unknown>().on,
    onDidChangeVisibility: new Emitter<unknown>().on,
  }),
  createOutputChannel: (): object => new LogChannel(),
  onDidChangeWindowState: ownWindow.focused.on,
  onDidChangeActiveTextEditor: ownWindow.activated.on,
  registerFileDecorationProvider: (provider: unknown): { dispose(): void } =>
    ownWindow.register('decorations', provider),
  registerWebviewPanelSerializer: (type: string, serializer: unknown): { dispose(): void } =>
    ownWindow.register(`page ${type}`, serializer),
};

class LogChannel {
  readonly name = 'Beadsmith';
  readonly logLevel = 3;
  readonly info = this.#at('info');
  readonly warn = this.#at('warn');
  readonly error = this.#at('error');
  readonly debug = this.#at('debug');
  readonly trace = this.#at('trace');
  show(): void {
    ownWindow.lines.push('shown');
  }
  dispose(): void {}
  #at(level: string): (text: string) => void {
    return (text) => ownWindow.lines.push(`${level} ${text}`);
  }
}

export const registerCommand = (id: string, run: unknown): { dispose(): void } =>
  ownWindow.register(`command ${id}`, run);

export const lm = {
  registerTool: (name: string, tool: unknown): { dispose(): void } =>
    ownWindow.register(`tool ${name}`, tool),
};

export const languages = {
  registerDocumentLinkProvider: (
    selector: { readonly scheme: string },
    provider: unknown,
  ): { dispose(): void } => ownWindow.register(`links ${selector.scheme}`, provider),
  registerCodeActionsProvider: (_selector: unknown, provider: unknown): { dispose(): void } =>
    ownWindow.register('code actions', provider),
  registerCodeLensProvider: (selector: { readonly scheme: string }, provider: unknown): { dispose(): void } =>
    ownWindow.register(`codeLenses ${selector.scheme}`, provider),
  /** By address, as `problems <name>`. */
  createDiagnosticCollection: (name: string): object => {
    const problems = new Map<string, readonly unknown[]>();
    return {
      ...ownWindow.register(`problems ${name}`, problems),
      set: (uri: Uri, found: readonly unknown[]) => problems.set(uri.toString(), found),
      delete: (uri: Uri) => problems.delete(uri.toString()),
    };
  },
};

export const moreOfEnv = {
  appName: 'Code',
  appHost: 'desktop',
  uiKind: UIKind.Desktop,
  language: 'en',
  remoteName: undefined as string | undefined,
};
