import type { Browser } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { VscodeServer, type VscodeServerOptions } from './vscodeServer.ts';

/** A server and a browser. `close` ends what one test opened in them. */
export interface Editor {
  readonly server: VscodeServer;
  readonly browser: Browser;
  close(): Promise<void>;
}

let shared: Promise<Editor> | undefined;

/**
 * The editor for a scene: one for all test files of this process, because another window in it takes a fifth
 * less than the first of a new one. Who wants another version, other variables, a packed extension, or
 * folders that aren't trusted gets an editor of its own, and so does every program but mocha.
 */
export async function editorFor(options: VscodeServerOptions): Promise<Editor> {
  const { version, env, trusted, vsix } = options;
  const isPlain = version === undefined && env === undefined && trusted !== false && vsix === undefined;
  if (!isPlain || typeof globalThis.after !== 'function') return ownEditor(options);
  shared ??= ownEditor({});
  const { server, browser } = await shared;
  return { server, browser, close: () => server.endWindows() };
}

async function ownEditor(options: VscodeServerOptions): Promise<Editor> {
  const server = await VscodeServer.start(options);
  try {
    const browser = await startBrowser();
    const close = async (): Promise<void> => {
      try {
        await browser.close();
      } finally {
        await server.stop();
      }
    };
    return { server, browser, close };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

// In mocha this is a hook of the root suite: the last thing that happens.
if (typeof globalThis.after === 'function')
  after(async function () {
    this.timeout(60_000);
    await (await shared)?.close();
  });
