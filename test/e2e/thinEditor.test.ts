import assert from 'node:assert/strict';
import { EditorScene } from '../support/editorScene.ts';
import type { Workbench } from '../support/workbench.ts';

/** Model calls, git and test runs of a whole ticket lie in between. */
const slow = { timeout: 90_000 };
const ticket = /SAMPL-1 Greet by name/;

/** One ticket, from the palette to its end; each test goes on where the one before stopped. */
describe('the thin editor', function () {
  this.bail(true);
  let scene: EditorScene;
  let workbench: Workbench;
  let fingerprint: string;

  before(async function () {
    this.timeout(90_000);
    scene = await EditorScene.start();
    workbench = scene.workbench;
    fingerprint = await scene.repository.fingerprint();
  });

  after(async function () {
    this.timeout(60_000);
    await scene.end();
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await workbench.screenshots('failed');
    console.error(await workbench.notices());
  });

  it('says what a ticket is, as long as there is none', async () => {
    await workbench.showView();
    await workbench.page.locator('.welcome-view-content .monaco-button', { hasText: 'New Ticket' }).waitFor();
    await workbench.screenshots('welcome');
  });

  it('files a ticket from the palette and starts it', async () => {
    await workbench.run('Beadsmith: New Ticket');
    await workbench.write('What should be different', 'Greet by name');
    await workbench.write('Describe it', 'Add a function greet(name) with a test.');
    await workbench.choice('Start solo').waitFor();
    await workbench.screenshots('new-ticket');
    await workbench.choose('Start solo');
    await workbench.row(ticket).waitFor();
  });

  it('says once that the interview waits, and asks it by Quick Pick', async () => {
    await workbench.row(/Needs Input/).waitFor(slow);
    await workbench.showNotices();
    await workbench.notice(/SAMPL-1 .* needs you: Interview/).waitFor();
    await workbench.screenshots('interview-waits');
    assert.equal(await workbench.notice(/needs you/).count(), 1);
    await workbench.answerNotice(/needs you: Interview/, 'Answer');
    await workbench.choice('Write an answer').waitFor();
    await workbench.screenshots('interview-question');
    await workbench.choose('Write an answer');
    await workbench.write('Who needs', 'Whoever is greeted.');
    await workbench.choose('Skip this question');
    await workbench.write('Why do you skip it', 'You see that better than I do.');
    await workbench.choice('Skip everything that is left').waitFor(slow);
    await workbench.choose('Skip everything that is left');
    await workbench.write('Why?', 'Enough said.');
    await workbench.row(/Approve the interview/).waitFor(slow);
  });

  it('shows what an approval is about, and goes on once it is given', async () => {
    await approve('Approve the interview', 'interview.yaml');
    await approve('Approve the PRD', 'prd.yaml');
    await workbench.row('Approve the beads').waitFor(slow);
  });

  it('goes on driving after the window was reloaded', async () => {
    await workbench.reload();
    await workbench.row('Approve the beads').waitFor(slow);
    await approve('Approve the beads', 'beads.jsonl');
    await approve('Approve the setup', 'setup-plan.yaml');
    await workbench.row('Review the pull request').waitFor(slow);
  });

  it('closes the review after a question, and shows the ticket as completed', async () => {
    await workbench.row(ticket).click();
    await workbench.row(/Beads.*of.*done/).waitFor();
    await workbench.screenshots('review');
    await workbench.run('Beadsmith: Close Without Merging');
    await workbench.page.locator('.monaco-dialog-box').waitFor();
    await workbench.screenshots('close');
    await workbench.answerDialog('Close Without Merging');
    await workbench.row(/^\s*Done/).waitFor(slow);
    await workbench.row(/^\s*Done/).click();
    await workbench.row(/Completed/).waitFor();
    await workbench.screenshots('completed');
    assert.equal(await scene.repository.fingerprint(), fingerprint);
    assert.match(await scene.repository.git('log', '--format=%s', 'ticket/SAMPL-1'), /^bead\(/m);
  });

  async function approve(gate: string, file: string): Promise<void> {
    await workbench.row(gate).waitFor(slow);
    await workbench.run('Beadsmith: Look and Approve');
    await workbench.page.locator('.editor-group-container .tab', { hasText: file }).waitFor();
    await workbench.choice('Approve').first().waitFor();
    await workbench.screenshots(gate.toLowerCase().replaceAll(' ', '-'));
    await workbench.choose('Approve');
    await workbench.row(gate).waitFor({ state: 'hidden', ...slow });
  }
});
