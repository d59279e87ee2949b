import assert from 'node:assert/strict';
import { TicketPage } from '../support/editorPages.ts';
import { faintTexts } from '../support/readable.ts';
import { sharedScene } from '../support/sharedScene.ts';
import type { Workbench } from '../support/workbench.ts';

/** A draft that never ran: nothing is there yet, and every part says so. */
describe('the page of a draft', function () {
  let workbench: Workbench;
  let page: TicketPage;
  sharedScene(this, { name: 'draft', draft: 'Greet by name' }, async (scene) => {
    workbench = scene.workbench;
    page = new TicketPage(workbench);
    await scene.drive();
    await page.open();
  });

  it('offers its start, and no part that would be empty for ever', async () => {
    await page.button('Start').waitFor();
    assert.deepEqual(await page.frame.getByRole('tab').allInnerTexts(), ['Overview', 'Timeline', 'Logs', 'Model Calls', 'Tokens']);
  });

  const empty: readonly (readonly [tab: string, says: string])[] = [
    ['Overview', 'There is no description.'],
    ['Timeline', 'Nothing was done yet. Each step of the work is listed here, with what became of it.'],
    ['Logs', 'Nothing was logged yet. What the engine, commands and models do is written here.'],
    ['Model Calls', 'No model was asked yet. What each one is sent, and what it answers, is kept here.'],
    ['Tokens', 'No tokens were used yet. They are counted here, by part of the work and by model.'],
  ];
  for (const [tab, says] of empty)
    it(`says in ${tab}: ${says}`, async () => {
      await page.tab(tab).click();
      await page.frame.getByText(says, { exact: true }).waitFor();
      await workbench.inEveryTheme(async (theme) => {
        assert.deepEqual(await faintTexts(page.frame, theme.startsWith('hc') ? 7 : 4.5), [], theme);
      });
      await workbench.allScreenshots(`draft-${tab.toLowerCase().replace(' ', '-')}`);
    });
});
