import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EditorScene } from '../support/editor/editorScene.ts';
import { sharedScene } from '../support/editor/sharedScene.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/editor/workbench.ts';

/** Without trust and a model; each test continues where the one before stopped. */
describe('the editor in Restricted Mode', function () {
  let scene: EditorScene;
  let workbench: Workbench;
  const settings = { 'security.workspace.trust.startupPrompt': 'never', 'beadsmith.mainImplementer': '' };
  sharedScene(
    this,
    { name: 'restricted', trusted: false, settings, tickets: [{ title: 'Greet by name', at: 'draft' }] },
    (started) => {
      scene = started;
      workbench = scene.workbench;
    },
  );

  it('shows tickets, says that they can only be read, and starts nothing', async () => {
    await workbench.showView();
    await workbench.row(/Draft · Greet by name/).waitFor();
    await workbench.page
      .locator('.sidebar', { hasText: 'Restricted Mode: tickets are read-only.' })
      .waitFor();
    await workbench.screenshots('restricted');
    assert.deepEqual(
      ['owner.json', 'opencode', 'servers'].filter((name) => existsSync(join(scene.stateFolder, name))),
      [],
    );
  });

  it('checks what is stored, and says what it does not check', async () => {
    await workbench.run('Beadsmith: Check Setup');
    const page = await workbench.openedPage();
    await page
      .getByText(/Failed: 0\./)
      .first()
      .waitFor();
    for (const subject of ['git', 'OpenCode', 'Models']) {
      const line = page.locator('.check-skip', {
        hasText: new RegExp(`${subject} Not checked: .*isn’t trusted`),
      });
      await line.getByRole('button', { name: /^Manage Workspace Trust/ }).waitFor();
    }
    const passed = page.locator('.check-pass');
    await passed.filter({ hasText: /Database schema \d+/ }).waitFor();
    await passed.filter({ hasText: /Journals tickets: 1, entries: \d+, every chain valid/ }).waitFor();
    await workbench.screenshots('setup-restricted');
    assert.equal(existsSync(join(scene.stateFolder, 'owner.json')), false);
  });

  it('drives as soon as the folder is trusted', async () => {
    await workbench.run('Workspaces: Manage Workspace Trust');
    await workbench.page
      .locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' })
      .first()
      .click();
    await until(() => existsSync(join(scene.stateFolder, 'owner.json')), 'the window drives');
    await workbench.page.locator('.monaco-modal-editor-block .codicon-close').last().click();
    await workbench.page.locator('.sidebar', { hasText: 'Restricted Mode' }).waitFor({ state: 'hidden' });
  });

  it('offers the models OpenCode knows when none is set, and leaves a draft alone that is not started', async () => {
    await workbench.run('Beadsmith: Start Ticket');
    await workbench.choose('In council');
    await workbench.choice('scripted/alpha').waitFor();
    await workbench.choice('scripted/beta').hover();
    await workbench.choice('scripted/beta').getByRole('button', { name: 'Add to Favorites' }).click();
    await workbench.choice(/^\s*scripted\/beta[^]*favorites/).waitFor();
    await workbench.screenshots('choose-model');
    await workbench.choose('scripted/alpha');
    await workbench.choice('scripted/alpha').waitFor({ state: 'hidden' });
    await workbench.choice('scripted/beta').waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.quickInput.waitFor({ state: 'hidden' });
    await workbench.row(/Draft · Greet by name/).waitFor();
  });
});
