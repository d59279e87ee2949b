import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { opencodeBinary, root } from '../../.build/paths.mjs';
import { isAlive } from '../../src/adapters/opencode/processTable.ts';
import { ServerFiles, type ServerRecord } from '../../src/adapters/opencode/serverFiles.ts';
import { startBrowser } from './browser.ts';
import { until } from './until.ts';
import { quietEditor, VscodeServer } from './vscodeServer.ts';
import { Workbench } from './workbench.ts';

/** An editor of somebody new: no folder is open and trusted, no provider is known, no model is set. OpenCode is there. Ended as a whole. */
export class DemoScene {
  readonly workbench: Workbench;
  readonly #server: VscodeServer;
  readonly #browser: Browser;

  private constructor(workbench: Workbench, server: VscodeServer, browser: Browser) {
    this.workbench = workbench;
    this.#server = server;
    this.#browser = browser;
  }

  static async start(): Promise<DemoScene> {
    const settings = { ...quietEditor, 'beadsmith.opencode.path': process.env['BEADSMITH_OPENCODE'] ?? opencodeBinary() };
    const server = await VscodeServer.start({ settings, trusted: false });
    try {
      const browser = await startBrowser();
      const page = await browser.newPage({ reducedMotion: 'reduce', viewport: { width: 1500, height: 900 } });
      page.setDefaultTimeout(20_000);
      const workbench = new Workbench(page);
      await workbench.open(server.address(undefined, root));
      return new DemoScene(workbench, server, browser);
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  get output(): string {
    return this.#server.output;
  }

  /** The folders of demos where they are usually made. */
  folders(): readonly string[] {
    const place = this.#server.globalStorage;
    const names = existsSync(place) ? readdirSync(place) : [];
    return names.filter((name) => name.startsWith('beadsmith-demo')).map((name) => join(place, name));
  }

  /** Runs git in the sample repository. */
  async git(...args: readonly string[]): Promise<string> {
    const [folder = ''] = this.folders();
    return (await promisify(execFile)('git', ['-C', join(folder, 'stockroom'), ...args])).stdout;
  }

  /** The address of the scripted model, from the configuration that OpenCode was started with. */
  async model(): Promise<string> {
    const record = await this.opencode();
    const environment = readFileSync(`/proc/${String(record?.server.pid)}/environ`, 'utf8');
    return /"baseURL":"([^"]+)"/.exec(environment)?.[1] ?? '';
  }

  /** What lies in the folder where the product keeps what it knows of the demo. */
  state(): readonly string[] {
    return this.folders().flatMap((folder) => readdirSync(stateFolder(folder)));
  }

  async opencode(): Promise<ServerRecord | undefined> {
    const [folder] = this.folders();
    return folder === undefined ? undefined : new ServerFiles(stateFolder(folder), 'main').read();
  }

  async end(): Promise<void> {
    const record = await this.opencode();
    await this.#browser.close();
    try {
      if (record && (await isAlive(record.guard))) process.kill(record.guard.pid, 'SIGTERM');
      if (record) await until(async () => !(await isAlive(record.guard)) && !(await isAlive(record.server)), 'OpenCode ends', 15_000);
    } finally {
      await this.#server.stop();
    }
  }
}

function stateFolder(folder: string): string {
  return join(folder, 'stockroom', '.git', 'beadsmith');
}
