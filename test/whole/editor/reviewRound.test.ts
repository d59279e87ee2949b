import assert from 'node:assert/strict';
import { choiceQuestions } from '../../support/models/choiceQuestions.ts';
import { codingTasks } from '../../support/models/codingTasks.ts';
import type { EditorScene } from '../../support/editor/editorScene.ts';
import { ReviewEditor } from '../../support/editor/reviewEditor.ts';
import { sharedScene } from '../../support/editor/sharedScene.ts';
import { until } from '../../support/until.ts';
import type { Workbench } from '../../support/editor/workbench.ts';

const slow = { timeout: 150_000 };
const bead = 'note-greet-by-name-1';
const file = `${bead}.mjs`;

/** Each test continues where the one before stopped. */
describe('a round of review', function () {
  let scene: EditorScene;
  let workbench: Workbench;
  let review: ReviewEditor;
  sharedScene(
    this,
    {
      name: 'review-round',
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

  it('takes a comment on a line of the diff', async () => {
    await workbench.run('Beadsmith: Show Changes');
    await workbench.choose(bead);
    await review.writeComment('Greet by name', 'Say it louder.');
    await review.press('Add Comment');
    await workbench.takeAction('Show Changes in File');
    await workbench.choose(bead);
    await workbench.choose(file);
    await review.thread('Say it louder.').getByText('Not sent yet').waitFor();
  });

  it('shows the comment in another window, and here what is written there', async () => {
    const other = await scene.openWindow();
    await other.takeAction('Show Changes in File');
    await other.choose(bead);
    await other.choose(file);
    const there = new ReviewEditor(other);
    await there.thread('Say it louder.').getByText('Not sent yet').waitFor(slow);
    await there.writeReply('Say it louder.', 'And to everybody.');
    await workbench.page.evaluate(
      `document.querySelectorAll('.review-comment').forEach(({ dataset }) => (dataset.drawn = 'before'))`,
    );
    await there.press('Add Comment');
    await review.thread('And to everybody.').waitFor();
    // What was there isn't drawn again.
    await review
      .thread('And to everybody.')
      .locator('.review-comment[data-drawn=before]', { hasText: 'Say it louder.' })
      .waitFor();
    await other.page.close();
  });

  it('sends the comment back, and a fix bead answers it', async () => {
    await workbench.run('Beadsmith: Send Comments');
    await workbench.answerDialog('Send Comments');
    await workbench.row(/Coding|Running final test/).waitFor(slow);
    await review.thread('Say it louder.').getByText('Sent to the agent').waitFor();
    await workbench.row(/Review pull request.*2\/2 beads/).waitFor(slow);
    assert.match(
      await log('%s'),
      /^bead\(fix-say-it-louder-[^]*^bead\(note-greet-by-name-1\)/m,
      'what was done stays',
    );
  });

  it('makes a suggestion the person’s own commit, which is tested', async () => {
    const suggesting = review.thread('Say it louder.');
    await suggesting.hover();
    await suggesting.locator('a[aria-label^="Suggest Edit"]').first().click();
    await suggesting.locator('.review-comment .monaco-editor').first().click();
    await workbench.page.keyboard.press('Control+A');
    // As if pasted: Enter would take a suggested word.
    await workbench.page.keyboard.insertText('Mine\n```suggestion\n"title": "Greet by name" // mine\n```');
    await workbench.screenshots('review-suggesting');
    await suggesting.locator('.monaco-button', { hasText: 'Save Comment' }).first().click();
    const comment = suggesting.locator('.review-comment', { hasText: 'Mine' });
    await review.act(comment, 'Commit This Edit');
    await workbench.row(/Coding|Running final test/).waitFor(slow);
    await workbench.row(/Review pull request/).waitFor(slow);
    assert.match(
      await log('%s%n%(trailers)'),
      /^edit\(beadsmith-notes\/note-greet-by-name-1\.mjs\): Mine\nTicket: SAMPL-1\nBead: note-greet-by-name-1\nSuggested-by: user$/m,
    );
  });

  it('takes that commit back by another one', async () => {
    await workbench.showNotifications();
    await workbench.screenshots('review-undo');
    await workbench.answerNotification(/Your edit of .* was committed to SAMPL-1/, 'Undo');
    await until(async () => /^edit\(.*\): Undo my edit$/m.test(await log('%s')), 'the edit is taken back');
    await workbench.row(/Review pull request/).waitFor(slow);
    const content = await scene.repository.git('show', `ticket/SAMPL-1:beadsmith-notes/${file}`);
    assert.doesNotMatch(content, /mine/);
  });

  it('accepts the fix bead, and merges', async () => {
    await workbench.takeAction('Accept Bead');
    await workbench.choose('fix-say-it-louder');
    await workbench.unfold(/· Greet by name/);
    await workbench.row(/accepted by you/).waitFor();
    await workbench.screenshots('review-accepted');
    await workbench.run('Beadsmith: Merge');
    await workbench.page.locator('.monaco-dialog-box', { hasText: '1 of 2 beads accepted' }).waitFor();
    await workbench.answerDialog('Merge Anyway…');
    await workbench.answerDialog('Merge');
    await workbench.row(/^\s*Done/).waitFor(slow);
    assert.match(
      await scene.repository.git('log', '--format=%s', 'main'),
      /^edit\([^]*^bead\(fix-say-it-louder/m,
    );
  });

  const log = (format: string): Promise<string> =>
    scene.repository.git('log', `--format=${format}`, 'ticket/SAMPL-1');
});
