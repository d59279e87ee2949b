import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { opencodeBinary, root } from '../../../.build/paths.mjs';
import { isAlive } from '../../../src/adapters/system/processes.ts';
import { ServerFiles, type ServerRecord } from '../../../src/adapters/opencode/server/serverFiles.ts';
import { newProfile, startBrowser } from './browser.ts';
import { until } from '../until.ts';
import { quietEditor, VscodeServer } from './vscodeServer.ts';
import { Workbench } from './workbench.ts';

export interface DemoSceneOptions {
  /** Trusted. Default: none is shown. */
  readonly folder?: string;
  /** Default: the one that the product offers. */
  readonly demos?: string;
  /** The product's cache folder of a machine without OpenCode. Default: OpenCode is there. */
  readonly cache?: string;
}

/** The editor of a new user: no provider is known, no model is set. */
export class DemoScene {
  readonly workbench: Workbench;
  readonly #server: VscodeServer;
  readonly #browser: Browser;
  readonly #demos: string;

  private constructor(workbench: Workbench, server: VscodeServer, browser: Browser, demos: string) {
    this.workbench = workbench;
    this.#server = server;
    this.#browser = browser;
    this.#demos = demos;
  }

  static async start({ folder, demos, cache }: DemoSceneOptions = {}): Promise<DemoScene> {
    const opencode =
      cache === undefined
        ? { 'beadsmith.opencode.path': process.env['BEADSMITH_OPENCODE'] ?? opencodeBinary() }
        : {};
    const settings = { ...quietEditor, ...opencode };
    const env = cache === undefined ? {} : { ...npmEnvironment(), BEADSMITH_CACHE: cache };
    const server = await VscodeServer.start({ settings, env, trusted: folder !== undefined });
    try {
      const browser = await startBrowser();
      const profile = await newProfile(browser, { width: 1500, height: 900 });
      const page = await profile.newPage();
      page.setDefaultTimeout(60_000);
      const workbench = new Workbench(page);
      await workbench.open(server.address(folder, root));
      return new DemoScene(workbench, server, browser, demos ?? server.globalStorage);
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  get output(): string {
    return this.#server.output;
  }

  folders(): readonly string[] {
    const names = existsSync(this.#demos) ? readdirSync(this.#demos) : [];
    return names.filter((name) => name.startsWith('beadsmith-demo')).map((name) => join(this.#demos, name));
  }

  async git(...args: readonly string[]): Promise<string> {
    const [folder = ''] = this.folders();
    return (await promisify(execFile)('git', ['-C', join(folder, 'stockroom'), ...args])).stdout;
  }

  /** From the configuration that OpenCode was started with. */
  async model(): Promise<string> {
    const record = await this.opencode();
    const environment = readFileSync(`/proc/${String(record?.server.pid)}/environ`, 'utf8');
    return /"baseURL":"([^"]+)"/.exec(environment)?.[1] ?? '';
  }

  async killModel(): Promise<void> {
    const { port } = new URL(await this.model());
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,args=']);
    const line = stdout.split('\n').find((one) => one.includes(`scriptedModel.js --demo --port ${port} `));
    if (line === undefined) throw new Error(`no scripted model listens at port ${port}`);
    process.kill(Number.parseInt(line, 10), 'SIGKILL');
  }

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
      if (record)
        await until(
          async () => !(await isAlive(record.guard)) && !(await isAlive(record.server)),
          'OpenCode ends',
        );
    } finally {
      await this.#server.stop();
    }
  }
}

/**
 * Those of the user who runs the tests: an installation is real, but doesn't download everything each time.
 */
function npmEnvironment(): Record<string, string> {
  const passed = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_(registry|cafile)|(https?|no)_proxy|node_extra_ca_certs)$/i.test(name),
  );
  const { npm_config_userconfig = join(homedir(), '.npmrc'), npm_config_cache = join(homedir(), '.npm') } =
    process.env;
  return {
    ...Object.fromEntries(passed.map(([name, value]) => [name, value ?? ''])),
    npm_config_userconfig,
    npm_config_cache,
  };
}

function stateFolder(folder: string): string {
  return join(folder, 'stockroom', '.git', 'beadsmith');
}
