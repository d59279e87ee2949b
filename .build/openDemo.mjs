// Shows a repository's tickets in a real VS Code: the desktop one if `code` is on the PATH, else VS Code's own server in a browser.
import { randomBytes } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { root, vscodeServerMain } from './paths.mjs';

/**
 * Opens the editor on `repository` and says where. `folder` is a place for the server's own data, `settings` what its user has set, `pictures` what
 * to take a screenshot of: a name, the rows of the tree to unfold, one that is then there, and a page with the command that opens it, for the ticket that is
 * to be chosen if it asks. With `exit` it ends then; else it returns when a signal ended the server, or at once when a desktop window was asked for.
 */
export async function openDemo({ repository, folder, settings, pictures, exit, say }) {
  if (hasDesktop()) return openDesktop({ repository, folder, settings, say });
  const server = await startServer(join(folder, 'vscode'), settings);
  const address = server.address(repository);
  say(`\nOpen this address in a browser:\n\n${address}\n`);
  try {
    for (const file of await takePictures(address, folder, pictures)) say(`Screenshot  ${file}`);
    if (exit) return;
    say('Ctrl-C ends it.');
    await server.ended;
  } finally {
    server.end();
    await server.ended;
  }
}

function hasDesktop() {
  return spawnSync('code', ['--version'], { stdio: 'ignore', shell: process.platform === 'win32' }).status === 0;
}

/** A desktop window has its user's own settings; ours go into the folder that it opens, where a reload finds them. */
function openDesktop({ repository, folder, settings, say }) {
  const workspace = join(folder, 'demo.code-workspace');
  writeFileSync(workspace, JSON.stringify({ folders: [{ path: repository }], settings }, undefined, 2));
  const args = ['--new-window', '--disable-workspace-trust', `--extensionDevelopmentPath=${root}`, workspace];
  spawnSync('code', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  say('VS Code was asked to open a window. The tickets are behind the Beadsmith icon in its activity bar.');
}

async function startServer(data, settings) {
  mkdirSync(join(data, 'data', 'Machine'), { recursive: true });
  writeFileSync(join(data, 'data', 'Machine', 'settings.json'), JSON.stringify(settings));
  const port = await freePort();
  // Anyone who knows the address has a shell on this machine, so it contains a token.
  const token = randomBytes(16).toString('hex');
  const args = ['--host', '127.0.0.1', '--port', String(port), '--connection-token', token, '--accept-server-license-terms'];
  const quiet = ['--disable-workspace-trust', '--enable-smoke-test-driver', '--telemetry-level', 'off', '--server-data-dir', data];
  // Without compiled modules it complains at length, and works.
  const complaints = openSync(join(data, 'stderr.log'), 'a');
  const child = spawn(process.execPath, [vscodeServerMain(), ...args, ...quiet], { stdio: ['ignore', 'pipe', complaints], detached: true });
  const ended = new Promise((done) => child.once('exit', done));
  const end = () => child.exitCode === null && child.kill('SIGTERM');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  await Promise.race([ended, new Promise((done) => child.stdout.on('data', (chunk) => String(chunk).includes('listening') && done()))]);
  if (child.exitCode !== null) throw new Error(`The VS Code server did not start; see ${join(data, 'stderr.log')}`);
  const host = `localhost:${port}`;
  const payload = JSON.stringify([
    ['extensionDevelopmentPath', `vscode-remote://${host}${root}`],
    ['skipWelcome', 'true'],
  ]);
  const address = (repository) => `http://${host}/?${new URLSearchParams({ tkn: token, folder: repository, payload })}`;
  return { address, ended, end };
}

/** Opens the tickets view, and waits for rows and page before it takes each picture. */
async function takePictures(address, folder, pictures) {
  const { startBrowser } = await import('../test/support/editor/browser.ts');
  const { Workbench } = await import('../test/support/editor/workbench.ts');
  const browser = await startBrowser();
  const files = [];
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    page.setDefaultTimeout(60_000);
    const workbench = new Workbench(page);
    await workbench.open(address);
    await workbench.showView();
    for (const { name, unfold, row, command, choose, page: shows } of pictures) {
      for (const text of unfold) await workbench.unfold(text);
      await workbench.row(row).first().waitFor();
      await workbench.run(command);
      if (choose) await workbench.choose(choose);
      await workbench.openedPage(shows);
      await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
      files.push(join(folder, `${name}.png`));
    }
    return files;
  } finally {
    await browser.close();
  }
}

function freePort() {
  return new Promise((done, fail) => {
    const server = createServer().once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
