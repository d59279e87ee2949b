import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteDatabase } from '../../src/adapters/store/sqlite/database.ts';
import { whenFree } from '../../src/adapters/store/sql/whenFree.ts';
import type { EditorScene } from '../support/editor/editorScene.ts';
import { until } from '../support/until.ts';

/**
 * Opens the pages of three tickets and types into two of them, leaves the window, and removes the third
 * ticket. What is open is kept in the browser, and the editor takes its time over it, except where it reloads
 * a window itself: then it is kept before the window goes.
 */
export async function leavePages(scene: EditorScene): Promise<void> {
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
