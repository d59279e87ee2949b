import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { codingTasks, greetingQuestion, outsideCommand } from '../../support/models/codingTasks.ts';
import { TicketPage } from '../../support/editor/editorPages.ts';
import type { EditorScene } from '../../support/editor/editorScene.ts';
import { animations, faintTexts } from '../../support/editor/readable.ts';
import { sharedScene } from '../../support/editor/sharedScene.ts';
import { until } from '../../support/until.ts';
import type { Workbench } from '../../support/editor/workbench.ts';

const slow = { timeout: 90_000 };
const languages = {
  question: 'Which <b>languages</b>?',
  header: '',
  multiple: true,
  options: [{ label: 'English', description: '' }],
};
const calls = [
  { tool: 'question', args: { questions: [greetingQuestion, languages] } },
  outsideCommand,
  { tool: 'question', args: { questions: [{ ...greetingQuestion, question: 'Shall it be loud?' }] } },
];

/** Each test continues where the one before stopped. */
describe('an agent that asks on the ticket page', function () {
  let scene: EditorScene;
  let workbench: Workbench;
  let page: TicketPage;
  const ticket = { title: 'Greet by name', at: 'setup', options: ['--agent-questions', '90'] } as const;
  sharedScene(
    this,
    { name: 'requests', tickets: [ticket], tasks: codingTasks({ calls }) },
    async (started) => {
      scene = started;
      workbench = scene.workbench;
      page = new TicketPage(workbench);
      await scene.drive();
      await page.open();
    },
  );

  it('is shown above every part with the time it waits, readable in every theme and without motion', async () => {
    await page.details('Logs');
    await scene.cli('approve', 'SAMPL-1', '--no-wait');
    await heading('scripted/alpha has a question').waitFor(slow);
    await said(/scripted\/alpha has a question: Shall the greeting/);
    await page.frame
      .getByRole('timer')
      .getByText(/Continues without an answer in \d/)
      .waitFor();
    await page.frame.getByText('Which <b>languages</b>?', { exact: true }).waitFor();
    await workbench.inEveryTheme(async (theme) => {
      assert.deepEqual(await faintTexts(page.frame, theme.startsWith('hc') ? 7 : 4.5), [], theme);
      assert.equal(await animations(page.frame), 0, theme);
    });
    await workbench.allScreenshots('request-question');
  });

  it('is answered by keyboard, once each question has an answer, and what was typed outlives a reload', async () => {
    const { keyboard } = workbench.page;
    assert.equal(await page.button('Send Answer').getAttribute('aria-disabled'), 'true');
    await workbench.tabTo(page.frame.getByLabel(/^Yes/));
    await keyboard.press('Space');
    await keyboard.press('ArrowDown');
    assert.equal(await page.frame.getByLabel(/^No/).isChecked(), true);
    await workbench.tabTo(page.frame.getByLabel('English'));
    await keyboard.press('Space');
    await keyboard.press('Tab');
    await keyboard.type('Ελληνικά');
    await workbench.reloadWindow();
    await page.comeBack();
    await heading('scripted/alpha has a question').waitFor();
    assert.equal(await page.frame.getByLabel('English').isChecked(), true);
    await workbench.tabTo(page.button('Send Answer'), 80);
    await keyboard.press('Enter');
    await heading('scripted/alpha has a question').waitFor({ state: 'hidden', ...slow });
    await page.frame.locator('.line', { hasText: 'continues: answered' }).waitFor(slow);
    assert.equal(
      await notes('Answered in another window').count(),
      0,
      'nobody is told what they did themselves',
    );
  });

  it('asks for a permission with the command as it is, and says so when someone else decided', async () => {
    await heading('scripted/alpha requests permission to access files outside its worktree').waitFor(slow);
    await page.frame.getByRole('region', { name: 'Command' }).getByText('cat /etc/hostname').waitFor();
    await page.button('Allow Once').waitFor();
    await workbench.allScreenshots('request-permission');
    await workbench.tabTo(page.button('Deny'), 80);
    // The next question may be told a moment later.
    const heard = said(/Denied in another window/, slow.timeout);
    await scene.cli('deny', 'SAMPL-1', '--no-wait');
    await notes(/Denied in another window: .*cat \/etc\/hostname/).waitFor(slow);
    assert.equal(await page.button('Deny').count(), 0);
    await page.frame.locator('.requests:focus').waitFor();
    await heard;
    await workbench.screenshots('request-elsewhere');
    await page.button('Dismiss').click();
    assert.equal(await notes('Denied in another window').count(), 0);
  });

  it('says that the last minute began, and what happened when nobody answered', async function () {
    this.timeout(240_000);
    await heading('scripted/alpha has a question').waitFor(slow);
    await said(/One minute left/, 60_000);
    await notes(
      'The question timed out, and the agent continues without an answer: “Shall it be loud?”',
    ).waitFor(slow);
    await workbench.allScreenshots('request-expired');
    await workbench.row('Review pull request').waitFor(slow);
  });

  function heading(name: string): Locator {
    return page.frame.getByRole('heading', { name });
  }

  /** Of requests that are gone; a screen reader is told elsewhere. */
  function notes(text: string | RegExp): Locator {
    return page.frame.locator('.requests').getByText(text);
  }

  /** What a screen reader is told politely. */
  async function said(text: RegExp, limitMs = 10_000): Promise<void> {
    await until(
      async () => text.test(await page.frame.locator('.live').innerText()),
      `said: ${String(text)}`,
      limitMs,
    );
  }
});
