import { Emitter } from '../../../src/base/emitter.ts';
import { StatusBarItem } from './fakeParts.ts';
import { moreOfEnv, moreOfWindow, moreOfWorkspace, ownWindow, registerCommand } from './fakeWindow.ts';

export * from './fakeParts.ts';
export * from './fakeScm.ts';
export * from './fakeTests.ts';
export * from './fakeWindow.ts';

/**
 * As much of `vscode` as the views use, for unit tests: `import ... from 'vscode'` leads here
 * (test/support/fakes/editorHook.mjs). Nothing is drawn: a test says beforehand what the person will answer
 * (`editor.will`), and looks afterwards at what was asked and done.
 */

/** Picks items, presses a button of one, writes a text, presses a button by number, goes back, or leaves. */
type Answer =
  | { readonly pick: (item: Item) => boolean }
  | { readonly pressOf: unknown }
  | { readonly write: string }
  | { readonly press: number }
  | 'cancel'
  | 'back'
  | 'leave';

interface Item {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly picked?: boolean;
  readonly value?: unknown;
  readonly buttons?: readonly { readonly tooltip?: string }[];
}

interface Shown {
  readonly kind: 'pick' | 'input' | 'information' | 'warning' | 'error' | 'progress';
  readonly text: string;
  readonly detail: string;
  readonly items: readonly Item[];
  readonly buttons: readonly string[];
}

class FakeEditor {
  readonly shown: Shown[] = [];
  readonly refusals: string[] = [];
  readonly said: string[] = [];
  readonly ran: (readonly unknown[])[] = [];
  readonly opened: string[] = [];
  readonly selected: unknown[] = [];
  readonly answers = new Map<string, unknown>();
  clipboard = '';
  statusBar: StatusBarItem | undefined;
  #answers: Answer[] = [];

  will(...answers: readonly Answer[]): void {
    this.#answers.push(...answers);
  }

  get left(): number {
    return this.#answers.length;
  }

  reset(): void {
    for (const list of [this.shown, this.refusals, this.said, this.ran, this.opened, this.selected])
      list.length = 0;
    this.answers.clear();
    this.#answers = [];
    this.clipboard = '';
    workspace.textDocuments = [];
    window.tabGroups.all = [];
    window.tabGroups.activeTabGroup.activeTab = undefined;
    window.state = { focused: true };
    window.activeTextEditor = undefined;
    window.visibleTextEditors = [];
    this.statusBar = undefined;
    ownWindow.reset();
  }

  ask(shown: Partial<Shown> & Pick<Shown, 'kind' | 'text'>): Answer {
    this.shown.push({ detail: '', items: [], buttons: [], ...shown });
    const answer = this.#answers.shift();
    if (answer === undefined)
      throw new Error(`The test doesn't say what the person does about "${shown.text}"`);
    return answer;
  }

  tell(shown: Partial<Shown> & Pick<Shown, 'kind' | 'text'>): Answer | undefined {
    this.shown.push({ detail: '', items: [], buttons: [], ...shown });
    return this.#answers.shift();
  }
}

export const editor = new FakeEditor();

// Each test begins with a window in which nothing happened yet.
beforeEach(() => editor.reset());

/** For `editor.will`. `value`: what the choice stands for. */
export const person = {
  picks: (...values: readonly unknown[]): Answer => ({ pick: ({ value }) => values.includes(value) }),
  picksWhere: (pick: (item: Item) => boolean): Answer => ({ pick }),
  pressesButtonOf: (pressOf: unknown): Answer => ({ pressOf }),
  writes: (write: string): Answer => ({ write }),
  presses: (press: number): Answer => ({ press }),
};

abstract class QuickInput {
  title = '';
  placeholder = '';
  prompt = '';
  step: number | undefined;
  totalSteps: number | undefined;
  ignoreFocusOut = false;
  buttons: readonly unknown[] = [];
  readonly #accepted = new Emitter<void>();
  readonly #hidden = new Emitter<void>();
  readonly #pressed = new Emitter<unknown>();
  readonly onDidAccept = this.#accepted.on;
  readonly onDidHide = this.#hidden.on;
  readonly onDidTriggerButton = this.#pressed.on;

  show(): void {
    queueMicrotask(() => this.ask());
  }

  dispose(): void {}

  protected abstract ask(): void;

  protected leaves(answer: Answer): boolean {
    if (answer === 'leave') this.#hidden.emit();
    else if (answer === 'back') this.#pressed.emit(QuickInputButtons.Back);
    else return false;
    return true;
  }

  protected accept(): void {
    this.#accepted.emit();
  }
}

class QuickPick extends QuickInput {
  #items: readonly Item[] = [];
  selectedItems: readonly Item[] = [];
  canSelectMany = false;
  matchOnDescription = false;
  matchOnDetail = false;
  keepScrollPosition = false;
  activeItems: readonly Item[] = [];
  get items(): readonly Item[] {
    return this.#items;
  }

  /** Nothing is checked after that. */
  set items(items: readonly Item[]) {
    this.#items = items;
    this.selectedItems = [];
  }

  readonly #pressed = new Emitter<{ readonly item: Item }>();
  readonly onDidTriggerItemButton = this.#pressed.on;

  protected ask(): void {
    const answer = editor.ask({
      kind: 'pick',
      text: this.title,
      detail: this.placeholder,
      items: this.canSelectMany
        ? this.items.map((item) => ({ ...item, picked: this.selectedItems.includes(item) }))
        : this.items,
    });
    if (this.leaves(answer)) return;
    if (typeof answer === 'object' && 'pressOf' in answer) {
      const item = this.items.find(({ value }) => value === answer.pressOf);
      if (!item?.buttons?.length) throw new Error(`"${this.title}" has no such button`);
      this.#pressed.emit({ item });
      setImmediate(() => this.ask());
      return;
    }
    if (typeof answer !== 'object' || !('pick' in answer))
      throw new Error(`The person can't answer ${JSON.stringify(answer)} to "${this.title}"`);
    this.selectedItems = this.items.filter(answer.pick);
    if (!this.canSelectMany && this.selectedItems.length !== 1)
      throw new Error(`"${this.title}" offers ${this.items.map(({ label }) => label).join(', ')}`);
    this.accept();
  }
}

class InputBox extends QuickInput {
  value = '';
  password = false;
  validationMessage = '';

  protected ask(): void {
    const answer = editor.ask({
      kind: 'input',
      text: this.title,
      detail: this.prompt,
      items: [{ label: this.value, description: this.placeholder }],
    });
    if (this.leaves(answer)) return;
    if (typeof answer !== 'object' || !('write' in answer))
      throw new Error(`The person can't answer ${JSON.stringify(answer)} to "${this.title}"`);
    this.value = answer.write;
    this.accept();
    if (this.validationMessage === '') return;
    editor.refusals.push(this.validationMessage);
    this.ask();
  }
}

interface MessageOptions {
  readonly modal?: boolean;
  readonly detail?: string;
}

function message(
  kind: 'information' | 'warning' | 'error',
  text: string,
  ...rest: readonly (string | MessageOptions)[]
): Promise<string | undefined> {
  const buttons = rest.filter((part) => typeof part === 'string');
  const [options] = rest.filter((part) => typeof part === 'object');
  const shown = { kind, text, detail: options?.detail ?? '', buttons };
  const answer = buttons.length > 0 || options?.modal === true ? editor.ask(shown) : editor.tell(shown);
  return Promise.resolve(typeof answer === 'object' && 'press' in answer ? buttons[answer.press] : undefined);
}

interface TerminalOptions {
  readonly name: string;
  readonly cwd?: Uri;
  readonly shellPath?: string;
  readonly shellArgs?: readonly string[];
}

interface Terminal {
  exitStatus: { readonly code: number | undefined } | undefined;
  show(): void;
  sendText(text: string, runsIt: boolean): void;
}

const terminalClosed = new Emitter<Terminal>();
let terminal: Terminal | undefined;

/** The one that was shown last. `code`: of its program, if that ended by itself. */
export function endTerminal(code: number | undefined): void {
  if (!terminal) throw new Error('No terminal was shown.');
  terminal.exitStatus = { code };
  terminalClosed.emit(terminal);
}

interface Token {
  readonly isCancellationRequested: boolean;
  readonly onCancellationRequested: (listener: () => void) => { dispose(): void };
}

export const window = {
  ...moreOfWindow,
  createQuickPick: (): QuickPick => new QuickPick(),
  createInputBox: (): InputBox => new InputBox(),
  showInformationMessage: message.bind(undefined, 'information'),
  showWarningMessage: message.bind(undefined, 'warning'),
  showErrorMessage: message.bind(undefined, 'error'),
  tabGroups: {
    all: [] as { readonly viewColumn: number; readonly tabs: readonly { readonly input: unknown }[] }[],
    activeTabGroup: { activeTab: undefined as { readonly input: unknown } | undefined },
    close: (closed: readonly { readonly input: unknown }[]): Promise<boolean> => {
      const uris = closed.map(({ input }) => (input instanceof TabInputText ? input.uri.toString() : ''));
      if (workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uris.includes(uri.toString())))
        throw new Error('The editor asks whether to save');
      window.tabGroups.all = window.tabGroups.all.map((group) => ({
        ...group,
        tabs: group.tabs.filter((tab) => !closed.includes(tab)),
      }));
      return Promise.resolve(true);
    },
  },
  showTextDocument: (
    { uri }: { readonly uri: Uri },
    options: { readonly preserveFocus?: boolean; readonly selection?: unknown } = {},
  ): Promise<void> => {
    editor.selected.push(options.selection);
    editor.opened.push(`${uri.toString()}${options.preserveFocus === true ? '' : ' focused'}`);
    return Promise.resolve();
  },
  state: { focused: true },
  activeTextEditor: undefined as
    | {
        readonly document: {
          readonly uri: Uri;
          readonly languageId?: string;
          readonly getText?: () => string;
        };
      }
    | undefined,
  visibleTextEditors: [] as { readonly document: { readonly uri: Uri } }[],
  createStatusBarItem: (): StatusBarItem => (editor.statusBar = new StatusBarItem()),
  onDidCloseTerminal: terminalClosed.on,
  createTerminal: ({ name, cwd, shellPath, shellArgs = [] }: TerminalOptions): Terminal => {
    const made: Terminal = {
      exitStatus: undefined,
      show: () => {
        terminal = made;
        const program = shellPath === undefined ? [] : [shellPath, ...shellArgs];
        editor.ran.push(['terminal', name, ...(cwd ? [cwd.path] : []), ...program]);
      },
      sendText: (text, runsIt) => void editor.ran.push(['typed', text, runsIt]),
    };
    return made;
  },
  setStatusBarMessage: (text: string): { dispose(): void } => {
    editor.said.push(text);
    return { dispose: () => undefined };
  },
  /** Work continues until it ends, unless the person cancels it. */
  withProgress: <T>(
    options: { readonly title: string },
    work: (progress: { report(): void }, token: Token) => Promise<T>,
  ): Promise<T> => {
    const canceled = new Emitter<void>();
    editor.shown.push({ kind: 'progress', text: options.title, detail: '', items: [], buttons: [] });
    const running = work(
      { report: () => undefined },
      { isCancellationRequested: false, onCancellationRequested: canceled.on },
    );
    cancelProgress = () => canceled.emit();
    return running;
  },
};

let cancelProgress: () => void = () => undefined;

export function cancelWork(): void {
  cancelProgress();
}

export const commands = {
  registerCommand,
  executeCommand: (...command: readonly unknown[]): Promise<unknown> => {
    editor.ran.push(command);
    return Promise.resolve(editor.answers.get(String(command[0])));
  },
};

export const env = {
  ...moreOfEnv,
  clipboard: {
    writeText: (text: string): Promise<void> => {
      editor.clipboard = text;
      return Promise.resolve();
    },
  },
  openExternal: (address: { toString(): string }): Promise<boolean> => {
    editor.opened.push(address.toString());
    return Promise.resolve(true);
  },
};

export const l10n = {
  t: (
    text: string | { readonly message: string; readonly args?: readonly unknown[] },
    ...args: readonly unknown[]
  ): string => {
    const template = typeof text === 'string' ? text : text.message;
    const given = typeof text === 'string' ? args : (text.args ?? []);
    // By number, or by name in one object.
    const [first] = given;
    const values = new Map(
      Object.entries(typeof first === 'object' && first !== null ? first : given).map(([name, value]) => [
        name,
        String(value),
      ]),
    );
    return template.replaceAll(/\{(\w+)\}/g, (hole, name: string) => values.get(name) ?? hole);
  },
};

export interface OpenDocument {
  readonly uri: Uri;
  readonly isDirty: boolean;
  save(): Promise<boolean>;
}

export const workspace = Object.assign(moreOfWorkspace, {
  textDocuments: [] as OpenDocument[],
  openTextDocument: (uri: Uri): Promise<{ readonly uri: Uri }> => Promise.resolve({ uri }),
  /** Of documents that a test can edit (`FakeDocument`). */
  applyEdit: ({ edits }: WorkspaceEdit): Promise<boolean> => {
    for (const { uri, text } of edits)
      for (const document of workspace.textDocuments)
        if (document.uri.toString() === uri.toString() && 'write' in document)
          (document as OpenDocument & { write(text: string): void }).write(text);
    return Promise.resolve(true);
  },
});

/** Replaces whole documents. */
export class WorkspaceEdit {
  readonly edits: { readonly uri: Uri; readonly text: string }[] = [];

  replace(uri: Uri, _range: unknown, text: string): void {
    this.edits.push({ uri, text });
  }
}

interface Address {
  readonly scheme: string;
  readonly authority?: string;
  readonly path?: string;
  readonly query?: string;
  readonly fragment?: string;
}

export class Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;

  private constructor({ scheme, authority = '', path = '', query = '', fragment = '' }: Address) {
    this.scheme = scheme;
    this.authority = authority;
    this.path = path;
    this.query = query;
    this.fragment = fragment;
  }

  static from(address: Address): Uri {
    return new Uri(address);
  }

  static file(path: string): Uri {
    return new Uri({ scheme: 'file', path });
  }

  static parse(text: string): Uri {
    const { protocol, host, pathname, search, hash } = new URL(text);
    const [query, fragment] = [search.slice(1), hash.slice(1)];
    return new Uri({
      scheme: protocol.slice(0, -1),
      authority: host,
      path: decodeURIComponent(pathname),
      query,
      fragment,
    });
  }

  static joinPath(base: Uri, ...parts: readonly string[]): Uri {
    return base.with({ path: [base.path, ...parts].join('/') });
  }

  get fsPath(): string {
    return this.path;
  }

  with(change: Partial<Address>): Uri {
    const { scheme, authority, path, query, fragment } = this;
    return new Uri({ scheme, authority, path, query, fragment, ...change });
  }

  toString(): string {
    const rest = [this.query === '' ? '' : `?${this.query}`, this.fragment === '' ? '' : `#${this.fragment}`];
    return `${this.scheme}://${this.authority}${this.path}${rest.join('')}`;
  }
}

export class TabInputText {
  readonly uri: Uri;
  constructor(uri: Uri) {
    this.uri = uri;
  }
}

export class TabInputCustom extends TabInputText {}

export class TabInputTextDiff {
  readonly original: Uri;
  readonly modified: Uri;
  constructor(original: Uri, modified: Uri) {
    this.original = original;
    this.modified = modified;
  }
}

export const StatusBarAlignment = { Left: 1, Right: 2 };
export const CommentMode = { Editing: 0, Preview: 1 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const QuickInputButtons = { Back: { iconPath: 'back' } };
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 };
export const ViewColumn = { Active: -1, Beside: -2, One: 1 };
