import assert from 'node:assert/strict';
import { assertAccessible, leastContrast } from '../../support/editor/accessible.ts';
import { TicketPage } from '../../support/editor/editorPages.ts';
import type { EditorScene } from '../../support/editor/editorScene.ts';
import { sharedScene } from '../../support/editor/sharedScene.ts';
import type { Workbench } from '../../support/editor/workbench.ts';
import { until } from '../../support/until.ts';

/** The first iteration comes to nothing, so that there are two prompts. */
const tasks = { coding: [{ when: { iteration: 1 }, text: 'Nothing.' }] };
const options = ['--review', 'off', '--continuations', '0', '--iterations', '2', '--token-cap', '75000'];
const ticket = { title: 'Greet by name', at: 'review', options } as const;

/** Each test continues where the one before stopped. */
describe('the parts of a prompt in the editor', function () {
  let scene: EditorScene;
  let workbench: Workbench;
  let page: TicketPage;
  sharedScene(
    this,
    { name: 'inspector', tickets: [ticket], tasks, settings: leastContrast },
    async (started) => {
      scene = started;
      workbench = scene.workbench;
      page = new TicketPage(workbench);
      await scene.drive();
    },
  );

  it('stand in a table with tokens, age and what a cache knew of them', async () => {
    await workbench.row(/· Greet by name/).click();
    await page.open();
    await page.frame.getByText(/% of the ticket’s limit is used: [\d,.]+ of 75,000 tokens/).waitFor();
    await page.details('Model Calls');
    await page.frame
      .locator('button.call', { hasText: /Coding · coding(?!-)/ })
      .first()
      .click();
    const table = page.frame.getByRole('region', { name: 'Parts of the prompt' });
    const row = table.locator('tr', { hasText: 'bead_notes' });
    await row.getByText('for the attempt').waitFor();
    await table.getByText('Tools, agent, and difference in counts').waitFor();
    await row.getByText('Allowed for calls of this kind').waitFor();
    await page.frame.getByRole('img', { name: /of [\d,]+ tokens of the parts were in the cache/ }).waitFor();
    await page.frame.getByText('Not in this prompt').waitFor();
    await workbench.allScreenshots('inspector-parts');
    await assertAccessible(page.frame, 'the parts of a prompt');
  });

  it('open as the text that was sent, and beside another prompt', async () => {
    const open = page.button('Open Prompt');
    await workbench.tabTo(open, 80);
    await workbench.page.keyboard.press('Enter');
    await workbench.tab('coding.md').waitFor();
    await until(async () => (await workbench.editorText()).includes('coding'), 'the text of the prompt');
    await page.button('Compare').click();
    await workbench.tab(/SAMPL-1: prompt “coding”, compared/).waitFor();
    await workbench.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await workbench.allScreenshots('inspector-compared');
    assert.equal(await workbench.page.locator('.monaco-diff-editor').count(), 1);
  });

  it('stand as bars below each other for each bead, and say in words what they show', async () => {
    await workbench.row(/· Greet by name/).click();
    await page.open();
    await page.details('Tokens');
    await page.frame.getByRole('heading', { name: /^Calls of / }).waitFor();
    await page.frame
      .getByText(/from the cache, .* to the cache, .* other input, .* output/)
      .first()
      .scrollIntoViewIfNeeded();
    await workbench.allScreenshots('inspector-bars');
    await assertAccessible(page.frame, 'the calls of a bead');
  });
});
