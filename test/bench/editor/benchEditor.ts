import { probeViews } from './probe/probeWords.ts';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { screenshot, startBrowser } from '../../support/editor/browser.ts';
import type { Stop } from '../../support/scenes/preparedTicket.ts';
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
  /** The first one is run so far, the others are drafts. Default: 10,000, to the approval of the setup. */
  readonly tickets?: { readonly count: number; readonly at: Stop };
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
 * A real VS Code with the packed extension on thousands of tickets.
 */
export class BenchEditor {
  readonly #ends: (() => void | Promise<void>)[] = [];
  #browser: Browser | undefined;
  #world: TicketWorld | undefined;
  #server: VscodeServer | undefined;
  #address = '';
  #place = '';
  #isBare = false;

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

  /** With nothing kept of the windows before; waits until it has started up. `watch`: what watches pages. */
  async openWindow(watch = watchPages): Promise<BenchWindow> {
    if (!this.#browser) throw new Error('The editor did not start.');
    const context = await this.#browser.newContext({
      reducedMotion: 'reduce',
      viewport: { width: 1280, height: 800 },
    });
    await watch(context);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const workbench = new Workbench(page);
    await workbench.open(this.#address, this.#isBare ? probeViews.warmUp : undefined);
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

  get stateFolder(): string {
    return this.#world?.stateFolder ?? '';
  }

  /** From the windows that are opened then. */
  async uninstall(): Promise<void> {
    await this.#server?.uninstall('beadsmith.beadsmith');
    this.#isBare = true;
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

  async #start({ vsix, tickets, rows, settings, say }: BenchEditorOptions): Promise<void> {
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
    const { count, at } = tickets ?? { count: ticketCount, at: 'setup' };
    say(`a ticket is run to ${at} …`);
    await world.prepare({ title: 'Greet by name', at }, server.environment);
    say(`${String(count)} tickets are filed …`);
    seedTickets(world.stateFolder, 'SAMPL', count);
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
