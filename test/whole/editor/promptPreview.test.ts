import assert from 'node:assert/strict';
import { assertAccessible, leastContrast } from '../../support/editor/accessible.ts';
import { TicketPage } from '../../support/editor/editorPages.ts';
import type { EditorScene } from '../../support/editor/editorScene.ts';
import { sharedScene } from '../../support/editor/sharedScene.ts';
import type { Workbench } from '../../support/editor/workbench.ts';

const slow = { timeout: 120_000 };
const ticket = {
  title: 'Greet by name',
  at: 'setup',
  options: ['--review', 'off', '--preview-prompts', 'coding'],
} as const;

/** Each test continues where the one before stopped. */
describe('the next prompt in the editor', function () {
  let scene: EditorScene;
  let workbench: Workbench;
  let page: TicketPage;
  sharedScene(
    this,
    { name: 'prompt-preview', tickets: [ticket], settings: leastContrast },
    async (started) => {
      scene = started;
      workbench = scene.workbench;
      page = new TicketPage(workbench);
      await scene.drive();
    },
  );

  it('is without what a person excludes beforehand, by keyboard, which the page says', async () => {
    await workbench.row(/· Greet by name/).click(slow);
    await page.open();
    await page.details('Model Calls');
    await page.button('Preview Next Prompt').click();
    await page.frame.getByText('The next prompt waits for you before it’s sent.').waitFor(slow);
    await workbench.screenshots('calls-steered');
    await page.frame.locator('button.call').first().click();
    await workbench.tabTo(page.button('Pin or Exclude…'), 80);
    await workbench.page.keyboard.press('Enter');
    await workbench.quickInput.locator('input').first().fill('workspace');
    for (const choice of ['workspace', 'Exclude', 'The Whole Ticket']) {
      await workbench.choice(choice).first().waitFor();
      if (choice === 'workspace') await workbench.allScreenshots('prompt-parts-to-choose');
      await workbench.choice(choice).first().click();
    }
    await page.frame.getByText('workspace is left out of later prompts.').waitFor(slow);
    await workbench.allScreenshots('prompt-part-excluded');
    await assertAccessible(page.frame, 'a part that is excluded');
    await page.button('All Calls').click();
    await page.button('Details').click();
  });

  it('is shown whole before it is sent, and stops the ticket where a person wants that', async () => {
    await scene.cli('approve', 'SAMPL-1', '--no-wait');
    await workbench.row(/· Greet by name/).click(slow);
    await page.open();
    const request = page.frame.locator('.request', { hasText: 'The prompt coding is about to be sent' });
    await request.waitFor(slow);
    assert.doesNotMatch(await request.innerText(), /^## workspace$/m);
    await workbench.allScreenshots('prompt-preview');
    await assertAccessible(page.frame, 'a prompt that waits');
    await page.frame.getByLabel('Stop').click();
    await page.button(/^Send Answer/).click();
    await page.frame.getByText('was stopped before it was sent').waitFor(slow);
    await workbench.screenshots('prompt-stopped');
  });

  it('is sent without what a person leaves out, once the ticket continues', async () => {
    await page
      .button(/Continue/)
      .first()
      .click();
    await page.frame.locator('.request', { hasText: 'The prompt coding is about to be sent' }).waitFor(slow);
    const choice = page.frame.getByLabel('Leave out host');
    await workbench.tabTo(choice, 120);
    await workbench.page.keyboard.press('Space');
    await page.button(/^Send Answer/).click();
    await workbench.row(/Review pull request/).waitFor(slow);
    await page.details('Model Calls');
    await page.frame
      .locator('button.call', { hasText: /Coding · coding(?!-)/ })
      .first()
      .click();
    await page.frame.getByText('Left out by you').waitFor();
    await workbench.screenshots('prompt-left-out');
  });
});
