import assert from 'node:assert/strict';
import { isAlive } from '../../src/adapters/system/processes.ts';
import { DemoScene } from '../support/editor/demoScene.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/editor/workbench.ts';

const slow = { timeout: 90_000 };
const ticket = /· Add CSV export/;

/** Without a key; each test continues where the one before stopped. */
describe('the walkthrough', function () {
  this.bail(true);
  let scene: DemoScene;
  let workbench: Workbench;

  before(async function () {
    this.timeout(90_000);
    scene = await DemoScene.start();
    workbench = scene.workbench;
  });

  after(async function () {
    this.timeout(60_000);
    await scene.end();
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await workbench.failed('walkthrough');
    console.error(await workbench.notifications(), scene.output.slice(-2_000));
  });

  it('opens from the palette, and shows its steps in every theme', async () => {
    await workbench.run('Beadsmith: Get Started');
    for (const title of [
      'Open the Tickets view',
      'Install OpenCode',
      'Choose your models',
      'Create your first ticket',
      'Try the demo ticket',
    ])
      await step(title).waitFor();
    await workbench.allScreenshots('walkthrough-tickets');
  });

  it('ends a step when what it is about was done', async () => {
    await step('Open the Tickets view').click();
    await workbench.page.locator('.getting-started-step .monaco-button', { hasText: 'Show Tickets' }).click();
    await step('Open the Tickets view').locator('.codicon-getting-started-step-checked').first().waitFor();
    await workbench.page
      .locator('.welcome-view-content .monaco-button', { hasText: 'Try the Demo Ticket' })
      .waitFor();
  });

  it('offers in an empty window what works there, and nothing else', async () => {
    const offers = workbench.page.locator('.welcome-view-content .monaco-button');
    assert.deepEqual(await offers.allInnerTexts(), ['Open Folder', 'Try the Demo Ticket…']);
  });

  it('says what the demo would do, and does nothing when that isn’t wanted', async () => {
    await step('Try the demo ticket').click();
    await workbench.allScreenshots('walkthrough-demo');
    await workbench.page
      .locator('.getting-started-step .monaco-button', { hasText: 'Try the Demo Ticket' })
      .click();
    await workbench.page.locator('.monaco-dialog-box', { hasText: 'recorded answers and no AI' }).waitFor();
    await workbench.answerDialog('Cancel');
    assert.deepEqual(scene.folders(), []);
  });

  it('opens the demo in a folder of its own, where nothing runs before that is trusted', async () => {
    await workbench.run('Beadsmith: Try the Demo Ticket');
    await workbench.answerDialog('Create and Open');
    await workbench.page
      .locator('.welcome-view-content .monaco-button', { hasText: 'Manage Workspace Trust' })
      .waitFor(slow);
    await workbench.showNotifications(slow);
    await workbench.notification(/The demo starts when you trust this folder/).waitFor();
    assert.equal(scene.folders().length, 1);
    assert.equal(await scene.opencode(), undefined);
    assert.deepEqual(scene.state(), ['demo.json']);
  });

  it('runs its ticket to the interview without a key, and says that a script plays the models', async () => {
    await workbench.answerNotification(/The demo starts/, 'Manage Workspace Trust');
    await workbench.page
      .locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' })
      .first()
      .click();
    await workbench.row(ticket).waitFor(slow);
    await workbench.page.locator('.monaco-modal-editor-block .codicon-close').last().click();
    await workbench.message('Scripted model: recorded answers, no AI').waitFor();
    await workbench.row(/Needs Input/).waitFor(slow);
    await workbench.showNotifications();
    await workbench.notification(/STOCK-1 is running. Scripted model: recorded answers, no AI/).waitFor();
    await workbench.screenshots('demo-interview');
    assert.equal((await fetch(`${await scene.model()}/models`)).status, 200);
  });

  it('continues after the window was reloaded', async () => {
    await workbench.reload();
    await workbench.row(/Needs Input/).waitFor(slow);
  });

  it('deletes the demo after a warning, with everything that ran for it', async () => {
    const [model, opencode] = [await scene.model(), await scene.opencode()];
    await workbench.run('Beadsmith: Remove Demo');
    await workbench.page.locator('.monaco-dialog-box', { hasText: 'Remove the demo?' }).waitFor();
    await workbench.answerDialog('Delete');
    await until(() => scene.folders().length === 0, 'the folder is gone');
    await workbench.page.waitForURL(/[?&]ew=true/);
    await assert.rejects(fetch(`${model}/models`));
    assert.ok(opencode);
    assert.equal(await isAlive(opencode.server), false);
  });

  function step(title: string) {
    return workbench.page
      .locator('.getting-started-category .getting-started-step, button.getting-started-step', {
        hasText: title,
      })
      .first();
  }
});
