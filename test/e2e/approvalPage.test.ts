import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { EditorScene } from '../support/editorScene.ts';
import type { Workbench } from '../support/workbench.ts';

/** Model calls of a whole phase lie in between. */
const slow = { timeout: 180_000 };

/** From the PRD to the setup plan on one page; each test goes on where the one before stopped. */
describe('the approval page', function () {
  this.bail(true);
  let scene: EditorScene;
  let workbench: Workbench;
  let page: Frame;
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: typeof name === 'string' });
  const bead = (title: string): Locator => page.locator('.bead', { hasText: title });
  const tab = (name: RegExp): Locator => page.getByRole('tab', { name });

  before(async function () {
    this.timeout(300_000);
    scene = await EditorScene.start({ atPrd: 'Greet by name' });
    workbench = scene.workbench;
    // A screenshot of a window with a page in it takes long where there are no processors to spare.
    workbench.page.setDefaultTimeout(60_000);
    await scene.drive();
  });

  after(async function () {
    this.timeout(60_000);
    await scene.end();
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await workbench.screenshots('failed-approval');
    console.error(scene.output.slice(-2_000));
  });

  it('shows the PRD that waits, how it came about, and the answers it is made from', async () => {
    await workbench.run('Beadsmith: Open Approval Page');
    page = await workbench.openedPage('approval');
    await tab(/PRD.*waits for your approval/).waitFor();
    await page.getByText('scripted/alpha proposed it').waitFor();
    await page.getByRole('heading', { name: 'Epics' }).waitFor();
    await button('Show Full Answers').click();
    await page.getByRole('complementary', { name: 'Full Answers' }).getByText('filled in by the model').first().waitFor();
    await workbench.allScreenshots('approval-prd');
    await button('Hide Full Answers').click();
  });

  it('keeps what is typed over a reload, and says what is wrong with it', async () => {
    await button('Edit').click();
    await button('Add to User stories').first().click();
    await page.locator('[data-path$=".title"]:focus').waitFor();
    await workbench.page.keyboard.type('Greet nobody');
    await page.getByText(/user_stories\.\d+\.acceptance_criteria\.0/).waitFor();
    assert.equal(await button('Save Changes').getAttribute('aria-disabled'), 'true');
    await workbench.reloadWindow();
    page = await workbench.openedPage('approval', 40_000);
    await button(/^Go to epics\.0\.user_stories/).click();
    await page.locator('[data-path$="acceptance_criteria.0"]:focus').waitFor();
    await workbench.page.keyboard.type('An empty name is refused.');
    await page.getByText('Correct this before it can be saved').waitFor({ state: 'hidden' });
    await workbench.allScreenshots('approval-prd-edit');
  });

  it('approves nothing that differs from what is stored', async () => {
    await button('Approve').click();
    await page.getByText('You have changes that aren’t saved.').waitFor();
    await button('Save Changes').click();
    await page.getByText('Saved.').waitFor();
    await page.getByText('version 2', { exact: true }).waitFor();
    await button('Read').click();
    await page.getByRole('heading', { name: /US-1-\d Greet nobody/ }).waitFor();
  });

  it('compares the present version with the one before', async () => {
    await button('Compare').click();
    await workbench.page.locator('.editor-group-container .tab', { hasText: 'version 1 ↔ present version' }).waitFor();
    await workbench.page.locator('.monaco-diff-editor .view-line', { hasText: 'Greet nobody' }).first().waitFor();
    await workbench.run('Beadsmith: Open Approval Page');
    page = await workbench.openedPage('approval');
  });

  it('goes on to the beads when the PRD is approved', async () => {
    await button('Approve').click();
    await tab(/Beads.*waits for your approval/).waitFor(slow);
    await bead('Greet nobody').waitFor();
    assert.equal(await page.locator('.graph .node').count(), await page.locator('.bead').count());
  });

  it('leads through the graph by keyboard', async () => {
    const { keyboard } = workbench.page;
    await page.locator('.graph .node[tabindex="0"]').focus();
    await keyboard.press('ArrowDown');
    await page.locator('.graph .node:focus', { hasText: 'Greet nobody' }).waitFor();
    await keyboard.press('ArrowUp');
    assert.equal(await page.locator('.graph .node:focus', { hasText: 'Greet nobody' }).count(), 0);
    await workbench.allScreenshots('approval-beads');
  });

  it('refuses a circle at once and says which', async () => {
    await button('Edit').click();
    await page.getByLabel('Let it wait for').selectOption({ index: 1 });
    await page
      .getByRole('alert')
      .getByText(/That would go in a circle: .* waits for Greet nobody waits for/)
      .waitFor();
    assert.equal(await button('Save Changes').count(), 0);
    await workbench.allScreenshots('approval-circle');
  });

  it('moves, frees and splits beads, and saves the plan', async () => {
    await bead('Greet nobody').click();
    await button(/^No longer wait for/).click();
    await bead('Greet nobody').focus();
    await workbench.page.keyboard.press('Alt+ArrowUp');
    await page.locator('.bead', { hasText: /^1\s*Greet nobody/ }).waitFor();
    await button('Split…').click();
    await page.getByLabel('Title of the second bead').fill('Greet nobody, tested');
    await page.getByLabel(/test\.m?js passes/).check();
    await button('Split').click();
    await bead('Greet nobody, tested').waitFor();
    await workbench.allScreenshots('approval-beads-edit');
    await button('Save Changes').click();
    await page.getByText('Saved.').waitFor();
    await page.getByText('version 2', { exact: true }).waitFor();
    assert.match((await page.locator('.bead').allInnerTexts()).join('|'), /1\s*Greet nobody\|2\s*Greet nobody, tested\|3/);
  });

  it('fits into a narrow column', async () => {
    await workbench.page.setViewportSize({ width: 700, height: 900 });
    await page.locator('.plan').waitFor();
    await workbench.screenshots('approval-narrow');
    assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth'), true);
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('approves the plan as it was saved, and shows the setup plan next', async () => {
    await button('Approve').click();
    await tab(/Setup plan.*waits for your approval/).waitFor(slow);
    await workbench.allScreenshots('approval-setup');
  });
});
