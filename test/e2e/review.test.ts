import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { codingTasks } from '../support/codingTasks.ts';
import { EditorScene } from '../support/editorScene.ts';
import type { Workbench } from '../support/workbench.ts';

/** Model calls, git and test runs lie in between. */
const slow = { timeout: 150_000 };
const bead = 'note-greet-by-name-1';
const file = `${bead}.mjs`;

/** A ticket at its review; each test goes on where the one before stopped. */
describe('the review of diffs', function () {
  this.bail(true);
  let scene: EditorScene;
  let workbench: Workbench;
  const multiDiff = (): Locator => workbench.page.locator('.monaco-component.multiDiffEditor');
  /** A thread beside a line, in whatever editor shows it. */
  const thread = (text: string): Locator => workbench.page.locator('.review-widget:visible', { hasText: text }).first();

  before(async function () {
    this.timeout(400_000);
    scene = await EditorScene.start({ atReview: 'Greet by name', tasks: codingTasks({ fails: true }) });
    workbench = scene.workbench;
    await scene.drive();
    await workbench.row(/Review the pull request/).waitFor(slow);
  });

  after(async function () {
    this.timeout(60_000);
    await scene.end();
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await workbench.screenshots('failed-review');
    console.error(await workbench.notices());
  });

  it('opens a bead in the multi-diff editor, and takes a comment on a line there', async () => {
    await workbench.run('Beadsmith: Show Changes');
    await workbench.choose(bead);
    await multiDiff().locator('.multiDiffEntry').first().waitFor();
    await multiDiff().locator('.editor.modified .comment-range-glyph').first().waitFor(slow);
    await multiDiff().locator('.editor.modified .view-line', { hasText: 'Greet by name' }).first().hover();
    await multiDiff().locator('.editor.modified .line-hover').first().click();
    await workbench.page.locator('.review-widget .comment-form .monaco-editor').first().waitFor();
    await workbench.page.keyboard.type('Say it louder.');
    await workbench.screenshots('review-writing');
    await workbench.page.locator('.review-widget .form-actions .monaco-button', { hasText: 'Add Comment' }).first().click();
    await thread('Say it louder.').getByText('Not sent yet').waitFor();
    await workbench.allScreenshots('review-multi-diff');
  });

  it('shows the same thread in the single diff editor, also after a reload', async () => {
    await workbench.run('Beadsmith: Show Changes of One File');
    await workbench.choose(bead);
    await workbench.choose(file);
    await workbench.page.locator('.tab', { hasText: file }).first().waitFor();
    await thread('Say it louder.').waitFor();
    await workbench.reloadWindow();
    await thread('Say it louder.').waitFor(slow);
    await workbench.allScreenshots('review-single-diff');
  });

  it('compares what an iteration left with what came after it', async () => {
    await workbench.run('Beadsmith: Compare Two Iterations');
    await workbench.choose(bead);
    await multiDiff().locator('.editor.original .view-line', { hasText: 'Something else' }).first().waitFor();
    await multiDiff().locator('.editor.modified .view-line', { hasText: 'Greet by name' }).first().waitFor();
    await workbench.screenshots('review-iterations');
  });

  it('sends the comment back, and a fix bead answers it', async () => {
    await workbench.run('Beadsmith: Send Review');
    await workbench.row(/Coding|Running the final test/).waitFor(slow);
    await thread('Say it louder.').getByText('Sent to the agent').waitFor();
    await workbench.row(/2\/2 beads · Review the pull request/).waitFor(slow);
    const subjects = await scene.repository.git('log', '--format=%s', 'ticket/SAMPL-1');
    assert.match(subjects, /^bead\(fix-say-it-louder-[^]*^bead\(note-greet-by-name-1\)/m, 'what was done stays');
  });

  it('makes a suggestion the person’s own commit, which is tested', async () => {
    const suggesting = thread('Say it louder.');
    await suggesting.hover();
    await suggesting.locator('a[aria-label^="Suggest Edit"]').first().click();
    await suggesting.locator('.review-comment .monaco-editor').first().click();
    await workbench.page.keyboard.press('Control+A');
    await workbench.page.keyboard.type('Mine\n```suggestion\n"title": "Greet by name" // mine\n```');
    await workbench.screenshots('review-suggesting');
    await suggesting.locator('.monaco-button', { hasText: 'Save Comment' }).first().click();
    const comment = suggesting.locator('.review-comment', { hasText: 'Mine' });
    await comment.hover();
    await comment.locator('a[aria-label^="Commit This Edit"]').first().click();
    await workbench.row(/Coding|Running the final test/).waitFor(slow);
    await workbench.row(/Review the pull request/).waitFor(slow);
    const commits = await scene.repository.git('log', '--format=%s%n%(trailers)', 'ticket/SAMPL-1');
    assert.match(
      commits,
      /^edit\(beadsmith-notes\/note-greet-by-name-1\.mjs\): Mine\nTicket: SAMPL-1\nBead: note-greet-by-name-1\nSuggested-by: user$/m,
    );
  });

  it('accepts the fix bead, and merges', async () => {
    await workbench.run('Beadsmith: Accept Bead');
    await workbench.choose('fix-say-it-louder');
    await workbench.row(/SAMPL-1 Greet by name/).click();
    await workbench.row(/^\s*Beads/).click();
    await workbench.row(/accepted by you/).waitFor();
    await workbench.screenshots('review-accepted');
    await workbench.run('Beadsmith: Merge');
    await workbench.answerDialog('Merge');
    await workbench.row(/^\s*Done/).waitFor(slow);
    assert.match(await scene.repository.git('log', '--format=%s', 'main'), /^edit\([^]*^bead\(fix-say-it-louder/m);
  });
});
