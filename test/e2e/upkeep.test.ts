import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EditorScene } from '../support/editor/editorScene.ts';
import type { Workbench } from '../support/editor/workbench.ts';

/** While the window works on the tickets. */
describe('upkeep in the editor', function () {
  this.bail(true);
  let scene: EditorScene;
  let workbench: Workbench;
  let state: string;

  before(async function () {
    this.timeout(90_000);
    scene = await EditorScene.start({ tickets: [{ title: 'Greet by name', at: 'draft' }] });
    workbench = scene.workbench;
    await scene.drive();
    state = join(scene.repository.root, '.git', 'beadsmith');
  });

  after(async function () {
    this.timeout(60_000);
    await scene.end();
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await workbench.failed('upkeep');
    console.error(await workbench.notifications());
  });

  it('says that there is nothing, as long as no ticket is finished', async () => {
    await workbench.run('Beadsmith: Clean Up');
    await workbench.showNotification('Nothing to clean up');
    await workbench.hideNotifications();
  });

  it('shows what a finished ticket left, and removes what is chosen after a warning', async () => {
    const database = new DatabaseSync(join(state, 'state.db'));
    database.exec(`UPDATE tickets SET status = 'CANCELED', body = json_set(body, '$.updatedAt', 1000000000)`);
    database.close();
    mkdirSync(join(state, 'left', 'SAMPL-1', '1'), { recursive: true });
    writeFileSync(join(state, 'left', 'SAMPL-1', '1', '.env'), 'KEY=1\n');
    mkdirSync(join(state, 'logs'), { recursive: true });
    writeFileSync(join(state, 'logs', 'SAMPL-1.jsonl'), '{}\n'.repeat(1_000));
    await workbench.row('Done').waitFor();
    await workbench.run('Beadsmith: Clean Up');
    await workbench.choice('SAMPL-1: ignored files of the worktree').waitFor();
    await workbench.screenshots('clean-up');
    await workbench.page.keyboard.press('Enter');
    await workbench.page.locator('.monaco-dialog-box', { hasText: 'Remove 3.0 kB?' }).waitFor();
    await workbench.screenshots('clean-up-warning');
    await workbench.answerDialog('Remove');
    await workbench.showNotifications();
    await workbench.notification('Removed 3.0 kB.').waitFor();
    await workbench.hideNotifications();
    assert.deepEqual(
      [
        existsSync(join(state, 'logs', 'SAMPL-1.jsonl')),
        existsSync(join(state, 'left', 'SAMPL-1', '1', '.env')),
      ],
      [false, true],
    );
  });

  it('goes back to a backup, and says before which tickets changed since', async () => {
    await workbench.run('Beadsmith: Restore Backup');
    await workbench.choice('tickets: 1').waitFor();
    await workbench.screenshots('restore-backup');
    await workbench.page.keyboard.press('Enter');
    await workbench.answerDialog('Restore');
    await workbench.showNotifications();
    await workbench.notification('Restored the backup of').waitFor();
    await workbench.row(/SAMPL-1/).waitFor();
    assert.ok(readdirSync(state).some((name) => name.startsWith('state.db.damaged-')));
  });
});
