import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TicketPage } from '../support/editor/editorPages.ts';
import { faintTexts } from '../support/editor/readable.ts';
import { sharedScene } from '../support/editor/sharedScene.ts';
import type { Workbench } from '../support/editor/workbench.ts';

/** Nothing is there yet, and every part says so. */
describe('the page of a draft', function () {
  let workbench: Workbench;
  let root: string;
  let page: TicketPage;
  sharedScene(this, { name: 'draft', tickets: [{ title: 'Greet by name', at: 'draft' }] }, async (scene) => {
    workbench = scene.workbench;
    root = scene.repository.root;
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

  it('isn’t the only way to a draft: a specification becomes one, after a preview of its words', async () => {
    const words = 'WHEN a visitor signs in THEN the shop SHALL greet them by name';
    const folder = join(root, '.kiro/specs/greeting');
    mkdirSync(folder, { recursive: true });
    const criteria = `#### Acceptance Criteria\n\n1. ${words}\n`;
    writeFileSync(
      join(folder, 'requirements.md'),
      `# Requirements\n\n### Requirement 1: Greet\n\n${criteria}`,
    );
    writeFileSync(join(folder, 'tasks.md'), '- [ ] 1. Read the name\n  - _Requirements: 1.1_\n');
    await workbench.run('View: Close All Editors');
    await workbench.run('Beadsmith: Import Tickets');
    await workbench.choose('.kiro/specs/greeting');
    const lens = workbench.page.locator('.codelens-decoration a', { hasText: 'Import 1 Ticket' });
    await lens.waitFor();
    assert.ok((await workbench.editorText()).includes(`**1.1**: ${words}`));
    await workbench.screenshots('import-preview');
    await lens.click();
    await workbench.tab('import.md').waitFor({ state: 'detached' });
    await page.comeBack();
    await page.part('Plan');
    await page.frame.getByText(words).first().waitFor();
    await workbench.row(/· Greeting/).waitFor();
  });
});
