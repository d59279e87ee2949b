import assert from 'node:assert/strict';
import { codingTasks } from '../support/models/codingTasks.ts';
import { DocumentEditor } from '../support/editor/documentEditor.ts';
import { ApprovalPage, InterviewPage } from '../support/editor/editorPages.ts';
import type { EditorScene } from '../support/editor/editorScene.ts';
import { PrimaryWay } from '../support/editor/primaryWay.ts';
import { ReviewEditor } from '../support/editor/reviewEditor.ts';
import { sharedScene } from '../support/editor/sharedScene.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/editor/workbench.ts';

const slow = { timeout: 90_000 };
const failing = 'note-greet-by-name-1';
/** Put before the other. */
const added = 'note-greet-by-name-2';

/** One window, one ticket; each test continues where the one before stopped. */
describe('a ticket from an idea to the base branch', function () {
  let scene: EditorScene;
  let workbench: Workbench;
  let interview: InterviewPage;
  let approval: ApprovalPage;
  let fingerprint: string;
  sharedScene(
    this,
    { name: 'story', tasks: codingTasks({ fails: true, delayMs: 2_500 }) },
    async (started) => {
      scene = started;
      workbench = scene.workbench;
      // Screenshots of a window with a page take long on a busy machine.
      workbench.page.setDefaultTimeout(60_000);
      interview = new InterviewPage(workbench);
      approval = new ApprovalPage(workbench);
      fingerprint = await scene.repository.fingerprint();
      await workbench.showView();
    },
  );

  it('is filed from the palette and started', async () => {
    await workbench.run('Beadsmith: New Ticket');
    const description = 'Add a function greet(name) with a test.';
    await workbench.writeTicket({ title: 'Greet by name', description }, 'Solo');
    await workbench.row(/· Greet by name/).waitFor();
  });

  it('shows the page of the ticket in place of its text, and needs no notification there', async () => {
    await interview.comeBack();
    await interview.frame.getByRole('heading', { name: 'SAMPL-1 Greet by name' }).waitFor();
    await interview.question('Q01').waitFor(slow);
    assert.deepEqual(
      (await workbench.notifications()).filter((text) => text.includes('needs your input')),
      [],
    );
    await workbench.hideNotifications();
  });

  it('asks what it has to know, batch by batch', async () => {
    await workbench.row(/Needs Input/).waitFor(slow);
    await interview.question('Q01').getByLabel('Your answer').fill('Whoever is greeted.');
    await interview.question('Q02').getByLabel('Skip this question').check();
    await interview
      .question('Q02')
      .getByLabel('Reason, shown to the models')
      .fill('You see that better than I do.');
    await workbench.screenshots('story-interview');
    await interview.button('Send Answers').click();
    await interview.question('Q03').getByLabel('Your answer').fill('That nobody is forgotten.', slow);
    await interview.button('Send Answers').click();
    await interview.question('QFF1').getByLabel('Your answer').fill('No.', slow);
    await interview.button('Send Answers').click();
    await interview.document(/Interview.*waiting for your approval/).waitFor(slow);
    for (const said of [
      'Whoever is greeted.',
      'reason: You see that better than I do.',
      'That nobody is forgotten.',
    ])
      await interview.frame.getByText(said).first().waitFor();
  });

  it('plans from the answers, and takes what a person adds to the PRD', async () => {
    await approval.open();
    await approval.document(/Interview.*waiting for your approval/).waitFor();
    await approval.button('Approve').click();
    await approval.document(/PRD.*waiting for your approval/).waitFor(slow);
    await approval.button('Edit').click();
    await approval.button('Add to User stories').first().click();
    await approval.frame.locator('[data-path$=".title"]:focus').waitFor();
    await workbench.page.keyboard.type('Greet nobody');
    await approval.frame
      .locator('[data-path$="user_stories.1.acceptance_criteria.0"]')
      .fill('An empty name is refused.');
    await approval.button('Save Changes').click();
    await approval.frame.getByText('Saved.', { exact: true }).waitFor();
    await workbench.screenshots('story-prd');
    await approval.button('Approve').click();
  });

  it('makes beads of the PRD, and works in the order a person gives them', async () => {
    await approval.document(/Beads.*waiting for your approval/).waitFor(slow);
    await approval.button('Edit').click();
    await approval.bead('Greet nobody').click();
    await approval.button(/^Remove dependency on/).click();
    await approval.bead('Greet nobody').focus();
    await workbench.page.keyboard.press('Alt+ArrowUp');
    await approval.bead(/^1\s*Greet nobody/).waitFor();
    await approval.button('Save Changes').click();
    await approval.frame.getByText('Saved.', { exact: true }).waitFor();
    await workbench.screenshots('story-beads');
    await approval.button('Approve').click();
    await approval.document(/Setup plan.*waiting for your approval/).waitFor(slow);
    await approval.button('Approve').click();
  });

  it('shows which bead is at work, and which try it is', async () => {
    await workbench.row(/SAMPL-1.*2\/2, iteration 1/).waitFor(slow);
    await workbench.statusBarItem(/2\/2/).waitFor();
    await workbench.unfold(/SAMPL-1/);
    await named('Bead 2 of 2, Greet by name, in progress, iteration 1').waitFor();
    await until(() => coding(failing).length > 0, 'the model is asked to code', 90_000);
    await workbench.screenshots('story-coding');
  });

  it('takes over the running session after a reload, sees the checks fail, and tries once more', async () => {
    const asked = coding(failing).length;
    await workbench.reload();
    await workbench.row(/SAMPL-1.*2\/2, iteration 1/).waitFor(slow);
    await workbench.unfold(/SAMPL-1/);
    await workbench.row(/SAMPL-1.*2\/2, iteration 2/).waitFor(slow);
    await named('Bead 2 of 2, Greet by name, in progress, iteration 2').waitFor();
    assert.ok(coding(failing).length > asked);
    await workbench.row(/Review pull request.*2\/2 beads/).waitFor(slow);
    await workbench.screenshots('story-review');
  });

  it('sent no prompt twice, and started no session twice', () => {
    const bodies = scene.requests().flatMap(({ task, sha256 }) => (task === 'coding' ? [sha256] : []));
    assert.equal(new Set(bodies).size, bodies.length);
    const first = coding(failing).filter(({ iteration }) => iteration === 1);
    assert.equal(new Set(first.map(({ session, thread }) => session ?? thread)).size, 1);
  });

  it('takes a comment on a line of a diff to the agent, whose fix is a bead of its own', async () => {
    const review = new ReviewEditor(workbench);
    await workbench.run('Beadsmith: Show Changes');
    await workbench.choose(failing);
    await review.writeComment('Greet by name', 'Say it louder.');
    await review.press('Send to Agent');
    await workbench.row(/(Coding|Running final test) · Greet by name/).waitFor(slow);
    await review.thread('Say it louder.').getByText('Sent to the agent').waitFor();
    await workbench.screenshots('story-comment');
    await workbench.row(/Review pull request.*3\/3 beads/).waitFor(slow);
    await workbench.unfold(/SAMPL-1/);
    await named('Bead 3 of 3, Fix: Say it louder., done').waitFor();
  });

  it('leads from the notification of the review to the changes that nobody reviewed', async () => {
    await workbench.run('View: Close All Editors');
    await workbench.showNotification('Review the pull request');
    await workbench.answerNotification(
      /SAMPL-1 .* needs your input: Review the pull request/,
      'Review Changes',
    );
    await workbench.tab(`SAMPL-1: ${added}`).waitFor();
    await new ReviewEditor(workbench).multiDiff.locator('.editor.modified .view-line').first().waitFor();
    await workbench.hideNotifications();
  });

  it('has its changes in the Source Control view, and its commands in the Test Explorer', async () => {
    await workbench.page.locator('.activitybar a[aria-label^="Source Control"]').click();
    const changes = workbench.page.locator('.scm-view .monaco-list-row', { hasText: `${added}.mjs` });
    await changes.first().waitFor();
    await workbench.screenshots('story-source-control');
    await workbench.page.locator('.activitybar a[aria-label^="Testing"]').click();
    await workbench.page.locator('.test-explorer .monaco-list-row', { hasText: 'SAMPL-1' }).waitFor();
    await workbench.screenshots('story-test-explorer');
    await workbench.showView();
  });

  it('says in its pull request what was done', async () => {
    const editor = new DocumentEditor(workbench);
    await workbench.run('View: Close All Editors');
    await workbench.run('View: Toggle Panel Visibility');
    await editor.show('Pull request');
    await workbench.tab('pull-request.md').waitFor();
    const rendered = await workbench.renderedMarkdown();
    await rendered.locator('h1', { hasText: 'Greet by name' }).waitFor();
    await until(
      async () => /Greet.nobody[^]*Fix:.Say.it.louder/.test(await rendered.innerText()),
      'the pull request names its beads',
    );
    assert.equal(await rendered.getByText(/^#+ /).count(), 0, 'it is rendered');
    await workbench.screenshots('story-pull-request');
    assert.equal(await scene.repository.fingerprint(), fingerprint, 'the checkout is as it was');
  });

  it('is merged: the base branch and its clean checkout hold the commits of the beads', async () => {
    await workbench.run('Beadsmith: Merge');
    await workbench.answerDialog('Merge Anyway…');
    await workbench.answerDialog('Merge');
    await workbench.row(/^\s*Done/).waitFor(slow);
    await workbench.row(/^\s*Done/).click();
    await workbench.row(/Completed · Greet by name/).waitFor();
    await workbench.screenshots('story-completed');
    const { repository } = scene;
    const trailers = ['Bead', 'Iteration'].map((key) => `%(trailers:key=${key},valueonly,separator=)`);
    const commits = await repository.git('log', '--reverse', `--format=${trailers.join('#')}`, 'main');
    // The first commit and those of final tests belong to no bead.
    assert.match(
      commits.replaceAll(/^#\n?/gm, ''),
      new RegExp(`^${added}#1\n${failing}#2\nfix-say-it-louder-\\w+#1\n?$`),
    );
    assert.equal(await repository.git('status', '--porcelain'), '');
    assert.match(await repository.git('ls-files'), new RegExp(`beadsmith-notes/${failing}\\.mjs`));
  });

  it('takes two decisions about a quick ticket in a repository that was used before', async function () {
    this.timeout(300_000);
    await workbench.run('View: Close All Editors');
    await workbench.run('Beadsmith: New Ticket');
    await workbench.writeTicket({ title: 'Wave goodbye' }, 'Quick');
    // Who works on something else is led back by the notification.
    await workbench.run('View: Close All Editors');
    const way = new PrimaryWay(workbench, { id: 'SAMPL-2', title: 'Wave goodbye' });
    await way.openNotification();
    await way.walk();
    console.log(`      ${way.summary('quick ticket')}`);
    assert.deepEqual(way.stops, ['Approve plan', 'Review pull request']);
    assert.equal(way.diffs.length, 1);
    assert.deepEqual(way.outOfSight, []);
  });

  const named = (label: string) =>
    workbench.page.locator(`.sidebar .monaco-list-row[aria-label^="${label}"]`);

  const coding = (about: string) =>
    scene.requests().filter(({ task, bead }) => task === 'coding' && bead === about);
});
