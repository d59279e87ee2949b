import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cachedOpencode } from '../../../src/adapters/opencode/server/findOpencode.ts';
import { DemoScene } from '../../support/editor/demoScene.ts';
import { PrimaryWay } from '../../support/editor/primaryWay.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import { type TempRepository, tempRepository } from '../../support/git/tempRepository.ts';
import { until } from '../../support/until.ts';
import { Workbench } from '../../support/editor/workbench.ts';

const slow = { timeout: 90_000 };
const ticket = /· Add CSV export/;

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
  let way: PrimaryWay | undefined;

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
    await second?.row(ticket).waitFor(slow);
    await second?.row(/Needs Input/).waitFor(slow);
    await second?.screenshots('demo-elsewhere');
  });

  it('leads from the interview to the merge by what stands out, past a diff of each bead, though its scripted model was killed', async function () {
    this.timeout(600_000);
    assert.ok(second);
    const models = `${await scene.model()}/models`;
    await second.row(ticket).click();
    await second.openedPage('STOCK-1');
    await scene.killModel();
    way = new PrimaryWay(second, { id: 'STOCK-1', title: 'Add CSV export' });
    await way.walk();
    console.log(`      ${way.summary('demo ticket')}`);
    assert.ok(way.stops.length <= 9, way.stops.join(', '));
    assert.equal(way.diffs.length, 4);
    assert.match(await scene.git('log', '--format=%s', 'main'), /^bead\(cli-csv-option\)/m);
    assert.equal((await fetch(models)).status, 200);
  });

  it('keeps in sight what decides about a plan', () => {
    const [decided = [], outOfSight = []] = [way?.stops, way?.outOfSight];
    assert.ok(decided.includes('Approve PRD'), decided.join(', '));
    assert.deepEqual(
      outOfSight.filter((stop) => stop.startsWith('Approve')),
      [],
    );
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
