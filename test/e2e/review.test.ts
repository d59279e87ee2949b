import assert from 'node:assert/strict';
import { choiceQuestions } from '../support/models/choiceQuestions.ts';
import { codingTasks } from '../support/models/codingTasks.ts';
import type { EditorScene } from '../support/editor/editorScene.ts';
import { ReviewEditor } from '../support/editor/reviewEditor.ts';
import { sharedScene } from '../support/editor/sharedScene.ts';
import type { Workbench } from '../support/editor/workbench.ts';

const slow = { timeout: 150_000 };
const bead = 'note-greet-by-name-1';
const file = `${bead}.mjs`;

/** Each test continues where the one before stopped. */
describe('the review of diffs', function () {
  let scene: EditorScene;
  let workbench: Workbench;
  let review: ReviewEditor;
  sharedScene(
    this,
    {
      name: 'review',
      tickets: [{ title: 'Greet by name', at: 'review' }],
      questions: choiceQuestions,
      tasks: codingTasks({ fails: true }),
    },
    async (started) => {
      scene = started;
      workbench = scene.workbench;
      review = new ReviewEditor(workbench);
      await scene.drive();
      await workbench.row(/Review pull request/).waitFor(slow);
    },
  );

  it('opens a bead in the multi-diff editor, and takes a comment on a line there', async () => {
    await workbench.run('Beadsmith: Show Changes');
    await workbench.choose(bead);
    await review.multiDiff.locator('.multiDiffEntry .status.added', { hasText: 'A' }).first().waitFor();
    await review.writeComment('Greet by name', 'Say it louder.');
    await workbench.screenshots('review-writing');
    await review.press('Add Comment');
    await review.thread('Say it louder.').getByText('Not sent yet').waitFor();
    await workbench.allScreenshots('review-multi-diff');
  });

  it('shows the same thread in an added file that is opened alone, as a document without a left side, also after a reload', async () => {
    await workbench.takeAction('Show Changes in File');
    await workbench.choose(bead);
    await workbench.choose(file);
    await workbench.tab(`${file} (SAMPL-1: ${bead}, added)`).waitFor();
    await review.thread('Say it louder.').waitFor();
    assert.equal(await workbench.page.locator('.monaco-diff-editor:visible').count(), 0);
    await workbench.reloadWindow();
    await review.thread('Say it louder.').waitFor(slow);
    await workbench.allScreenshots('review-added-file');
  });

  it('compares what an iteration left with what came after it', async () => {
    await workbench.takeAction('Compare Iterations');
    await workbench.choose(bead);
    await review.multiDiff
      .locator('.editor.original .view-line', { hasText: 'Something else' })
      .first()
      .waitFor();
    await review.multiDiff
      .locator('.editor.modified .view-line', { hasText: 'Greet by name' })
      .first()
      .waitFor();
    await workbench.screenshots('review-iterations');
  });

  it('is accepted in the title of its diff or by a key, and then the ticket may be merged', async () => {
    await workbench.takeAction('Review Changes');
    await workbench.tab(`SAMPL-1: ${bead}`).waitFor();
    await workbench.takeFromTitle('Accept and Next');
    await workbench.answerDialog('Not Now');
    await review.multiDiff.locator('.editor.modified .view-line').first().click();
    await workbench.screenshots('review-accepting');
    await workbench.page.keyboard.press('Control+Alt+Enter');
    await workbench.answerDialog('Accept and Next');
    const frame = await workbench.openedPage('ticket');
    await frame.locator('vscode-button:not([secondary])', { hasText: 'Merge…' }).waitFor(slow);
  });

  it('marks the files that beads changed in a window on the worktree', async () => {
    const window = await scene.openWindow(`${scene.repository.root}.worktrees/SAMPL-1`);
    await window.showView();
    await window.row(/· Greet by name/).waitFor(slow);
    await window.run('View: Show Explorer');
    await window.page
      .locator('.explorer-folders-view .monaco-list-row', { hasText: 'beadsmith-notes' })
      .first()
      .click();
    const changed = window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: file });
    await changed.locator(`[aria-label*="Changed by ${bead}"]`).waitFor(slow);
    await window.screenshots('worktree');
    const untouched = window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'sum.js' });
    assert.equal(await untouched.locator('[aria-label*="Changed by"]').count(), 0);
    await window.page.close();
  });
});
