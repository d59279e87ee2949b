// Where set-up puts what is too large, or too native, for the project's own node_modules. Keyed by version,
// so that a new pin never meets an old folder, and per user, so that every clone shares it.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const nodeFile = process.platform === 'win32' ? 'node.exe' : 'node';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * @type {{ opencode: string, vscodeServer: string, oldestVscodeServer: string, oldestVscodeNode: string,
 * browser: string, vsce: string }}
 */
export const pins = JSON.parse(readFileSync(join(root, '.build', 'pins.json'), 'utf8'));

function cacheRoot(env = process.env, platform = process.platform) {
  if (env['BEADSMITH_CACHE']) return resolve(env['BEADSMITH_CACHE']);
  if (env['XDG_CACHE_HOME']) return join(env['XDG_CACHE_HOME'], 'beadsmith');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'beadsmith');
  if (platform === 'win32')
    return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'beadsmith');
  return join(homedir(), '.cache', 'beadsmith');
}

export const opencodeFolder = () => join(cacheRoot(), 'opencode', pins.opencode);

/** Where our servers look for their configuration, one per user. */
export const opencodeConfigFolder = () => join(cacheRoot(), 'opencode-config', pins.opencode, 'opencode');

/** The native binary. Its package calls it `.exe` on every platform. */
export const opencodeBinary = () =>
  join(opencodeFolder(), 'node_modules', 'opencode-ai', 'bin', 'opencode.exe');

export const vscodeServerFolder = (version = pins.vscodeServer) =>
  join(cacheRoot(), 'vscode-server', version);

/** To be run with Node: `node <this> --without-connection-token --host 127.0.0.1 --port …` */
export const vscodeServerMain = (version = pins.vscodeServer) =>
  join(vscodeServerFolder(version), 'node_modules', 'code-server', 'lib', 'vscode', 'out', 'server-main.js');

/** The oldest supported VS Code runs on the Node of its time, which is installed beside it. */
export const oldestVscodeNode = () =>
  join(vscodeServerFolder(pins.oldestVscodeServer), 'node_modules', 'node', 'bin', nodeFile);

export const browserFolder = () => join(cacheRoot(), 'browser', pins.browser);

/**
 * A module to `import()`; `await module.default.executablePath()` unpacks a Chromium and returns its path.
 */
export const browserModule = () =>
  join(browserFolder(), 'node_modules', '@sparticuz', 'chromium', 'build', 'index.js');

export const vsceFolder = () => join(cacheRoot(), 'vsce', pins.vsce);

/** The packager of the Marketplace, to be run with Node. */
export const vsceMain = () => join(vsceFolder(), 'node_modules', '@vscode', 'vsce', 'vsce');

/** Node 24, once the dependencies are installed. */
export const projectNode = () => join(root, 'node_modules', 'node', 'bin', nodeFile);

export const binFolder = () => join(root, 'node_modules', '.bin');

/** Package managers that the lab's repositories need, by name and version. */
export const labFolder = () => join(cacheRoot(), 'lab');
