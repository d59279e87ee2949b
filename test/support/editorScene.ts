import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { z } from 'zod';
import { opencodeBinary, root } from '../../.build/paths.mjs';
import { isAlive } from '../../src/adapters/opencode/processTable.ts';
import { ServerFiles } from '../../src/adapters/opencode/serverFiles.ts';
import { startBrowser } from './browser.ts';
import { type TempRepository, tempRepository } from './tempRepository.ts';
import { until } from './until.ts';
import { VscodeServer, type VscodeServerOptions } from './vscodeServer.ts';
import { Workbench } from './workbench.ts';

export interface EditorSceneOptions extends VscodeServerOptions {
  /** The title of a ticket that this editor's user filed before, on the command line. */
  readonly draft?: string;
}

/**
 * A VS Code window with the extension on a real repository, the real OpenCode, and the scripted model in the place of a provider. Ended as a whole:
 * nothing it started is left.
 */
export class EditorScene {
  readonly repository: TempRepository;
  readonly #ends: (() => Promise<void>)[] = [];
  #server: VscodeServer | undefined;
  #workbench: Workbench | undefined;

  private constructor(repository: TempRepository) {
    this.repository = repository;
  }

  static async start(options: EditorSceneOptions = {}): Promise<EditorScene> {
    const files = {
      'README.md': '# Sample\n',
      'package.json': '{ "name": "sample", "type": "module", "scripts": { "test": "node --test" } }\n',
      'sum.js': 'export const sum = (a, b) => a + b;\n',
      'sum.test.js':
        "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { sum } from './sum.js';\ntest('sum', () => assert.equal(sum(1, 2), 3));\n",
    };
    const scene = new EditorScene(await tempRepository({ files, name: 'sample' }));
    scene.#ends.push(() => scene.repository.remove());
    try {
      await scene.#start(options);
    } catch (error) {
      await scene.end();
      throw error;
    }
    return scene;
  }

  get workbench(): Workbench {
    if (!this.#workbench) throw new Error('the scene did not start');
    return this.#workbench;
  }

  /** What the editor's side said, for a test that fails. */
  get output(): string {
    return this.#server?.output ?? '';
  }

  /** Where the product keeps what it knows of the repository. */
  get stateFolder(): string {
    return join(this.repository.root, '.git', 'beadsmith');
  }

  async end(): Promise<void> {
    const problems: unknown[] = [];
    for (const end of this.#ends.reverse()) await end().catch((error: unknown) => problems.push(error));
    if (problems.length > 0) throw new AggregateError(problems, 'the scene did not end well');
  }

  async #start(options: EditorSceneOptions): Promise<void> {
    const model = await startModel();
    this.#ends.push(() => model.end());
    const config = join(this.repository.root, '..', 'opencode.json');
    writeFileSync(config, JSON.stringify({ provider: { scripted: providerOf(model.url) }, enabled_providers: ['scripted'] }));
    this.#ends.push(() => this.#endOpencode());
    const settings = {
      'beadsmith.mainImplementer': 'scripted/alpha',
      'beadsmith.opencode.path': process.env['BEADSMITH_OPENCODE'] ?? opencodeBinary(),
      'beadsmith.opencode.configFile': config,
      'workbench.startupEditor': 'none',
      'window.autoDetectColorScheme': true,
      'workbench.quickOpen.closeOnFocusLost': false,
      'workbench.secondarySideBar.defaultVisibility': 'hidden',
      'chat.disableAIFeatures': true,
      ...options.settings,
    };
    const server = await VscodeServer.start({ ...options, settings });
    this.#server = server;
    this.#ends.push(() => server.stop());
    if (options.draft !== undefined) {
      const args = [join(root, 'dist', 'cli.js'), 'create', '--repo', this.repository.root, '--title', options.draft];
      await promisify(execFile)(process.execPath, args, { env: server.environment });
    }
    const browser = await startBrowser();
    this.#ends.push(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(20_000);
    this.#workbench = new Workbench(page);
    await this.#workbench.open(server.address(this.repository.root, root));
  }

  /** The server outlives the window for a minute, so that a reload costs nothing. A test doesn't wait for that. */
  async #endOpencode(): Promise<void> {
    const record = await new ServerFiles(this.stateFolder, 'main').read();
    if (!record) return;
    if (await isAlive(record.guard)) process.kill(record.guard.pid, 'SIGTERM');
    await until(async () => !(await isAlive(record.guard)) && !(await isAlive(record.server)), 'OpenCode ends', 15_000);
  }
}

function providerOf(baseURL: string): unknown {
  return { npm: '@ai-sdk/openai-compatible', options: { baseURL, apiKey: 'scripted' }, models: { alpha: {}, beta: {} } };
}

const Listening = z.object({ url: z.string() });

async function startModel(): Promise<{ readonly url: string; end(): Promise<void> }> {
  const child = spawn(process.execPath, [join(root, 'dist', 'scriptedModel.js'), '--generic'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await firstLine(child);
  return {
    url: Listening.parse(JSON.parse(line)).url,
    end: async () => {
      child.kill('SIGTERM');
      await until(() => child.exitCode !== null || child.signalCode !== null, 'the scripted model ends');
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('no output');
  const lines = createInterface(child.stdout);
  try {
    for await (const line of lines) return line;
    throw new Error('the scripted model ended before it listened');
  } finally {
    lines.close();
  }
}
