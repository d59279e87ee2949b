import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { assertAccessible, leastContrast } from '../../support/editor/accessible.ts';
import { TicketPage } from '../../support/editor/editorPages.ts';
import type { EditorScene } from '../../support/editor/editorScene.ts';
import { sharedScene } from '../../support/editor/sharedScene.ts';
import type { Workbench } from '../../support/editor/workbench.ts';
import { until } from '../../support/until.ts';
import { loopTest, report, write } from '../../support/loopTicket.ts';

const slow = { timeout: 120_000 };
const prompt = '# Greet people\n\nWrite a greeting.\n\n- [ ] greet.txt says hello\n';
const wish = 'Say it in lower case.';

/** From a prompt file to its review; each test continues where the one before stopped. */
describe('a loop in the editor', function () {
  let scene: EditorScene;
  let workbench: Workbench;
  let page: TicketPage;
  const coding = [
    { when: { part: 'added_context', has: wish }, calls: [write('greet.txt', 'hello\n')], text: report() },
    { when: { lacks: wish, part: 'iteration', has: 'Pass 1' }, text: report(), delayMs: 170_000 },
  ];
  sharedScene(this, { name: 'loops', tasks: { coding }, settings: leastContrast }, async (started) => {
    scene = started;
    workbench = scene.workbench;
    page = new TicketPage(workbench);
    await scene.repository.commit({ 'PROMPT.md': prompt });
    await scene.drive();
  });

  it('is made of the prompt in the active editor, in steps that say what is missing', async () => {
    await workbench.openFile('PROMPT.md');
    await workbench.run('Beadsmith: New Loop');
    await workbench.choice('PROMPT.md').waitFor();
    await workbench.screenshots('loop-prompt');
    await workbench.choose('PROMPT.md');
    await workbench.write('Minimum number of passes', '2');
    await workbench.write('Maximum number of passes', '1');
    await workbench.quickInput.getByText('Enter a whole number from 2 to 100.').waitFor();
    await workbench.write('Enter a whole number from 2 to 100.', '3');
    await workbench.write('The words that the agent writes', '');
    await workbench.choice('Not by a command').waitFor();
    assert.equal(await workbench.choice('By the project’s checks').count(), 0, 'nobody approved checks here');
    await workbench.screenshots('loop-proof');
    await workbench.choose('By test commands');
    await workbench.write('Test command', loopTest);
    await workbench.row(/· Greet people/).click(slow);
  });

  it('takes what a person adds while the agent thinks, and takes back what no agent has yet', async () => {
    await until(() => scene.requests().some(({ task }) => task === 'coding'), 'the agent thinks', 120_000);
    await page.open();
    await add('Shout it.', 'Once');
    const entry = (text: string): Locator =>
      page.frame.locator('section[aria-labelledby="context"] li', { hasText: text });
    await entry('Shout it.')
      .getByText(/queued/)
      .waitFor();
    await workbench.allScreenshots('loop-context-queued');
    await assertAccessible(page.frame, 'a loop with context that waits');
    const withdraw = page.button('Withdraw: Shout it.');
    await workbench.tabTo(withdraw, 80);
    await workbench.page.keyboard.press('Enter');
    await entry('Shout it.')
      .getByText(/withdrawn/)
      .waitFor();
    await add(wish, 'Once, Now');
    await entry(wish)
      .getByText(/used|acknowledged/)
      .waitFor(slow);
    await workbench.screenshots('loop-context-used');
  });

  it('shows what became of each pass, and why it ended', async () => {
    await workbench.row(/Review pull request/).waitFor(slow);
    await page.details('Timeline');
    const pass = (text: string): Locator => page.frame.locator('.stages li', { hasText: text });
    await pass('Pass 1 of 3').waitFor();
    await page.frame.locator('.iterations > li', { hasText: 'iteration 1: interrupted' }).waitFor();
    await pass('Pass 2 of 3')
      .getByText(/The loop ended/)
      .waitFor();
    await pass('Pass 1 of 3').scrollIntoViewIfNeeded();
    await workbench.allScreenshots('loop-passes');
    await assertAccessible(page.frame, 'the passes of a loop');
  });

  async function add(text: string, mode: string): Promise<void> {
    await workbench.run('Beadsmith: Add Context for Agents');
    await workbench.write('What should the agents know?', text);
    await workbench.choice(mode).first().waitFor();
    await workbench.choose(mode);
  }
});
