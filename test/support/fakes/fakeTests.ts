import { Emitter } from '../../../src/base/emitter.ts';

/** Part of the fake `vscode` (fakeEditor.ts): the Test Explorer. */
class TestItems {
  readonly #items = new Map<string, TestItem>();

  add(item: TestItem): void {
    this.#items.set(item.id, item);
  }

  delete(id: string): void {
    this.#items.delete(id);
  }

  get(id: string): TestItem | undefined {
    return this.#items.get(id);
  }

  replace(items: readonly TestItem[]): void {
    this.#items.clear();
    for (const item of items) this.add(item);
  }

  get all(): readonly TestItem[] {
    return [...this.#items.values()];
  }
}

export class TestItem {
  readonly id: string;
  label: string;
  canResolveChildren = false;
  tags: readonly TestTag[] = [];
  readonly children = new TestItems();

  constructor(id: string, label: string) {
    this.id = id;
    this.label = label;
  }
}

export class TestTag {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export class TestMessage {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export class TestRunRequest {
  readonly include: readonly TestItem[] | undefined;
  readonly exclude: readonly TestItem[] | undefined;
  readonly preserveFocus: boolean;
  constructor(
    include?: readonly TestItem[],
    exclude?: readonly TestItem[],
    _profile?: unknown,
    _continuous?: boolean,
    preserveFocus = true,
  ) {
    this.include = include;
    this.exclude = exclude;
    this.preserveFocus = preserveFocus;
  }
}

class TestRun {
  /** What happened to which item, in order. */
  readonly told: string[] = [];
  output = '';
  isEnded = false;
  readonly request: TestRunRequest;
  readonly name: string | undefined;
  readonly persist: boolean;
  readonly #canceled = new Emitter<void>();
  readonly token = {
    isCancellationRequested: false,
    onCancellationRequested: this.#canceled.on,
  };

  constructor(request: TestRunRequest, name: string | undefined, persist: boolean) {
    this.request = request;
    this.name = name;
    this.persist = persist;
  }

  cancel(): void {
    this.token.isCancellationRequested = true;
    this.#canceled.emit();
  }

  enqueued(): void {}
  started({ label }: TestItem): void {
    this.told.push(`started ${label}`);
  }
  passed({ label }: TestItem, ms?: number): void {
    this.told.push(`passed ${label} ${String(ms)}`);
  }
  failed({ label }: TestItem, { message }: TestMessage, ms?: number): void {
    this.told.push(`failed ${label} ${String(ms)}: ${message}`);
  }
  errored({ label }: TestItem, { message }: TestMessage): void {
    this.told.push(`errored ${label}: ${message}`);
  }
  skipped({ label }: TestItem): void {
    this.told.push(`skipped ${label}`);
  }
  appendOutput(text: string): void {
    this.output += text;
  }
  end(): void {
    this.isEnded = true;
  }
}

class TestController {
  readonly items = new TestItems();
  readonly runs: TestRun[] = [];
  resolveHandler: ((item: TestItem | undefined) => unknown) | undefined;
  run: (request: TestRunRequest) => Promise<void> = () => Promise.reject(new Error('There is no profile.'));
  isDefault = true;
  debug: (request: TestRunRequest) => Promise<void> = () => Promise.reject(new Error('There is no profile.'));
  debugTag: string | undefined;

  createTestItem(id: string, label: string): TestItem {
    return new TestItem(id, label);
  }

  createRunProfile(
    _label: string,
    kind: number,
    run: (request: TestRunRequest) => Promise<void>,
    isDefault: boolean,
    tag?: TestTag,
  ): void {
    this.isDefault = isDefault;
    if (kind === TestRunProfileKind.Run) this.run = run;
    else [this.debug, this.debugTag] = [run, tag?.id];
  }

  createTestRun(request: TestRunRequest, name?: string, persist = true): TestRun {
    const run = new TestRun(request, name, persist);
    this.runs.push(run);
    return run;
  }

  dispose(): void {
    this.items.replace([]);
  }
}

export const TestRunProfileKind = { Run: 1, Debug: 2, Coverage: 3 };

/** The last one that was made. */
export let testController = new TestController();

export const tests = {
  createTestController: (): TestController => (testController = new TestController()),
};

interface DebugSession {
  readonly id: string;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly parentSession?: DebugSession;
}

/** The debugger: a test starts and ends what runs below the terminal. */
class FakeDebugger {
  readonly #started = new Emitter<DebugSession>();
  readonly #ended = new Emitter<DebugSession>();
  isThere = true;
  readonly terminals: DebugSession[] = [];
  readonly stopped: DebugSession[] = [];
  readonly onDidStartDebugSession = this.#started.on;
  readonly onDidTerminateDebugSession = this.#ended.on;

  startDebugging(_folder: unknown, configuration: DebugSession['configuration']): Promise<boolean> {
    const session = { id: `terminal ${String(this.terminals.length)}`, configuration };
    this.terminals.push(session);
    this.#started.emit(session);
    return Promise.resolve(true);
  }

  stopDebugging(session: DebugSession): Promise<void> {
    this.stopped.push(session);
    this.#ended.emit(session);
    return Promise.resolve();
  }

  starts(id: string): DebugSession {
    const session = { id, configuration: {}, parentSession: this.terminals.at(-1)! };
    this.#started.emit(session);
    return session;
  }

  ends(session: DebugSession): void {
    this.#ended.emit(session);
  }

  reset(): void {
    this.isThere = true;
    this.terminals.length = 0;
    this.stopped.length = 0;
  }
}

export const debug = new FakeDebugger();

export const extensions = {
  getExtension: (id: string): object | undefined =>
    debug.isThere && id === 'ms-vscode.js-debug' ? {} : undefined,
};
