import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { DemoTools } from './demoProcesses.ts';
import { EditorWindow, launchBrowser } from './editorWindow.ts';

interface Picture {
  readonly name: string;
  readonly unfold: readonly RegExp[];
  readonly row: RegExp;
  /** The command that opens the page of the ticket `choose`. */
  readonly command: string;
  readonly choose?: string;
}

export interface OpenOptions {
  readonly repository: string;
  readonly folder: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly pictures: readonly Picture[];
  readonly exit: boolean;
  readonly say: (line: string) => void;
}

/** In the desktop VS Code if `code` is on the PATH, else in a browser, until a signal or `exit`. */
export async function openDemo(tools: DemoTools, options: OpenOptions): Promise<void> {
  const { repository, folder, settings, pictures, exit, say } = options;
  if (hasDesktop()) {
    openDesktop(tools, options);
    return;
  }
  const server = await startServer(tools, join(folder, 'vscode'), settings);
  const address = server.address(repository);
  say(`\nOpen this address in a browser:\n\n${address}\n`);
  try {
    for (const file of await takePictures(tools, { address, folder, pictures })) say(`Screenshot  ${file}`);
    if (exit) return;
    say('Ctrl-C ends it.');
    await server.ended;
  } finally {
    server.end();
    await server.ended;
  }
}

function hasDesktop(): boolean {
  return (
    spawnSync('code', ['--version'], { stdio: 'ignore', shell: process.platform === 'win32' }).status === 0
  );
}

/** Settings go into the workspace: a desktop window has its user's own. */
function openDesktop({ root }: DemoTools, { repository, folder, settings, say }: OpenOptions): void {
  const workspace = join(folder, 'demo.code-workspace');
  writeFileSync(workspace, JSON.stringify({ folders: [{ path: repository }], settings }, undefined, 2));
  const args = ['--new-window', '--disable-workspace-trust', `--extensionDevelopmentPath=${root}`, workspace];
  spawnSync('code', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  say('VS Code was asked to open a window. The tickets are behind the Beadsmith icon in its activity bar.');
}

async function startServer(
  { root, vscodeServer }: DemoTools,
  data: string,
  settings: OpenOptions['settings'],
) {
  mkdirSync(join(data, 'data', 'Machine'), { recursive: true });
  writeFileSync(join(data, 'data', 'Machine', 'settings.json'), JSON.stringify(settings));
  const port = await freePort();
  // The address gives a shell on this machine, hence the token.
  const token = randomBytes(16).toString('hex');
  const place = `--host 127.0.0.1 --port ${String(port)} --connection-token ${token}`;
  const quiet = '--accept-server-license-terms --disable-workspace-trust --telemetry-level off';
  const words = `${place} ${quiet} --enable-smoke-test-driver`.split(' ');
  // Without compiled modules it complains, and works.
  const complaints = openSync(join(data, 'stderr.log'), 'a');
  const child = spawn(process.execPath, [vscodeServer, ...words, '--server-data-dir', data], {
    stdio: ['ignore', 'pipe', complaints],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = (): void => {
    if (child.exitCode === null) child.kill('SIGTERM');
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  const listening = new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('listening')) resolve();
    });
  });
  const failed = ended.then(() =>
    Promise.reject(new Error(`The VS Code server did not start; see ${join(data, 'stderr.log')}`)),
  );
  await Promise.race([failed, listening]);
  const host = `localhost:${String(port)}`;
  const payload = JSON.stringify([
    ['extensionDevelopmentPath', `vscode-remote://${host}${root}`],
    ['skipWelcome', 'true'],
  ]);
  const address = (repository: string): string =>
    `http://${host}/?${new URLSearchParams({ tkn: token, folder: repository, payload }).toString()}`;
  return { address, ended, end };
}

async function takePictures(
  { browser: module }: DemoTools,
  { address, folder, pictures }: { readonly address: string } & Pick<OpenOptions, 'folder' | 'pictures'>,
): Promise<readonly string[]> {
  const browser = await launchBrowser(module);
  const files: string[] = [];
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    page.setDefaultTimeout(60_000);
    const window = new EditorWindow(page);
    await window.open(address);
    await window.showView();
    for (const { name, unfold, row, command, choose } of pictures) {
      for (const text of unfold) await window.unfold(text);
      await window.row(row).first().waitFor();
      await window.run(command);
      if (choose !== undefined) await window.choose(choose);
      await window.openedPage();
      const path = join(folder, `${name}.png`);
      await page.screenshot({ path, animations: 'disabled' });
      files.push(path);
    }
    return files;
  } finally {
    await browser.close();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('There is no free port.')),
      );
    });
  });
}
