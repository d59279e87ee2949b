import assert from 'node:assert/strict';
import { assertAccessible, leastContrast } from '../../support/editor/accessible.ts';
import { TicketPage } from '../../support/editor/editorPages.ts';
import type { EditorScene } from '../../support/editor/editorScene.ts';
import { sharedScene } from '../../support/editor/sharedScene.ts';
import { until } from '../../support/until.ts';
import type { Workbench } from '../../support/editor/workbench.ts';

const slow = { timeout: 120_000 };

/** The first call of the bead uses up its limit; each test continues where the one before stopped. */
describe('a ticket with a budget in the editor', function () {
  let scene: EditorScene;
  let workbench: Workbench;
  let page: TicketPage;
  const ticket = { title: 'Greet by name', at: 'setup', options: ['--bead-token-cap', '10'] } as const;
  sharedScene(this, { name: 'budgets', tickets: [ticket], settings: leastContrast }, async (started) => {
    scene = started;
    workbench = scene.workbench;
    page = new TicketPage(workbench);
    await scene.drive();
  });
  const paused = () => page.frame.getByRole('heading', { name: 'This ticket is paused by a limit' });

  it('pauses when it is used up, and says which and how much of it', async () => {
    await scene.cli('approve', 'SAMPL-1', '--no-wait');
    await workbench.row(/· Greet by name/).click(slow);
    await page.open();
    await paused().waitFor(slow);
    await page.frame.getByText(/The bead used [\d,.]+ of 10 tokens\./).waitFor();
    await assertAccessible(page.frame, 'a ticket that is paused by a limit');
    await workbench.allScreenshots('budget-paused');
  });

  it('takes no limit that is used up already, and continues by keyboard with a higher one', async () => {
    const asked = scene.requests().length;
    await workbench.tabTo(page.button('Raise the Limit and Continue…'), 120);
    await workbench.page.keyboard.press('Enter');
    await workbench.write('The maximum number of tokens for each bead', '11');
    await workbench.quickInput
      .getByText(/are already used\. Enter a higher value, or 0 for no limit\./)
      .waitFor();
    await workbench.allScreenshots('budget-raise');
    assert.equal(scene.requests().length, asked, 'nothing was sent meanwhile');
    await workbench.write('are already used', '0');
    await workbench.choose('Save and Continue');
    await paused().waitFor({ state: 'hidden', ...slow });
    await until(() => scene.requests().length > asked, 'the work continues');
  });
});
