import assert from 'node:assert/strict';
import type { EditorScene } from '../../support/editor/editorScene.ts';
import { sharedScene } from '../../support/editor/sharedScene.ts';
import { until } from '../../support/until.ts';
import type { Workbench } from '../../support/editor/workbench.ts';

const slow = { timeout: 150_000 };
/** Also on a machine with much to do. */
const soonMs = 20_000;

/** The window follows until the driving one is closed; each test continues where the one before stopped. */
describe('a window that follows', function () {
  let scene: EditorScene;
  let driver: Workbench;
  let follower: Workbench;

  sharedScene(
    this,
    { name: 'following', tickets: [{ title: 'Greet by name', at: 'interview' }] },
    async (started) => {
      scene = started;
      driver = scene.workbench;
      await scene.drive();
      follower = await scene.openWindow();
      await follower.run('Focus on Tickets View');
      await follower.message(/Another window or process is working/).waitFor();
    },
  );

  it('answers the interview, and both show the same', async () => {
    await follower.run('Beadsmith: Open Interview');
    const page = await follower.openedPage();
    await page.getByLabel('Your answer').first().waitFor();
    for (const field of await page.getByLabel('Your answer').all()) await field.fill('Above all children.');
    await page.getByRole('button', { name: 'Send Answers' }).click();
    await page.locator('.answered > li', { hasText: 'Above all children.' }).first().waitFor(slow);
    await page.getByRole('button', { name: 'Skip Remaining…' }).click(slow);
    await page.getByLabel('Reason, shown to the models').fill('Enough said.');
    await page.getByRole('button', { name: 'Skip Remaining', exact: true }).click();
    for (const window of [driver, follower]) await window.row('Approve interview').waitFor(slow);
    await showTheSame();
  });

  it('approves a gate, and the driver continues', async () => {
    await follower.takeAction('Approve in Quick Pick');
    await follower.choice('Approve').first().waitFor();
    await follower.choose('Approve');
    await follower.answerDialog('Approve');
    for (const window of [driver, follower]) await window.row(/PRD · /).waitFor(slow);
    assert.equal(await driver.message(/Another window/).count(), 0);
  });

  it('shows within moments what the other one files', async () => {
    await scene.cli('create', '--title', 'Say goodbye');
    for (const window of [driver, follower]) await window.row('· Say goodbye').waitFor({ timeout: soonMs });
  });

  it('drives when the other one is closed in the midst of work, which continues', async () => {
    await driver.leave();
    await follower.message(/Another window or process is working/).waitFor({ state: 'detached', ...slow });
    await follower.row('Approve PRD').waitFor(slow);
    await follower.screenshots('took-over');
    await driver.page.goBack();
    await driver.message(/Another window or process is working/).waitFor();
    await showTheSame();
    const asked = scene.requests().map(({ sha256 }) => sha256);
    assert.equal(new Set(asked).size, asked.length, 'no prompt was sent twice');
  });

  async function showTheSame(): Promise<void> {
    const rows = async (window: Workbench): Promise<string> => (await window.rows.allInnerTexts()).join('\n');
    await until(
      async () => (await rows(driver)) === (await rows(follower)),
      'both windows show the same rows',
      soonMs,
    );
  }
});
