import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { screenshot, startBrowser } from '../../support/editor/browser.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import { TicketWorld } from '../../support/editor/ticketWorld.ts';
import { until } from '../../support/until.ts';
import { quietEditor, VscodeServer } from '../../support/editor/vscodeServer.ts';
import { Workbench } from '../../support/editor/workbench.ts';
import { inspectedCalls, inspectedTicket } from './inspectorPage.ts';
import { watchPages } from './pageWatch.ts';
import { Probe, writeProbe } from './probe.ts';
import { seedCalls, seedTickets } from './seedTickets.ts';

export const ticketCount = 10_000;

interface BenchEditorOptions {
  readonly vsix: string;
  /** The probe's trees have as many rows as ours. */
  readonly rows: readonly number[];
  /** Beside those that lead to OpenCode. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly say: (text: string) => void;
}

export interface BenchWindow {
  readonly workbench: Workbench;
  readonly probe: Probe;
  /** Waits until the window's extension host has ended: only then the next one drives. */
  end(): Promise<void>;
}

/**
 * A real VS Code with the packed extension on ten thousand tickets: one was run to the approval of its setup,
 * the others are drafts.
 */
export class BenchEditor {
  readonly #ends: (() => void | Promise<void>)[] = [];
  #browser: Browser | undefined;
  #world: TicketWorld | undefined;
  #server: VscodeServer | undefined;
  #address = '';
  #place = '';

  private constructor() {
    // Made by `start`.
  }

  static async start(options: BenchEditorOptions): Promise<BenchEditor> {
    const editor = new BenchEditor();
    try {
      await editor.#start(options);
    } catch (error) {
      await editor.end();
      throw error;
    }
    return editor;
  }

  /** With nothing kept of the windows before; waits until it has started up. */
  async openWindow(): Promise<BenchWindow> {
    if (!this.#browser) throw new Error('The editor did not start.');
    const context = await this.#browser.newContext({
      reducedMotion: 'reduce',
      viewport: { width: 1280, height: 800 },
    });
    await watchPages(context);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const workbench = new Workbench(page);
    await workbench.open(this.#address);
    const probe = await this.#probeOf(page);
    const end = async (): Promise<void> => {
      await page.goto('about:blank');
      await until(() => !probe.isAlive, 'the extension host ends');
      await context.close();
    };
    return { workbench, probe, end };
  }

  /** Beside the windows, as the same user in a terminal. */
  async cli(...args: readonly string[]): Promise<void> {
    await this.#world?.cli(args, this.#server?.environment ?? {});
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
  }

  async #probeOf(page: Page): Promise<Probe> {
    try {
      return await Probe.of(this.#place);
    } catch (error) {
      await screenshot(page, 'failed-bench');
      throw new Error(`The window did not start well.\n${this.#server?.output ?? ''}`, { cause: error });
    }
  }

  async #start({ vsix, rows, settings, say }: BenchEditorOptions): Promise<void> {
    const folder = tempFolder('bench-editor');
    this.#ends.push(() => folder.remove());
    const world = await TicketWorld.start();
    this.#world = world;
    this.#ends.push(() => world.end());
    const server = await VscodeServer.start({
      vsix,
      settings: { ...world.settings, ...quietEditor, ...settings },
    });
    this.#server = server;
    this.#ends.push(() => server.stop());
    say('a ticket is run to the approval of its setup …');
    await world.prepare({ title: 'Greet by name', at: 'setup' }, server.environment);
    say(`${String(ticketCount)} tickets are filed …`);
    seedTickets(world.stateFolder, 'SAMPL', ticketCount);
    seedCalls(world.stateFolder, inspectedTicket, inspectedCalls);
    this.#place = join(folder.path, 'probe.json');
    const probe = join(folder.path, 'probe');
    await writeProbe(probe, { place: this.#place, rows: [...rows] });
    this.#address = server.address(world.repository.root, probe);
    const browser = await startBrowser({ optimizes: true });
    this.#ends.push(() => browser.close());
    this.#browser = browser;
  }
}
