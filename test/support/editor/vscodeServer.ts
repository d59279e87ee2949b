import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { oldestVscodeNode, pins, vscodeServerMain } from '../../../.build/paths.mjs';
import { isAlive, type ProcessIdentity, identityOf } from '../../../src/adapters/system/processes.ts';
import { endMarked } from '../../../src/adapters/system/processTree.ts';
import { type TempFolder, tempFolder } from '../tempFolder.ts';
import { until } from '../until.ts';
import { userEnvironment } from '../userEnvironment.ts';

/** The version of development, or the oldest that package.json promises, on the Node of its time. */
export type EditorVersion = 'newest' | 'oldest';

export interface VscodeServerOptions {
  readonly version?: EditorVersion;
  /** Beside the few that every process gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** As in `settings.json`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Default: yes. */
  readonly trusted?: boolean;
  /** A packed extension to install first. */
  readonly vsix?: string;
}

/** Keeps the editor's own things away; colors follow the system. */
export const quietEditor = {
  'workbench.startupEditor': 'none',
  'window.autoDetectColorScheme': true,
  'workbench.quickOpen.closeOnFocusLost': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
};

/** VS Code's own server from npm. Stopped by the processes it is known to have started. */
export class VscodeServer {
  readonly #process: ChildProcess;
  readonly #port: number;
  readonly #folder: TempFolder;
  #output = '';

  private constructor(process: ChildProcess, port: number, folder: TempFolder) {
    this.#process = process;
    this.#port = port;
    this.#folder = folder;
    for (const stream of [process.stdout, process.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
  }

  static async start(options: VscodeServerOptions = {}): Promise<VscodeServer> {
    const folder = tempFolder('vscode');
    const data = join(folder.path, 'server');
    writeSettings(data, options.settings ?? {});
    const { node, main } = program(options.version);
    if (options.vsix !== undefined)
      await manage(folder, options.version, '--install-extension', options.vsix);
    const port = await freePort();
    const args = [
      main,
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--without-connection-token',
      '--accept-server-license-terms',
      '--enable-smoke-test-driver',
      '--telemetry-level',
      'off',
      '--server-data-dir',
      data,
      ...(options.trusted === false ? [] : ['--disable-workspace-trust']),
      ...(options.vsix === undefined
        ? ['--builtin-extensions-dir', linkExtensions(main, join(folder.path, 'extensions'))]
        : []),
    ];
    const env = { ...userEnvironment(folder.path), ...options.env };
    const child = spawn(node, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const server = new VscodeServer(child, port, folder);
    try {
      await until(
        () => server.#output.includes('Extension host agent listening') || child.exitCode !== null,
        'the VS Code server listens',
        30_000,
      );
      if (child.exitCode !== null) throw new Error(`the VS Code server ended: ${server.#output}`);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  /**
   * Of a window on a folder, or none. Webviews count as secure on `localhost` only. `tests`: a module that
   * the extension host runs.
   */
  address(folder: string | undefined, extension: string | undefined, tests?: string): string {
    const host = `localhost:${String(this.#port)}`;
    const payload = [
      ...(extension === undefined
        ? []
        : [['extensionDevelopmentPath', `vscode-remote://${host}${extension}`]]),
      ...(tests === undefined ? [] : [['extensionTestsPath', `vscode-remote://${host}${tests}`]]),
      ['skipWelcome', 'true'],
    ];
    return `http://${host}/?${new URLSearchParams({ ...(folder === undefined ? { ew: 'true' } : { folder }), payload: JSON.stringify(payload) }).toString()}`;
  }

  get globalStorage(): string {
    return join(this.#folder.path, 'server', 'data', 'User', 'globalStorage', 'beadsmith.beadsmith');
  }

  /** As a person edits the file; open windows follow. */
  changeSettings(settings: Readonly<Record<string, unknown>>): void {
    writeSettings(join(this.#folder.path, 'server'), settings);
  }

  get home(): string {
    return this.#folder.path;
  }

  get environment(): Readonly<Record<string, string>> {
    return userEnvironment(this.#folder.path);
  }

  get output(): string {
    return this.#output;
  }

  /** As a person does by command line. `id`: what `vsix` installed. */
  uninstall(id: string): Promise<void> {
    return manage(this.#folder, undefined, '--uninstall-extension', id);
  }

  async endWindows(): Promise<void> {
    const { pid } = this.#process;
    if (pid !== undefined) await endAll(descendants(pid, /--type=(extensionHost|fileWatcher)/));
    for (const left of [join('server', 'data', 'User'), 'config'])
      rmSync(join(this.#folder.path, left), { recursive: true, force: true });
  }

  /** By force: asked to end, it waits for seconds for processes that have nothing left to do. */
  async stop(): Promise<void> {
    const { pid } = this.#process;
    if (pid !== undefined && this.#process.exitCode === null) await endAll([pid, ...descendants(pid)]);
    // What an ended extension host started is nobody's child, and holds the server's output open.
    await endMarked('HOME', this.#folder.path);
    this.#folder.remove();
  }
}

async function manage(
  { path }: TempFolder,
  version: EditorVersion | undefined,
  ...words: readonly string[]
): Promise<void> {
  const { node, main } = program(version);
  const args = [main, ...words, '--server-data-dir', join(path, 'server'), '--accept-server-license-terms'];
  await promisify(execFile)(node, args, { env: userEnvironment(path) });
}

function writeSettings(data: string, settings: Readonly<Record<string, unknown>>): void {
  for (const place of ['Machine', 'User']) {
    mkdirSync(join(data, 'data', place), { recursive: true });
    writeFileSync(join(data, 'data', place, 'settings.json'), JSON.stringify(settings));
  }
}

/**
 * Extensions of the editor that wake in each window and aren't tested: up to a third of its cost. Those that
 * could run in the browser stay: it would look for them.
 */
const unneeded = new Set([
  'copilot',
  'github',
  'microsoft-authentication',
  'php-language-features',
  'terminal-suggest',
  'tunnel-forwarding',
  'debug-auto-launch',
  'ms-vscode.js-debug',
  'ms-vscode.js-debug-companion',
  'grunt',
  'gulp',
  'jake',
]);

function linkExtensions(main: string, folder: string): string {
  const all = join(dirname(dirname(main)), 'extensions');
  mkdirSync(folder);
  for (const name of readdirSync(all))
    if (!unneeded.has(name)) symlinkSync(join(all, name), join(folder, name));
  return folder;
}

function program(version: EditorVersion = 'newest'): { readonly node: string; readonly main: string } {
  if (version === 'oldest')
    return { node: oldestVscodeNode(), main: vscodeServerMain(pins.oldestVscodeServer) };
  return { node: process.execPath, main: process.env['BEADSMITH_VSCODE_SERVER'] ?? vscodeServerMain() };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('no free port');
  return address.port;
}

/** `which`: only children whose command lines match, with all that they started. */
function descendants(pid: number, which = /^/): number[] {
  const rows = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [])
    .map(([, id, of, args = '']) => ({ id: Number(id), of: Number(of), args }));
  const below = (parent: number): number[] =>
    rows.flatMap(({ id, of }) => (of === parent ? [id, ...below(id)] : []));
  return rows.flatMap(({ id, of, args }) => (of === pid && which.test(args) ? [id, ...below(id)] : []));
}

async function endAll(pids: readonly number[]): Promise<void> {
  const found = await Promise.all(pids.map(identityOf));
  const family = found.filter((one) => one !== undefined);
  for (const one of family) if (await isAlive(one)) kill(one);
  for (const one of family) await until(async () => !(await isAlive(one)), 'VS Code has ended');
}

function kill({ pid }: ProcessIdentity): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went with its parent.
  }
}
