import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { root } from '../../../.build/paths.mjs';
import type { RequestRecord } from '../../../src/demo/scriptedServer.ts';
import { newProfile, screenshot, startBrowser } from './browser.ts';
import type { TempRepository } from '../git/tempRepository.ts';
import { openScene } from '../scenes/openScene.ts';
import type { Played, PreparedTicket } from '../scenes/preparedTicket.ts';
import type { TicketWorld } from './ticketWorld.ts';
import { until } from '../until.ts';
import { VscodeServer, type VscodeServerOptions, quietEditor } from './vscodeServer.ts';
import { Workbench } from './workbench.ts';

export interface EditorSceneOptions extends VscodeServerOptions, Played {
  readonly tickets?: readonly PreparedTicket[];
  /** Default: yes. */
  readonly window?: boolean;
}

/** A VS Code window with the extension on a real repository, the real OpenCode and the scripted model. */
export class EditorScene {
  readonly #world: TicketWorld;
  readonly #server: VscodeServer;
  readonly #context: BrowserContext;
  readonly #end: () => Promise<void>;
  #workbench: Workbench | undefined;
  #settings: Readonly<Record<string, unknown>> = {};

  private constructor(
    world: TicketWorld,
    server: VscodeServer,
    context: BrowserContext,
    end: () => Promise<void>,
  ) {
    this.#world = world;
    this.#server = server;
    this.#context = context;
    this.#end = end;
  }

  static async start(options: EditorSceneOptions = {}): Promise<EditorScene> {
    const { tickets = [], questions = {}, tasks = {} } = options;
    const ends: (() => Promise<void>)[] = [];
    const end = async (): Promise<void> => {
      const problems: unknown[] = [];
      for (const one of ends.splice(0).reverse()) await one().catch((error: unknown) => problems.push(error));
      if (problems.length > 0)
        throw new AggregateError(problems, `the scene did not end well: ${problems.map(String).join('; ')}`);
    };
    try {
      const editor = await editorFor(options);
      ends.push(() => editor.close());
      const opened = await openScene({ tickets, played: { questions, tasks } }, editor.server.home);
      // Windows end before the repository does.
      ends.unshift(() => opened.end());
      const context = await newProfile(editor.browser, { width: 1280, height: 800 });
      ends.push(() => context.close());
      const scene = new EditorScene(opened.world, editor.server, context, end);
      await scene.#start(options);
      return scene;
    } catch (error) {
      await end();
      throw error;
    }
  }

  get repository(): TempRepository {
    return this.#world.repository;
  }

  get workbench(): Workbench {
    if (!this.#workbench) throw new Error('the scene did not start');
    return this.#workbench;
  }

  get environment(): Readonly<Record<string, string>> {
    return this.#server.environment;
  }

  /** Shows the view, and waits until the window drives. */
  async drive(): Promise<void> {
    await this.workbench.showView();
    await until(() => existsSync(join(this.stateFolder, 'owner.json')), 'the window drives');
  }

  /** With an extension host of its own. */
  async openWindow(folder = this.repository.root): Promise<Workbench> {
    const page = await this.#context.newPage();
    page.setDefaultTimeout(60_000);
    const workbench = new Workbench(page);
    await workbench.open(this.#server.address(folder, root));
    return workbench;
  }

  changeSettings(changes: Readonly<Record<string, unknown>>): void {
    this.#settings = { ...this.#settings, ...changes };
    this.#server.changeSettings(this.#settings);
  }

  cli(...args: readonly string[]): Promise<void> {
    return this.#world.cli(args, this.environment);
  }

  requests(): readonly RequestRecord[] {
    return this.#world.requests();
  }

  bodies(): readonly string[] {
    return this.#world.bodies();
  }

  /**
   * Opens a window whose extension host runs these tests, and waits for its end. `again`: in place of the
   * last one.
   */
  async runTests(tests: string, limitMs: number, which: 'new' | 'again' = 'new'): Promise<void> {
    const page = which === 'again' ? this.workbench.page : await this.#context.newPage();
    const ended = Promise.withResolvers<undefined>();
    const timer = setTimeout(
      () => ended.reject(new Error(`the tests took longer than ${String(limitMs)} ms\n${this.output}`)),
      limitMs,
    );
    try {
      // As VS Code's own launcher of tests does.
      await page.exposeFunction('codeAutomationLog', () => undefined);
      await page.exposeFunction('codeAutomationExit', () => ended.resolve(undefined));
      await page.goto(this.#server.address(this.repository.root, root, tests));
      await ended.promise;
    } catch (error) {
      await screenshot(page, 'failed-host');
      throw error;
    } finally {
      clearTimeout(timer);
      await page.close();
    }
  }

  get output(): string {
    return this.#server.output;
  }

  get stateFolder(): string {
    return this.#world.stateFolder;
  }

  end(): Promise<void> {
    return this.#end();
  }

  async #start({ settings, vsix, window = true }: EditorSceneOptions): Promise<void> {
    this.changeSettings({ ...this.#world.settings, ...quietEditor, ...settings });
    if (!window) return;
    const page = await this.#context.newPage();
    page.setDefaultTimeout(60_000);
    this.#workbench = new Workbench(page);
    // What is installed needs no path.
    await this.#workbench.open(
      this.#server.address(this.repository.root, vsix === undefined ? root : undefined),
    );
  }
}

/** `close` ends what one test opened. */
interface Editor {
  readonly server: VscodeServer;
  readonly browser: Browser;
  close(): Promise<void>;
}

let shared: Promise<Editor> | undefined;

/**
 * One editor for all test files of this mocha process, because another window costs a fifth less than a new
 * editor. A scene that wants something special gets an editor of its own.
 */
async function editorFor(options: VscodeServerOptions): Promise<Editor> {
  const { version, env, trusted, vsix } = options;
  const isPlain = version === undefined && env === undefined && trusted !== false && vsix === undefined;
  if (!isPlain || typeof globalThis.after !== 'function') return ownEditor(options);
  shared ??= ownEditor({});
  const { server, browser } = await shared;
  return { server, browser, close: () => server.endWindows() };
}

async function ownEditor(options: VscodeServerOptions): Promise<Editor> {
  const server = await VscodeServer.start(options);
  try {
    const browser = await startBrowser();
    const close = async (): Promise<void> => {
      try {
        await browser.close();
      } finally {
        await server.stop();
      }
    };
    return { server, browser, close };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

// A hook of the root suite is the last thing that happens.
if (typeof globalThis.after === 'function')
  after(async function () {
    this.timeout(60_000);
    await (await shared)?.close();
  });
