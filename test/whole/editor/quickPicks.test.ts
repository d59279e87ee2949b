import assert from 'node:assert/strict';
import { DocumentEditor } from '../../support/editor/documentEditor.ts';
import type { EditorScene } from '../../support/editor/editorScene.ts';
import { sharedScene } from '../../support/editor/sharedScene.ts';
import { until } from '../../support/until.ts';
import type { Workbench } from '../../support/editor/workbench.ts';

const slow = { timeout: 90_000 };
const ticket = /· Greet by name/;
const bead = 'note-greet-by-name-1';

/**
 * From a comment in the code to its end, without a page; each test continues where the one before stopped.
 */
describe('a ticket without pages', function () {
  let scene: EditorScene;
  let workbench: Workbench;
  let editor: DocumentEditor;
  let fingerprint: string;
  const webviews: string[] = [];
  const settings = { 'editor.minimap.enabled': false, 'files.autoSave': 'off' };
  sharedScene(this, { name: 'quick-picks', settings }, async (started) => {
    scene = started;
    workbench = scene.workbench;
    editor = new DocumentEditor(workbench);
    workbench.page.on('framenavigated', (frame) => {
      const url = frame.url();
      // The editor itself renders the pull request. A webview's outer frame says whose it is, the inner one
      // doesn't.
      const isOther =
        url.includes('fake.html') || url.includes('extensionId=vscode.markdown-language-features');
      if (url.includes('/webview/browser/pre/') && !isOther) webviews.push(url);
    });
    await scene.repository.commit({ 'greet.py': '# TODO(ada): Greet by name\ngreet = None\n' });
    fingerprint = await scene.repository.fingerprint();
  });

  it('begins where the view says what a ticket is, as long as there is none', async () => {
    await workbench.showView();
    await workbench.page.locator('.welcome-view-content .monaco-button', { hasText: 'New Ticket' }).waitFor();
    await workbench.screenshots('welcome');
  });

  it('is filed for a TODO comment, and started', async () => {
    await workbench.openFile('greet.py');
    await workbench.quickFix('Create ticket from this comment');
    await workbench.screenshots('new-ticket');
    await workbench.writeTicket({ description: 'Add a function greet(name) with a test.' }, 'Solo');
    await workbench.row(ticket).waitFor();
    // The page that a start opens; nothing here needs it.
    await workbench.openedPage('SAMPL-1');
    await workbench.run('View: Close All Editors');
    webviews.length = 0;
  });

  it('says once that the interview waits, and asks it by Quick Pick', async () => {
    await workbench.row(/Needs Input/).waitFor(slow);
    await workbench.showNotifications();
    await workbench.notification(/SAMPL-1 .* needs your input: Interview/).waitFor();
    await workbench.screenshots('interview-waits');
    assert.equal(await workbench.notification(/needs your input/).count(), 1);
    await workbench.run('Beadsmith: Answer the Interview');
    await workbench.choice('Enter an answer').waitFor();
    await workbench.screenshots('interview-question');
    await workbench.choose('Enter an answer');
    await workbench.write('Who needs', 'Whoever is greeted.');
    await workbench.quickInput.getByText('(2/2)').waitFor();
    await workbench.hideNotifications();
    // Leaving in the middle loses no answer.
    await workbench.quickInput.locator('input').first().press('Escape');
    await workbench.page.locator('.monaco-dialog-box', { hasText: 'unsent answers: 1' }).waitFor();
    await workbench.answerDialog('Send');
    await workbench.run('Beadsmith: Answer the Interview');
    await workbench.choose('Skip this question');
    await workbench.write('Reason for skipping', 'You see that better than I do.');
    await workbench.choice('Skip Remaining…').waitFor(slow);
    await workbench.choose('Skip Remaining…');
    await workbench.write('Reason, shown to the models', 'Enough said.');
    await workbench.row(/Approve interview/).waitFor(slow);
  });

  it('shows what an approval is about, and continues once it is given', async () => {
    await approve('Approve interview', 'interview.yaml');
    await workbench.row('Approve PRD').waitFor(slow);
    await editor.show('PRD');
    await editor.insertAfter('problem_statement: ', 'Nobody is greeted. ');
    await workbench.run('File: Save');
    await editor.dirty('prd.yaml').waitFor({ state: 'detached' });
    await approve('Approve PRD', 'prd.yaml', /version 2/);
    await workbench.row('Approve beads').waitFor(slow);
  });

  it('is still driven after the window was reloaded', async () => {
    await workbench.reload();
    await workbench.row('Approve beads').waitFor(slow);
    await approve('Approve beads', 'beads.jsonl');
    await approve('Approve setup', 'setup-plan.yaml');
    await workbench.row('Review pull request').waitFor(slow);
  });

  it('is given back with a reason, and fixed by a bead of its own', async () => {
    await workbench.takeAction('Reject Bead');
    await workbench.choose(bead);
    await workbench.write('What is wrong', 'It greets too quietly.');
    await workbench.row(/Review pull request.*2\/2 beads/).waitFor(slow);
    await workbench.unfold(ticket);
    await workbench.row(/Greet by name.*rejected by you/).waitFor();
    await workbench.row(/Fix: It greets too quietly\./).waitFor();
    await editor.show('Pull request');
    await workbench.tab('pull-request.md').waitFor();
    const rendered = await workbench.renderedMarkdown();
    await rendered.getByText('It greets too quietly').first().waitFor();
    await workbench.screenshots('review');
    assert.equal(await scene.repository.fingerprint(), fingerprint, 'the checkout is as it was');
  });

  it('is merged after a question, with all its commits, and no page was opened on the way', async () => {
    await workbench.run('Beadsmith: Merge');
    await workbench.page.locator('.monaco-dialog-box').waitFor();
    await workbench.screenshots('merge');
    await workbench.answerDialog('Merge Anyway…');
    await workbench.answerDialog('Merge');
    await workbench.row(/^\s*Done/).waitFor(slow);
    await workbench.row(/^\s*Done/).click();
    await workbench.row(/Completed · Greet by name/).waitFor();
    await workbench.screenshots('completed');
    const commits = await scene.repository.git('log', '--format=%s%n%(trailers)', 'main');
    assert.match(
      commits,
      /^bead\(fix-it-greets-too-quietly[^]*^Ticket: SAMPL-1\n[^]*^bead\(note-greet-by-name-1\)[^]*^Iteration: 1$/m,
    );
    assert.equal(await scene.repository.git('status', '--porcelain'), '');
    assert.deepEqual(webviews, []);
  });

  async function approve(gate: string, file: string, version = /version/): Promise<void> {
    await workbench.row(gate).waitFor(slow);
    await workbench.takeAction('Approve in Quick Pick');
    await workbench.tab(file).waitFor();
    await until(
      async () => version.test((await workbench.choice('Approve').first().allInnerTexts()).join('')),
      'it asks about the present version',
    );
    await workbench.screenshots(gate.toLowerCase().replaceAll(' ', '-'));
    await workbench.choose('Approve');
    await workbench.answerDialog('Approve');
    await workbench.row(gate).waitFor({ state: 'hidden', ...slow });
  }
});
