import assert from 'node:assert/strict';
import { TicketPage } from '../support/editor/editorPages.ts';
import { faintTexts } from '../support/editor/readable.ts';
import { sharedScene } from '../support/editor/sharedScene.ts';
import type { Workbench } from '../support/editor/workbench.ts';

/** Nothing is there yet, and every part says so. */
describe('the page of a draft', function () {
  let workbench: Workbench;
  let page: TicketPage;
  sharedScene(this, { name: 'draft', tickets: [{ title: 'Greet by name', at: 'draft' }] }, async (scene) => {
    workbench = scene.workbench;
    page = new TicketPage(workbench);
    await scene.drive();
    await page.open();
  });

  it('offers its start, and no part that would be empty for ever', async () => {
    await page.button('Start Ticket…').waitFor();
    await page.part('Details');
    assert.deepEqual(await page.frame.getByRole('tab').allInnerTexts(), [
      'About',
      'Timeline',
      'Logs',
      'Model Calls',
      'Tokens',
    ]);
  });

  const empty: readonly (readonly [part: string, says: string])[] = [
    ['Plan', 'No description.'],
    ['Work', 'No work yet. It starts when the plan is approved.'],
    ['Review', 'Nothing to review yet. Changes appear here as beads are done.'],
    ['Timeline', 'No activity yet. This tab lists each step of the work and its result.'],
    ['Logs', 'The log is empty. It records what the engine, commands and models do.'],
    ['Model Calls', 'No model calls yet. This tab shows what each model is sent and what it answers.'],
    ['Tokens', 'No tokens used yet. This tab shows usage by phase and by model.'],
  ];
  for (const [tab, says] of empty)
    it(`says in ${tab}: ${says}`, async () => {
      if (tab === 'Plan' || tab === 'Work' || tab === 'Review') await page.part(tab);
      else await page.details(tab);
      await page.frame.getByText(says, { exact: true }).waitFor();
      await workbench.inEveryTheme(async (theme) => {
        assert.deepEqual(await faintTexts(page.frame, theme.startsWith('hc') ? 7 : 4.5), [], theme);
      });
      await workbench.allScreenshots(`draft-${tab.toLowerCase().replace(' ', '-')}`);
    });
});
