import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import {
  assertAccessible,
  assertAccessibleInEveryTheme,
  leastContrast,
} from '../support/editor/accessible.ts';
import { ApprovalPage } from '../support/editor/editorPages.ts';
import { choiceQuestions } from '../support/models/choiceQuestions.ts';
import { sharedScene } from '../support/editor/sharedScene.ts';
import type { Workbench } from '../support/editor/workbench.ts';

/** As much of a browser as is needed. */
interface Element {
  readonly shadowRoot: { querySelector(selector: string): unknown };
}
declare function getComputedStyle(element: unknown): { readonly backgroundColor: string };

const slow = { timeout: 180_000 };

/** Each test continues where the one before stopped. */
describe('the approvals on the page of a ticket', function () {
  let workbench: Workbench;
  let page: ApprovalPage;
  sharedScene(
    this,
    {
      name: 'approval',
      tickets: [{ title: 'Greet by name', at: 'prd' }],
      questions: choiceQuestions,
      settings: leastContrast,
    },
    async (scene) => {
      workbench = scene.workbench;
      page = new ApprovalPage(workbench);
      // Screenshots of a window with a page take long on a busy machine.
      workbench.page.setDefaultTimeout(60_000);
      await scene.drive();
    },
  );

  it('shows the PRD that waits, how it was decided, and the answers it is made from', async () => {
    await workbench.row('Approve PRD').first().hover();
    await workbench
      .row('Approve PRD')
      .first()
      .locator('.action-label[aria-label^="Review and Approve"]')
      .click();
    await page.comeBack();
    await page.document(/PRD.*waiting for your approval/).waitFor();
    await page.frame.getByText('scripted/alpha proposed it').waitFor();
    await page.frame.getByRole('heading', { name: 'Epics' }).waitFor();
    await page.button('Show Full Answers').click();
    await page.frame
      .getByRole('complementary', { name: 'Full Answers' })
      .getByText('filled in by the model')
      .first()
      .waitFor();
    await workbench.allScreenshots('approval-prd');
    await assertAccessibleInEveryTheme(workbench, page.frame, 'the PRD');
    await page.button('Hide Full Answers').click();
  });

  it('keeps what is typed when its tab is closed and over a reload, and says what is wrong with it', async () => {
    await page.button('Edit').click();
    await page.button('Add to User stories').first().click();
    await page.frame.locator('[data-path$=".title"]:focus').waitFor();
    await workbench.page.keyboard.type('Greet nobody');
    // Who takes the last line out of a list is still in it.
    await page.frame.locator('[data-path$="acceptance_criteria.0"]').last().press('Backspace');
    await page.frame.locator('[data-path$="acceptance_criteria"]:focus').waitFor();
    await page.button('Add to Acceptance criteria').last().click();
    await page.frame.getByText(/user_stories\.\d+\.acceptance_criteria\.0/).waitFor();
    assert.equal(await page.button('Save Changes').getAttribute('aria-disabled'), 'true');
    await workbench.tab(/●.*PRD/).waitFor();
    await workbench.run('View: Close Editor');
    await workbench.tab('PRD').waitFor({ state: 'detached' });
    await page.open();
    await page.document(/PRD.*waiting for your approval.*unsaved/).waitFor();
    await page.frame.getByText(/user_stories\.\d+\.acceptance_criteria\.0/).waitFor();
    await workbench.reloadWindow();
    await page.comeBack();
    await page.button(/^Go to epics\.0\.user_stories/).click();
    await page.frame.locator('[data-path$="acceptance_criteria.0"]:focus').waitFor();
    await workbench.page.keyboard.type('An empty name is refused.');
    await page.frame.getByText('Correct these problems before saving').waitFor({ state: 'hidden' });
    await page.frame.locator('[data-primary]', { hasText: 'Save Changes' }).waitFor();
    await workbench.allScreenshots('approval-prd-edit');
    await assertAccessible(page.frame, 'the form of the PRD');
  });

  it('approves nothing that differs from what is stored', async () => {
    await page.button('Approve').click();
    await page.frame.getByText('You have unsaved changes.').waitFor();
    await page.frame.locator('[data-path="product.problem_statement"]').press('Control+s');
    await page.frame.getByText('Saved.', { exact: true }).waitFor();
    await page.frame.getByText('version 2', { exact: true }).waitFor();
    await page.frame.locator('[data-path="product.problem_statement"]').press('x');
    await page.frame.getByText('Saved.', { exact: true }).waitFor({ state: 'hidden' });
    await page.button('Discard Changes').click();
    await page.button('Read').click();
    await page.frame.getByRole('heading', { name: /US-1-\d Greet nobody/ }).waitFor();
  });

  it('compares the current version with the one before', async () => {
    await page.button('Compare').click();
    await workbench.tab('version 1 ↔ current version').waitFor();
    await workbench.page
      .locator('.monaco-diff-editor .view-line', { hasText: 'Greet nobody' })
      .first()
      .waitFor();
    await page.open();
  });

  it('leads back to where a question was opened', async () => {
    await page.button('Regenerate…').click();
    await page.frame.locator('vscode-textarea:focus').waitFor();
    await workbench.page.keyboard.press('Escape');
    await page.frame.locator('[data-opens="regenerate"]:focus').waitFor();
  });

  it('has Resume for its primary button while the ticket is paused', async () => {
    await workbench.run('Beadsmith: Pause');
    await page.frame.getByText('The ticket is on hold. Resume it to continue.').waitFor();
    await page.frame.locator('[data-primary]', { hasText: 'Resume' }).click();
    await page.frame.locator('[data-primary]', { hasText: /^\s*Approve\s*$/ }).waitFor();
    await page.button('Approve').and(page.frame.locator('[aria-disabled=false]')).waitFor();
  });

  it('presses its primary button by a key wherever one is, and continues to the beads', async () => {
    await workbench.page.keyboard.press('Alt+Enter');
    await page.document(/Beads.*waiting for your approval/).waitFor(slow);
    await page.bead('Greet nobody').waitFor();
    assert.equal(await page.frame.locator('.graph .node').count(), await page.frame.locator('.bead').count());
  });

  it('leads through the graph by keyboard', async () => {
    const { keyboard } = workbench.page;
    await page.frame.locator('.graph .node[tabindex="0"]').focus();
    await keyboard.press('ArrowDown');
    await page.frame.locator('.graph .node:focus', { hasText: 'Greet nobody' }).waitFor();
    await keyboard.press('ArrowUp');
    assert.equal(await page.frame.locator('.graph .node:focus', { hasText: 'Greet nobody' }).count(), 0);
    await workbench.allScreenshots('approval-beads');
    await assertAccessibleInEveryTheme(workbench, page.frame, 'the beads');
  });

  it('refuses a circle at once and says which', async () => {
    await page.button('Edit').click();
    await page.frame.getByLabel('Add dependency').selectOption({ index: 1 });
    await page.frame
      .getByRole('alert')
      .getByText(/This would create a dependency cycle: .* → Greet nobody → /)
      .waitFor();
    assert.equal(await page.button('Save Changes').count(), 0);
    await workbench.allScreenshots('approval-circle');
  });

  it('moves, frees and splits beads, and saves the plan', async () => {
    await page.bead('Greet nobody').click();
    await page.button(/^Remove dependency on/).click();
    await page.bead('Greet nobody').focus();
    await workbench.page.keyboard.press('Alt+ArrowUp');
    await page.frame.locator('.bead', { hasText: /^1\s*Greet nobody/ }).waitFor();
    await page.button('Split…').click();
    await page.frame.getByLabel('Title of the second bead').fill('Greet nobody, tested');
    await page.frame.getByLabel(/test\.m?js passes/).check();
    await page.button('Split').click();
    await page.bead('Greet nobody, tested').waitFor();
    await workbench.allScreenshots('approval-beads-edit');
    await assertAccessible(page.frame, 'the form of the beads');
    await page.button('Save Changes').click();
    await page.frame.getByText('Saved.', { exact: true }).waitFor();
    await page.frame.getByText('version 2', { exact: true }).waitFor();
    assert.match(
      (await page.frame.locator('.bead').allInnerTexts()).join('|'),
      /1\s*Greet nobody\|2\s*Greet nobody, tested\|3/,
    );
  });

  it('fits into a narrow column', async () => {
    await workbench.page.setViewportSize({ width: 700, height: 900 });
    await page.frame.locator('.plan').waitFor();
    await workbench.screenshots('approval-narrow');
    assert.equal(
      await page.frame.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth'),
      true,
    );
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('approves the plan as it was saved, and shows the setup plan next', async () => {
    await page.button('Approve').click();
    await page.document(/Setup plan.*waiting for your approval/).waitFor(slow);
    await workbench.allScreenshots('approval-setup');
    await workbench.inEveryTheme(async (theme) => {
      assert.notEqual(await fill(page.button('Approve')), await fill(page.button('Regenerate…')), theme);
    });
    await assertAccessible(page.frame, 'the setup plan');
  });

  /** The color of a button, inside of its element. */
  function fill(button: Locator): Promise<string> {
    return button.evaluate(
      ({ shadowRoot }: Element) => getComputedStyle(shadowRoot.querySelector('[part=base]')).backgroundColor,
    );
  }
});
