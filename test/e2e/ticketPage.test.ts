import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import {
  assertAccessible,
  assertAccessibleInEveryTheme,
  leastContrast,
} from '../support/editor/accessible.ts';
import { codingTasks } from '../support/models/codingTasks.ts';
import { TicketPage } from '../support/editor/editorPages.ts';
import type { EditorScene } from '../support/editor/editorScene.ts';
import { sharedScene } from '../support/editor/sharedScene.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/editor/workbench.ts';

const slow = { timeout: 90_000 };

/** From the setup's approval to the review; each test continues where the one before stopped. */
describe('the ticket page', function () {
  let scene: EditorScene;
  let workbench: Workbench;
  let page: TicketPage;
  const ticket = { title: 'Greet by name', at: 'setup', options: ['--qa', '--iterations', '0'] } as const;
  const tasks = codingTasks({ fails: true, delayMs: 2_500 });
  sharedScene(
    this,
    { name: 'ticket', tickets: [ticket], tasks, settings: leastContrast },
    async (started) => {
      scene = started;
      workbench = scene.workbench;
      page = new TicketPage(workbench);
      await scene.drive();
    },
  );

  it('says what the ticket is and what can be done now', async () => {
    await page.open();
    await page.frame.getByRole('heading', { name: 'SAMPL-1 Greet by name' }).waitFor();
    await page.frame.getByText(/0 of \d+ beads done/).waitFor();
    await page.frame.locator('.costs', { hasText: /So far: [\d,]+ calls.*Estimate: / }).waitFor();
    await page.frame
      .locator('.disclosure-summary', { hasText: /1 bead, \d+ files?, .*, about / })
      .locator('code')
      .waitFor();
    // The tests run without a sandbox.
    const without = 'Agents and commands run without a sandbox: it is turned off.';
    await page.frame.locator('.caution', { hasText: without }).waitFor();
    await workbench.page.locator('.tree-explorer-viewlet-tree-view .message', { hasText: without }).waitFor();
    await workbench.allScreenshots('ticket-page');
    await assertAccessible(page.frame, 'the page');
  });

  it('has one primary button, at most two beside it in its head, and a list of the rest', async () => {
    // The form is open below, and the head leads nowhere else.
    await page.button('Approve').waitFor();
    assert.equal(await page.button('Review and Approve…').count(), 0);
    await page.button('More Actions…').waitFor();
    assert.ok((await page.frame.locator('.now .actions vscode-button').count()) <= 4);
    assert.equal(await page.frame.locator('[data-primary]').count(), 1);
  });

  it('leads through its tabs by keyboard alone', async () => {
    const { keyboard } = workbench.page;
    await workbench.tabTo(page.button('Details'), 80);
    await keyboard.press('Enter');
    await page.frame.locator('.facts', { hasText: 'ticket/SAMPL-1' }).waitFor();
    await workbench.tabTo(page.tab('About'));
    await keyboard.press('ArrowRight');
    await page.frame
      .locator('.timeline > li', { hasText: 'Interview' })
      .locator('.run', { hasText: 'Interview' })
      .first()
      .waitFor();
    await workbench.screenshots('ticket-timeline');
    await assertAccessible(page.frame, 'the timeline');
    await keyboard.press('ArrowRight');
    await page.frame.getByRole('heading', { name: 'PRD' }).waitFor();
    await page.frame
      .getByRole('rowheader', { name: /scripted\/alpha.*Winner/ })
      .first()
      .waitFor();
    await workbench.screenshots('ticket-council');
    await assertAccessible(page.frame, 'the council');
    await keyboard.press('ArrowRight');
    await page.frame.getByRole('heading', { name: 'Missing Links' }).waitFor();
    await page.frame
      .getByRole('rowheader', { name: /US-1-1\.AC1/ })
      .first()
      .waitFor();
    await workbench.allScreenshots('ticket-matrix');
    await assertAccessible(page.frame, 'the matrix');
    await keyboard.press('End');
    await page.frame.getByRole('columnheader', { name: 'Cache read' }).first().waitFor();
    await page.frame.getByRole('rowheader', { name: 'Setup' }).waitFor();
    await workbench.screenshots('ticket-tokens');
    await assertAccessible(page.frame, 'tokens and cost');
  });

  it('shows what a model was sent and what came back, and leads back to where one was', async () => {
    const { keyboard } = workbench.page;
    await keyboard.press('ArrowLeft');
    const call = page.frame.locator('.call').nth(1);
    await workbench.tabTo(call);
    await workbench.screenshots('ticket-calls');
    await keyboard.press('Enter');
    await page.frame.getByRole('region', { name: 'Parts of the prompt' }).waitFor();
    await workbench.tabTo(page.tab('Parts'));
    await keyboard.press('ArrowRight');
    await page.frame.getByRole('region', { name: 'Input' }).waitFor();
    await keyboard.press('ArrowRight');
    assert.notEqual((await page.frame.getByRole('region', { name: 'Output' }).innerText()).trim(), '');
    await workbench.screenshots('ticket-call');
    await keyboard.press('Escape');
    await call.and(page.frame.locator(':focus')).waitFor();
  });

  it('finds lines of the log, and keeps tab and search over a reload of the window', async () => {
    await page.details('Logs');
    await page.frame.locator('.line').first().waitFor();
    const all = await page.frame.locator('.line').count();
    await page.frame.getByLabel('Search log').fill('WAITING_PRD');
    await page.frame.locator('.line', { hasText: 'WAITING_PRD_APPROVAL' }).first().waitFor();
    await until(async () => (await page.frame.locator('.line').count()) < all, 'other lines are gone');
    await workbench.screenshots('ticket-log');
    await assertAccessible(page.frame, 'the log');
    await workbench.reloadWindow();
    await page.comeBack();
    assert.equal(await page.tab('Logs').getAttribute('aria-selected'), 'true');
    assert.equal(await page.frame.getByLabel('Search log').inputValue(), 'WAITING_PRD');
    await page.frame.getByLabel('Search log').fill('');
  });

  it('continues from the setup plan to the work once that is approved', async () => {
    await page.button('Details').click();
    await page.document(/^Plan$/).waitFor();
    await scene.cli('approve', 'SAMPL-1', '--no-wait');
    await page.frame
      .locator('.work-bead[aria-current=step]', { hasText: /iteration 1 · since/ })
      .waitFor(slow);
    assert.equal(await page.document(/^Plan$/).count(), 0, 'the plan is folded');
  });

  it('shows what the model does, as it happens', async () => {
    await written().waitFor(slow);
    await transcript()
      .getByRole('heading', { name: /: iteration 1 begins$/ })
      .waitFor();
  });

  it('shows what was told before where the work is opened late', async () => {
    await page.button('Work').click();
    await page.button('Work').click();
    await written().waitFor();
    await workbench.screenshots('ticket-coding');
  });

  it('has what leads on for its primary button, and not a box in which nothing is written', async () => {
    await heading('This ticket is blocked').waitFor(slow);
    await page.frame.getByRole('textbox', { name: 'Tell the agent' }).waitFor();
    await page.frame.locator('[data-primary]', { hasText: 'Raise the Limit and Retry…' }).waitFor();
  });

  it('says why it is blocked, and continues from there', async () => {
    await page.button('Cancel Ticket…').waitFor();
    // What failed can be read where it is decided how to continue.
    const blocked = page.frame.locator('.blocked');
    await blocked.getByText('No progress: the checks failed in the same way again.').waitFor();
    await blocked.getByRole('region', { name: 'Details' }).getByText('The title is wrong.').waitFor();
    const attempt = page.frame.locator('.attempt', { hasText: 'note-greet-by-name-1, iteration 1' });
    await attempt.locator('summary').click();
    await attempt.getByRole('region', { name: 'Note of note-greet-by-name-1, iteration 1' }).waitFor();
    await attempt
      .getByRole('button', { name: 'Show changes of note-greet-by-name-1, iteration 1' })
      .waitFor();
    await assertAccessibleInEveryTheme(workbench, page.frame, 'a blocked ticket');
    await workbench.allScreenshots('ticket-blocked');
    assert.equal(await page.frame.getByText('BEAD_RETRY_BUDGET_EXHAUSTED').count(), 0, 'no code is shown');
    await page.details('About');
    await page.frame.getByText('BEAD_RETRY_BUDGET_EXHAUSTED').first().waitFor();
    await page.frame.getByText('refs/beadsmith/SAMPL-1/note-greet-by-name-1/1').waitFor();
    await page.button('Details').click();
    await page.button('Raise the Limit and Retry…').click();
    // The limit that was met is first, with its range; then the others.
    await workbench.write('How often a bead', '21');
    await workbench.quickInput.getByText('Enter a whole number from 0 to 20.').waitFor();
    await workbench.screenshots('limits-value');
    await workbench.write('Enter a whole number', '2');
    await workbench.choice('0 → 2').waitFor();
    await workbench.screenshots('limits-list');
    await workbench.choose('Save and Retry');
    await page.frame
      .getByRole('heading', { name: 'This ticket is blocked' })
      .waitFor({ state: 'hidden', ...slow });
  });

  it('takes the results of manual QA, once they can be understood', async () => {
    await page.frame.getByRole('heading', { name: 'Manual QA, round 1' }).waitFor(slow);
    const items = page.frame.locator('.qa-item');
    await items.first().getByLabel('Fail').check();
    await page.frame.getByText('Describe what failed.').waitFor();
    assert.equal(await page.button('Send Results').getAttribute('aria-disabled'), 'true');
    assert.equal(await ring(), 'none', 'the mouse leaves no ring');
    await workbench.page.keyboard.press('ArrowLeft');
    await workbench.page.keyboard.press('ArrowRight');
    assert.equal(
      await ring(),
      await page.frame.evaluate<string>(colorOf('--vscode-focusBorder')),
      'keys leave the ring of the theme',
    );
    await workbench.screenshots('ticket-qa');
    await assertAccessible(page.frame, 'manual QA');
    await passQa();
  });

  it('shows at review what a reviewer needs, also where there is little room', async () => {
    await status('Review the pull request').waitFor(slow);
    await page.button('Show All Changes').waitFor();
    await page.frame.getByText('beadsmith-notes/').first().waitFor();
    await heading('Beads: 0 of 1 accepted').waitFor();
    await page.button('Show evidence for note-greet-by-name-1').waitFor();
    const evidence = page.frame.getByRole('region', { name: 'Evidence' });
    await evidence.getByRole('rowheader', { name: /^Greet by name/ }).waitFor();
    await evidence.getByText('exit 0').first().waitFor();
    await evidence.getByRole('rowheader', { name: /^Final test/ }).waitFor();
    await page.frame.locator('details', { hasText: 'passed' }).first().locator('summary').click();
    await workbench.allScreenshots('ticket-review');
    await assertAccessibleInEveryTheme(workbench, page.frame, 'the review');
    await workbench.page.setViewportSize({ width: 640, height: 800 });
    const html = page.frame.locator('html');
    await until(() => html.evaluate(({ clientWidth }) => clientWidth < 400), 'the page is narrow');
    assert.equal(
      await html.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
      0,
      'nothing sticks out',
    );
    await workbench.screenshots('ticket-narrow');
    await workbench.page.setViewportSize({ width: 1800, height: 800 });
    const main = page.frame.locator('main');
    await until(
      () => main.evaluate(({ clientWidth }) => clientWidth === 1_040),
      'it is as wide as tables need',
    );
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('runs the evidence again, and says equal, or what differs', async () => {
    await workbench.allScreenshots('ticket-evidence');
    await page.button('Verify Evidence…').click();
    await workbench.choose('Every Commit');
    await workbench.showNotifications(slow);
    await workbench.notification('Equal: SAMPL-1 at').waitFor(slow);
    await workbench.screenshots('verify-equal');
    await workbench.hideNotifications();
    const { root } = scene.repository;
    const branch = `${root}.worktrees/SAMPL-1`;
    const test = globSync('beadsmith-notes/**/*.test.*', { cwd: branch })[0] ?? '';
    writeFileSync(join(branch, test), `${readFileSync(join(branch, test), 'utf8')}\n// one more line\n`);
    const git = (...args: string[]) => scene.repository.git('-C', branch, ...args);
    await git('commit', '--quiet', '--all', '--message', 'Change a test');
    await page.button('Verify Evidence…').click();
    await workbench.choose('Last Commit');
    // The commit has other files than what was proved.
    await workbench.answerDialog('Run Commands');
    await workbench.tab('verification.txt').waitFor(slow);
    await until(
      async () => /Different: SAMPL-1 at/.test(await workbench.editorText()),
      'it says that something differs',
    );
    assert.match(await workbench.editorText(), new RegExp(`Changed: ${test}`));
    await workbench.screenshots('verify-different');
    await git('reset', '--quiet', '--hard', 'HEAD~1');
    await page.open();
  });

  it('takes the acceptance of a bead, and its rejection with a reason, which becomes a fix bead', async () => {
    await page.button('Accept changes of note-greet-by-name-1').click();
    await heading('Beads: 1 of 1 accepted').waitFor(slow);
    await page.frame.locator('.bead-review', { hasText: 'accepted by you' }).waitFor();
    const { keyboard } = workbench.page;
    await workbench.tabTo(page.button('Reject changes of note-greet-by-name-1'), 80);
    await keyboard.press('Enter');
    await page.frame.locator('vscode-textarea:focus').waitFor();
    await keyboard.press('Escape');
    await page.frame.locator('[data-opens^="reject"]:focus').waitFor();
    await keyboard.press('Enter');
    await page.frame.locator('vscode-textarea:focus').waitFor();
    const reject = page.frame.getByRole('button', { name: 'Reject', exact: true });
    assert.equal(await reject.getAttribute('aria-disabled'), 'true', 'a reason is needed');
    await keyboard.type('Say it louder.');
    await workbench.allScreenshots('ticket-reject');
    await reject.click();
    await page.part('Work');
    await page.frame.locator('.work-bead', { hasText: 'Fix: Say it louder.' }).waitFor(slow);
    await passQa();
    await status('Review the pull request').waitFor(slow);
    await heading('Beads: 0 of 2 accepted').waitFor();
    await page.frame.getByText('rejected by you: Say it louder.').waitFor();
  });

  it('says before it merges what nobody reviewed, and asks, as everywhere else', async () => {
    await page.frame.locator('vscode-button:not([secondary])', { hasText: 'Review Changes' }).waitFor();
    await page.button('Merge…').click();
    await workbench.page.locator('.monaco-dialog-box', { hasText: '0 of 2 beads accepted' }).waitFor();
    await workbench.screenshots('ticket-unreviewed');
    await workbench.answerDialog('Merge Anyway…');
    await workbench.answerDialog('Merge');
    await page.frame.locator('.status', { hasText: 'Completed' }).waitFor(slow);
    await workbench.screenshots('ticket-completed');
  });

  it('takes its merge back, and returns to the review', async () => {
    const git = (...args: string[]) => scene.repository.git(...args);
    const ahead = () => git('rev-list', '--count', 'main..ticket/SAMPL-1');
    assert.equal(await ahead(), '0', 'it was merged');
    await workbench.takeAction('Undo Merge…');
    await workbench.page.locator('.monaco-dialog-box', { hasText: 'Undo the merge of' }).waitFor();
    await workbench.screenshots('ticket-undo-merge');
    await workbench.answerDialog('Undo Merge');
    await status('Review the pull request').waitFor(slow);
    await heading('Beads: 0 of 2 accepted').waitFor();
    assert.notEqual(await ahead(), '0');
    assert.equal(await git('status', '--porcelain'), '');
    await workbench.screenshots('ticket-merge-undone');
  });

  function transcript(): Locator {
    return page.frame.getByRole('log', { name: 'Transcript' });
  }

  function written(): Locator {
    return transcript().locator('.tool-done', { hasText: 'Write' }).first();
  }

  function heading(name: string): Locator {
    return page.frame.getByRole('heading', { name });
  }

  function status(label: string): Locator {
    return page.frame.locator('.status', { hasText: label });
  }

  async function ring(): Promise<string> {
    return page.frame.evaluate<string>(
      `(({ outlineStyle, outlineColor }) => (outlineStyle === 'none' ? 'none' : outlineColor))(getComputedStyle(document.activeElement))`,
    );
  }

  async function passQa(): Promise<void> {
    await heading('Manual QA').waitFor(slow);
    for (const item of await page.frame.locator('.qa-item').all()) await item.getByLabel('Pass').check();
    await page.button('Send Results').click();
    await heading('Manual QA').waitFor({ state: 'hidden', ...slow });
  }
});

function colorOf(variable: string): string {
  return `(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(${variable})';
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  })()`;
}
