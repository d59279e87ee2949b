import { writeFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../.build/paths.mjs';
import { EditorScene } from '../support/editor/editorScene.ts';
import { type Orders, ordersVariable } from '../support/editor/hostOrders.ts';
import { type Sights, startOnlooker } from '../support/editor/onlooker.ts';
import type { WindowOrder } from './windows.ts';
import { SqliteDatabase } from '../../src/adapters/store/sqlite/database.ts';
import { whenFree } from '../../src/adapters/store/sql/whenFree.ts';
import { until } from '../support/until.ts';

/**
 * Runs a window's tests in VS Code's own server from npm, with a browser. Rejects if the window doesn't end
 * in time.
 */
export async function serverWindow({
  name,
  version,
  window,
  orders,
  report,
  limitMs,
}: WindowOrder): Promise<void> {
  const { driven = false, pages = false } = window;
  const scene = await EditorScene.start({
    version,
    trusted: window.trusted,
    window: driven || pages,
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
    env: { [ordersVariable]: orders },
    tickets: [
      ...(window.ticket ? [{ title: 'Greet by name', at: 'interview' } as const] : []),
      ...(pages ? [{ title: 'Say goodbye', at: 'answers' } as const] : []),
    ],
  });
  const onlooker = await startOnlooker(sights(scene));
  try {
    if (driven) await scene.drive();
    if (pages) await leavePages(scene);
    const cli = { node: process.execPath, env: { ...scene.environment } };
    writeFileSync(
      orders,
      JSON.stringify({ tests: name, report, cli, onlooker: onlooker.url } satisfies Orders),
    );
    await scene.runTests(join(root, 'dist', 'test', 'host', 'index.cjs'), limitMs, pages ? 'again' : 'new');
  } finally {
    await onlooker.end();
    await scene.end();
  }
}

/** Of the window that was opened before the tests' own. */
function sights(scene: EditorScene): Sights {
  return {
    'page/SAMPL-1': () => scene.workbench.shownPage('SAMPL-1'),
    'page/SAMPL-2': () => scene.workbench.shownPage('SAMPL-2'),
    'page/SAMPL-3': () => scene.workbench.shownPage('SAMPL-3'),
    rows: async () => (await scene.workbench.rows.allInnerTexts()).join('\n'),
    close: () => scene.workbench.leave(),
  };
}

/**
 * Opens the pages of three tickets and types into two of them, leaves the window, and removes the third
 * ticket. What is open is kept in the browser, and the editor takes its time over it, except where it reloads
 * a window itself: then it is kept before the window goes.
 */
async function leavePages(scene: EditorScene): Promise<void> {
  const { workbench } = scene;
  workbench.page.setDefaultTimeout(60_000);
  await scene.cli('create', '--title', 'Is gone');
  await workbench.run('Beadsmith: Open Ticket');
  await workbench.choose('Is gone');
  await (await workbench.openedPage('SAMPL-3')).getByRole('heading', { name: 'SAMPL-3 Is gone' }).waitFor();
  await workbench.run('Beadsmith: Open Interview');
  await (await workbench.openedPage('SAMPL-1')).getByLabel('Your answer').first().fill('Above all children.');
  await workbench.run('Beadsmith: Review and Approve');
  const approval = await workbench.openedPage('SAMPL-2');
  await approval.getByRole('button', { name: 'Edit', exact: true }).click();
  await approval.locator('textarea').first().fill('Nobody is told goodbye.');
  await workbench.reloadWindow('load');
  await workbench.leave();
  await until(() => !existsSync(join(scene.stateFolder, 'owner.json')), 'nobody drives');
  await remove(scene.stateFolder, 'SAMPL-3');
}

/**
 * Removes a draft, as if an older database had been restored: what notices one that wasn't is gone as well.
 */
async function remove(stateFolder: string, ticket: string): Promise<void> {
  const database = new SqliteDatabase(stateFolder);
  try {
    rmSync(join(stateFolder, 'state.tips'));
    await whenFree(() =>
      database.exec(
        `DELETE FROM journal WHERE ticket = '${ticket}'; DELETE FROM tickets WHERE id = '${ticket}';`,
      ),
    );
  } finally {
    database.close();
  }
}
