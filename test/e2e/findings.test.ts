import assert from 'node:assert/strict';
import { yamlFence } from '../../src/demo/script/documentText.ts';
import { noteFiles } from '../../src/demo/generic/noteFiles.ts';
import type { ScriptInput } from '../../src/demo/script/modelScript.ts';
import { assertAccessible, leastContrast } from '../support/editor/accessible.ts';
import { TicketPage } from '../support/editor/editorPages.ts';
import type { EditorScene } from '../support/editor/editorScene.ts';
import { ReviewEditor } from '../support/editor/reviewEditor.ts';
import { sharedScene } from '../support/editor/sharedScene.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { greetingTest, greetingEdit } from '../support/models/greetingReview.ts';

const slow = { timeout: 90_000 };
const bead = 'note-greet-by-name-1';
const files = noteFiles(bead);
const fixed = 'Nobody is greeted.';
const style = 'The summary could name its author.';
const invented = 'There are two summaries.';

const about = {
  category: 'correctness',
  file: files.module,
  confidence: 0.9,
  evidence: 'export function summary() {',
};
const test = greetingTest(bead);
const tasks: ScriptInput['tasks'] = {
  review: [
    {
      when: { bead },
      text: yamlFence({
        checked: ['What the title asks for.', 'Whether the summary says what it should.'],
        findings: [
          { ...about, severity: 'high', line: 5, claim: fixed, suggestedFix: 'Export a greeting.', test },
          {
            ...about,
            severity: 'low',
            category: 'style',
            line: 6,
            claim: style,
            evidence: 'return `${note.bead}: ${note.title}`;',
          },
          {
            ...about,
            severity: 'medium',
            line: 5,
            claim: invented,
            evidence: 'export function secondSummary() {',
          },
        ],
      }),
    },
  ],
  fix: [
    {
      calls: [
        { tool: 'edit', args: greetingEdit(bead) },
        { tool: 'write', args: { filePath: test.file, content: test.content } },
      ],
    },
  ],
};

/** Each test continues where the one before stopped. */
describe('the findings of reviews', function () {
  let scene: EditorScene;
  let workbench: Workbench;
  let review: ReviewEditor;
  let page: TicketPage;
  const ticket = { title: 'Greet by name', at: 'review', options: ['--review', 'standard'] } as const;
  sharedScene(
    this,
    { name: 'findings', tickets: [ticket], tasks, settings: leastContrast },
    async (started) => {
      scene = started;
      workbench = scene.workbench;
      review = new ReviewEditor(workbench);
      page = new TicketPage(workbench);
      await scene.drive();
      await workbench.row(/Review pull request/).waitFor(slow);
    },
  );

  it('are chosen in the menu of their ticket, and open the diff at their line', async () => {
    await workbench.takeAction('Show Finding');
    await workbench.choice(/Nobody is greeted/).waitFor();
    await workbench.screenshots('findings-chosen');
    await workbench.choose(/The summary could name its author/);
    await review.thread(style).waitFor();
    await review.thread(style).getByText('noted').first().waitFor();
    await workbench.allScreenshots('findings-thread');
  });

  it('are told on the ticket page with all that is known of them', async () => {
    await page.open();
    await page.part('Review');
    await page.frame
      .locator('.finding', { hasText: fixed })
      .getByText('fixed · confirmed by a failing test')
      .waitFor();
    const unfounded = page.frame.locator('.finding', { hasText: invented });
    await unfounded.locator('summary').click();
    await unfounded.getByText('Doubtful: The quoted code isn’t in the change.').waitFor();
    await unfounded.locator('.finding-code', { hasText: 'secondSummary' }).waitFor();
    await page.frame.getByText('What was checked (2)').first().waitFor();
    await page.frame.getByRole('heading', { name: 'Reviewers in this repository' }).waitFor();
    await workbench.allScreenshots('findings-tab');
    await assertAccessible(page.frame, 'the findings');
    await page.button(/^Open \(/).click();
    await page.frame.locator('.finding', { hasText: fixed }).waitFor({ state: 'detached' });
    await page.button(/^All \(/).click();
  });

  it('are dismissed with a reason by keyboard alone', async () => {
    const { keyboard } = workbench.page;
    const button = page.button(`Dismiss…: ${style}`);
    await workbench.tabTo(button, 120);
    await keyboard.press('Enter');
    await page.frame
      .getByRole('textbox', { name: /Why shouldn’t it be fixed/ })
      .and(page.frame.locator(':focus'))
      .waitFor();
    await keyboard.type('Notes have no author.');
    await workbench.screenshots('findings-dismissing');
    await workbench.tabTo(page.button('Dismiss'));
    await keyboard.press('Enter');
    await page.frame
      .locator('.finding', { hasText: style })
      .getByText('dismissed: Notes have no author.')
      .waitFor(slow);
    await page.frame.getByRole('row', { name: /scripted\/alpha/ }).waitFor();
    await workbench.screenshots('findings-dismissed');
  });

  it('are folded in the diff once they are settled, with what the person said', async () => {
    await workbench.run('Beadsmith: Show Changes');
    await workbench.choose(bead);
    await review.multiDiff.locator('.view-line', { hasText: 'export const greeting' }).first().waitFor();
    assert.equal(await review.thread(style).count(), 0);
    await workbench.allScreenshots('findings-multi-diff');
  });

  it('stay in the repository as dismissed, and their reason can be edited', async () => {
    await workbench.run('Beadsmith: Show Dismissed Findings');
    await workbench.choice(style).waitFor();
    await workbench.screenshots('findings-dismissals');
    await workbench.choose(style);
    await workbench.choose('Edit Reason');
    await workbench.write(style, 'Notes never have an author.');
    await workbench.choice('Notes never have an author.').waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('become a change of the person’s from the thread beside the line', async () => {
    await workbench.takeAction('Show Finding');
    await workbench.choose(invented);
    const thread = review.thread(invented);
    await thread.waitFor();
    await workbench.allScreenshots('findings-unfounded');
    await thread.locator('a[aria-label^="Make Bead"]').first().click();
    await workbench.row(/Coding|Running final test/).waitFor(slow);
  });
});
