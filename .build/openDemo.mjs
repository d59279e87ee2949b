// Shows a repository's tickets in a real VS Code: the desktop one if `code` is on the PATH, else VS Code's own server in a browser.
import { randomBytes } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { root, vscodeServerMain } from './paths.mjs';

/** Returns when the window was asked for (desktop), or when a signal ended the server. `folder` is a place for the server's own data. */
export async function openDemo({ repository, folder, say }) {
  const shell = process.platform === 'win32';
  if (spawnSync('code', ['--version'], { stdio: 'ignore', shell }).status === 0) {
    spawnSync('code', ['--new-window', '--disable-workspace-trust', `--extensionDevelopmentPath=${root}`, repository], {
      stdio: 'inherit',
      shell,
    });
    say('VS Code was asked to open a window. The tickets are behind the Beadsmith icon in its activity bar.');
    return;
  }
  if (!existsSync(vscodeServerMain())) {
    say('There is no `code` on the PATH, and the VS Code server is not installed. Run: node .build/setup.mjs --for test');
    return;
  }
  const port = await freePort();
  // Whoever knows the address has a shell on this machine, so it holds a token.
  const token = randomBytes(16).toString('hex');
  const args = ['--host', '127.0.0.1', '--port', String(port), '--connection-token', token, '--accept-server-license-terms'];
  const quiet = [
    '--disable-workspace-trust',
    '--enable-smoke-test-driver',
    '--telemetry-level',
    'off',
    '--server-data-dir',
    join(folder, 'vscode'),
  ];
  // Without compiled modules it complains at length, and works.
  mkdirSync(join(folder, 'vscode'), { recursive: true });
  const complaints = openSync(join(folder, 'vscode', 'stderr.log'), 'a');
  const child = spawn(process.execPath, [vscodeServerMain(), ...args, ...quiet], { stdio: ['ignore', 'pipe', complaints], detached: true });
  const ended = new Promise((done) => child.once('exit', done));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));
  await Promise.race([ended, new Promise((done) => child.stdout.on('data', (chunk) => String(chunk).includes('listening') && done()))]);
  const host = `localhost:${port}`;
  const payload = JSON.stringify([
    ['extensionDevelopmentPath', `vscode-remote://${host}${root}`],
    ['skipWelcome', 'true'],
  ]);
  if (child.exitCode === null)
    say(
      `Open this address in a browser; Ctrl-C ends it:\n\nhttp://${host}/?${new URLSearchParams({ tkn: token, folder: repository, payload })}\n`,
    );
  await ended;
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
