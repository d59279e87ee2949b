import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { codingTasks } from '../support/codingTasks.ts';
import { EditorScene } from '../support/editorScene.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

/** Model calls, git and test runs lie in between. */
const slow = { timeout: 90_000 };

/** One ticket from the approval of its setup to its review, as its page shows it; each test goes on where the one before stopped. */
describe('the ticket page', function () {
  this.bail(true);
  let scene: EditorScene;
  let workbench: Workbench;
  let page: Frame;
  const button = (name: string | RegExp): ReturnType<Frame['locator']> => page.getByRole('button', { name });
  const tab = (name: string): ReturnType<Frame['locator']> => page.getByRole('tab', { name, exact: true });
  const open = async (): Promise<void> => {
    await workbench.run('Beadsmith: Open Ticket');
    page = await workbench.openedPage('ticket');
  };

  before(async function () {
    this.timeout(240_000);
    scene = await EditorScene.start({
      atSetup: { title: 'Greet by name', options: ['--qa', '--iterations', '0'] },
      tasks: codingTasks({ fails: true, delayMs: 2_500 }),
    });
    workbench = scene.workbench;
    await scene.drive();
  });

  after(async function () {
    this.timeout(60_000);
    await scene.end();
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await workbench.screenshots('failed-ticket');
    console.error(scene.output.slice(-2_000));
  });

  it('says what the ticket is and what can be done now', async () => {
    await open();
    await page.getByRole('heading', { name: 'SAMPL-1 Greet by name' }).waitFor();
    await page.locator('.facts', { hasText: 'ticket/SAMPL-1, from' }).waitFor();
    await page.getByText(/Beads: 0 of \d+ done/).waitFor();
    await button(/Approve/).waitFor();
    await workbench.allScreenshots('ticket-page');
  });

  it('leads through its tabs by keyboard alone', async () => {
    const { keyboard } = workbench.page;
    await workbench.tabTo(tab('Overview'));
    await keyboard.press('ArrowRight');
    await page.locator('.timeline > li', { hasText: 'Interview' }).locator('.run', { hasText: 'Interview' }).first().waitFor();
    await workbench.screenshots('ticket-timeline');
    await keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'PRD' }).waitFor();
    await page
      .getByRole('rowheader', { name: /scripted\/alpha.*Winner/ })
      .first()
      .waitFor();
    await workbench.screenshots('ticket-council');
    await keyboard.press('End');
    await page.getByRole('columnheader', { name: 'Cache read' }).first().waitFor();
    await page.getByRole('rowheader', { name: 'Preparation' }).waitFor();
    await workbench.screenshots('ticket-tokens');
  });

  it('shows what a model was sent and what came back, and leads back to where one was', async () => {
    const { keyboard } = workbench.page;
    await keyboard.press('ArrowLeft');
    const call = page.locator('.call').nth(1);
    await workbench.tabTo(call);
    await workbench.screenshots('ticket-calls');
    await keyboard.press('Enter');
    await page.getByRole('region', { name: 'Input' }).waitFor();
    await workbench.tabTo(tab('Input'));
    await keyboard.press('ArrowRight');
    assert.notEqual((await page.getByRole('region', { name: 'Output' }).innerText()).trim(), '');
    await workbench.screenshots('ticket-call');
    await keyboard.press('Escape');
    await call.and(page.locator(':focus')).waitFor();
  });

  it('finds lines of the log, and keeps tab and search over a reload of the window', async () => {
    await tab('Logs').click();
    await page.locator('.line').first().waitFor();
    const all = await page.locator('.line').count();
    await page.getByLabel('Search the log').fill('WAITING_PRD');
    await page.locator('.line', { hasText: 'WAITING_PRD_APPROVAL' }).first().waitFor();
    await until(async () => (await page.locator('.line').count()) < all, 'other lines are gone');
    await workbench.screenshots('ticket-log');
    await workbench.reloadWindow();
    page = await workbench.openedPage('ticket', 40_000);
    assert.equal(await tab('Logs').getAttribute('aria-selected'), 'true');
    assert.equal(await page.getByLabel('Search the log').inputValue(), 'WAITING_PRD');
    await page.getByLabel('Search the log').fill('');
  });

  it('shows the bead in work and what the model does, as it happens', async () => {
    await tab('Overview').click();
    await scene.cli('approve', 'SAMPL-1', '--no-wait');
    await page.locator('.bead[aria-current=step]', { hasText: /iteration 1 · since/ }).waitFor(slow);
    await page
      .getByRole('log', { name: 'Live activity' })
      .getByText(/write completed/)
      .first()
      .waitFor(slow);
    await workbench.screenshots('ticket-coding');
  });

  it('says why it is blocked, and goes on from there', async () => {
    await page.getByRole('heading', { name: 'This ticket is blocked' }).waitFor(slow);
    await page.getByText('BEAD_RETRY_BUDGET_EXHAUSTED').waitFor();
    await button('Cancel…').waitFor();
    await workbench.allScreenshots('ticket-blocked');
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    await page.getByRole('heading', { name: 'This ticket is blocked' }).waitFor({ state: 'hidden', ...slow });
  });

  it('takes the results of manual QA, once they can be understood', async () => {
    await page.getByRole('heading', { name: 'Manual QA, round 1' }).waitFor(slow);
    const items = page.locator('.qa-item');
    await items.first().getByLabel('Fail').check();
    await page.getByText('Say what you saw where something failed.').waitFor();
    assert.equal(await button('Send Results').getAttribute('aria-disabled'), 'true');
    await workbench.screenshots('ticket-qa');
    for (const item of await items.all()) await item.getByLabel('Pass').check();
    await button('Send Results').click();
    await page.getByRole('heading', { name: /Manual QA/ }).waitFor({ state: 'hidden', ...slow });
  });

  it('shows at review what a reviewer needs, also where there is little room', async () => {
    await tab('Review').waitFor(slow);
    await tab('Review').click();
    await page.getByRole('heading', { name: /Changed files: \d/ }).waitFor();
    await page.getByText('beadsmith-notes/').first().waitFor();
    await page.locator('details', { hasText: 'passed' }).first().locator('summary').click();
    await workbench.allScreenshots('ticket-review');
    await workbench.page.setViewportSize({ width: 640, height: 800 });
    const html = page.locator('html');
    await until(() => html.evaluate(({ clientWidth }) => clientWidth < 400), 'the page is narrow');
    assert.equal(await html.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0, 'nothing sticks out');
    await workbench.screenshots('ticket-narrow');
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('asks before it merges, as everywhere else', async () => {
    await button('Merge…').click();
    await workbench.answerDialog('Merge');
    await page.locator('.status', { hasText: 'Completed' }).waitFor(slow);
    await workbench.screenshots('ticket-completed');
  });
});
