import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../.build/paths.mjs';
import { EditorScene } from '../support/editorScene.ts';
import { type Orders, ordersVariable } from '../support/hostOrders.ts';
import type { WindowOrder } from './windows.ts';

/** Runs a window's tests in VS Code's own server from npm, with a browser. Rejects if the window doesn't end in time. */
export async function serverWindow({ name, version, window, orders, report, limitMs }: WindowOrder): Promise<void> {
  const scene = await EditorScene.start({
    version,
    trusted: window.trusted,
    window: window.driven ?? false,
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
    env: { [ordersVariable]: orders },
    ...(window.ticket ? { atInterview: 'Greet by name' } : {}),
  });
  try {
    if (window.driven) await scene.drive();
    const told: Orders = { tests: name, report, cli: { node: process.execPath, env: { ...scene.environment } } };
    writeFileSync(orders, JSON.stringify(told));
    await scene.runTests(join(root, 'dist', 'test', 'host', 'index.cjs'), limitMs);
  } finally {
    await scene.end();
  }
}
