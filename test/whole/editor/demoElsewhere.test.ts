import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cachedOpencode } from '../../../src/adapters/opencode/server/findOpencode.ts';
import { DemoScene } from '../../support/editor/demoScene.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import { type TempRepository, tempRepository } from '../../support/git/tempRepository.ts';
import { until } from '../../support/until.ts';
import { Workbench } from '../../support/editor/workbench.ts';

const slow = { timeout: 90_000 };

/**
 * A person with work of their own and without OpenCode wants the demo in another window and a chosen folder.
 */
describe('the demo beside other work', function () {
  this.bail(true);
  const place = tempFolder('elsewhere');
  const cache = join(place.path, 'cache');
  const chosen = join(place.path, 'chosen');
  let repository: TempRepository;
  let scene: DemoScene;
  let first: Workbench;
  let second: Workbench | undefined;

  before(async function () {
    this.timeout(90_000);
    mkdirSync(chosen);
    repository = await tempRepository();
    scene = await DemoScene.start({ folder: repository.root, demos: chosen, cache });
    first = scene.workbench;
  });

  after(async function () {
    this.timeout(60_000);
    await scene.end();
    await repository.remove();
    place.remove();
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    for (const [name, window] of Object.entries({ first, second })) {
      await window?.failed(`demo-elsewhere-${name}`);
      console.error(name, await window?.notifications());
    }
    console.error(scene.output.slice(-2_000));
  });

  it('installs nothing from the view without consent', async () => {
    await first.showView();
    await button('Install OpenCode…').click();
    await dialog(/Install OpenCode .* for your user\?/).waitFor();
    await first.answerDialog('Cancel');
    assert.equal(existsSync(cache), false);
  });

  it('makes nothing when OpenCode is missing and not wanted', async () => {
    await askForDemo();
    await first.answerDialog('Cancel');
    assert.deepEqual([existsSync(cache), scene.folders()], [false, []]);
  });

  it('installs OpenCode after asking, and opens in a new window, in the folder that was chosen', async function () {
    this.timeout(300_000);
    await askForDemo();
    const opening = first.page.waitForEvent('popup', { timeout: 240_000 });
    await first.answerDialog('Install');
    const page = await opening;
    page.setDefaultTimeout(60_000);
    second = new Workbench(page);
    await page.locator('.monaco-workbench .activitybar').waitFor(slow);
    assert.deepEqual(scene.folders(), [join(chosen, 'beadsmith-demo')]);
    assert.ok(existsSync(cachedOpencode({ BEADSMITH_CACHE: cache })));
    assert.deepEqual(readdirSync(join(cache, 'opencode')).length, 1, 'nothing half done is left');
    await button('New Ticket').waitFor();
    assert.equal(new URL(first.page.url()).searchParams.get('folder'), repository.root);
  });

  it('runs its ticket there with what was installed', async () => {
    await second?.row(/· Add CSV export/).waitFor(slow);
    await second?.row(/Needs Input/).waitFor(slow);
    await second?.screenshots('demo-elsewhere');
  });

  it('continues without its window being reloaded when its scripted model was killed', async () => {
    const models = `${await scene.model()}/models`;
    await second?.takeAction('Skip Remaining');
    await second?.write('Reason, shown to the models', 'The script knows.');
    await second?.row('Approve interview').waitFor(slow);
    await scene.killModel();
    await second?.takeAction('Approve in Quick Pick');
    await second?.choose('Approve');
    await second?.answerDialog('Approve');
    await second?.row('Approve PRD').waitFor(slow);
    assert.equal((await fetch(models)).status, 200);
  });

  it('goes through its gates to a bead that is coded', async () => {
    for (const gate of ['Approve PRD', 'Approve beads', 'Approve setup']) {
      await second?.row(gate).waitFor(slow);
      await second?.takeAction('Approve in Quick Pick');
      await second?.choose('Approve');
      await second?.answerDialog('Approve');
      await second?.row(gate).waitFor({ state: 'hidden', ...slow });
    }
    await second?.row(/[1-4]\/4 beads/).waitFor(slow);
    assert.match(await scene.git('log', '--format=%s', 'ticket/STOCK-1'), /^bead\(report-filters\)/m);
  });

  it('is offered again, beside another one', async () => {
    await first.run('Beadsmith: Try the Demo Ticket');
    await first.choice('Open existing demo').waitFor();
    await first.choice('Create Another').waitFor();
    await first.page.keyboard.press('Escape');
    await first.quickInput.waitFor({ state: 'hidden' });
    assert.equal(scene.folders().length, 1);
  });

  it('isn’t deleted while its window is open', async () => {
    await remove();
    await first.showNotifications();
    await first.notification(/is in use by another window or command/).waitFor();
    assert.equal(scene.folders().length, 1);
    assert.equal(await second?.row(/STOCK-1/).count(), 1);
  });

  it('is deleted when that is closed, and leaves the other window and OpenCode alone', async () => {
    const [folder = ''] = scene.folders();
    await second?.leave();
    await until(
      () => !existsSync(join(folder, 'stockroom', '.git', 'beadsmith', 'owner.json')),
      'nobody drives it',
    );
    await remove();
    await until(() => scene.folders().length === 0, 'the folder is gone');
    assert.equal(new URL(first.page.url()).searchParams.get('folder'), repository.root);
    assert.ok(existsSync(cachedOpencode({ BEADSMITH_CACHE: cache })));
  });

  async function askForDemo(): Promise<void> {
    await first.run('Beadsmith: Try the Demo Ticket');
    await dialog('OpenCode isn’t installed. You’re asked before it’s downloaded.').waitFor();
    await first.answerDialog('Choose Another Folder…');
    await first.acceptFolder(chosen, 'Create Here');
    await first.choose('In a new window');
    await dialog(/Install OpenCode .* for your user\?/).waitFor();
  }

  async function remove(): Promise<void> {
    await first.run('Beadsmith: Remove Demo');
    await dialog('Remove the demo?').waitFor();
    await first.answerDialog('Delete');
  }

  function button(label: string) {
    return first.page.locator('.welcome-view-content .monaco-button', { hasText: label });
  }

  function dialog(text: string | RegExp) {
    return first.page.locator('.monaco-dialog-box', { hasText: text });
  }
});
