import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../.build/paths.mjs';
import { EditorScene } from '../support/editorScene.ts';
import { type Orders, ordersVariable } from '../support/hostOrders.ts';
import { until } from '../support/until.ts';
import type { WindowOrder } from './windows.ts';

/** Runs a window's tests in VS Code's own server from npm, with a browser. Rejects if the window doesn't end in time. */
export async function serverWindow({ name, version, window, orders, report, limitMs }: WindowOrder): Promise<void> {
  const scene = await EditorScene.start({
    version,
    trusted: window.trusted,
    window: (window.driven ?? false) || (window.page ?? false),
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
    env: { [ordersVariable]: orders },
    ...(window.ticket ? { atInterview: 'Greet by name' } : {}),
  });
  try {
    if (window.driven) await scene.drive();
    if (window.page) await leavePage(scene);
    const told: Orders = { tests: name, report, cli: { node: process.execPath, env: { ...scene.environment } } };
    writeFileSync(orders, JSON.stringify(told));
    await scene.runTests(join(root, 'dist', 'test', 'host', 'index.cjs'), limitMs);
  } finally {
    await scene.end();
  }
}

/** Opens the page of the ticket and leaves the window, which remembers what was open, and whose side of it drives no more. */
async function leavePage({ workbench, stateFolder }: EditorScene): Promise<void> {
  workbench.page.setDefaultTimeout(60_000);
  await workbench.run('Beadsmith: Open Ticket');
  const page = await workbench.openedPage('ticket', 60_000);
  await page.getByRole('heading', { name: 'SAMPL-1 Greet by name' }).waitFor();
  await workbench.page.goto('about:blank');
  await until(() => !existsSync(join(stateFolder, 'owner.json')), 'nobody drives', 30_000);
}
