import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertAccessible, leastContrast } from '../support/editor/accessible.ts';
import { TicketPage } from '../support/editor/editorPages.ts';
import type { EditorScene } from '../support/editor/editorScene.ts';
import { ReviewEditor } from '../support/editor/reviewEditor.ts';
import { sharedScene } from '../support/editor/sharedScene.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { ForgeStandIn } from '../support/forge/forgeStandIn.ts';
import type { StandInCheck } from '../support/forge/checkEndpoints.ts';
import { type StandInLineComment, talkOf } from '../support/forge/commentEndpoints.ts';
import { type StandInPull, type StandInRepository, tipOf } from '../support/forge/endpoints.ts';
import { withLogin } from '../support/forge/forgeTickets.ts';
import { choiceQuestions } from '../support/models/choiceQuestions.ts';
import { codingTasks } from '../support/models/codingTasks.ts';

const bead = 'note-greet-by-name-1';
const file = `beadsmith-notes/${bead}.mjs`;
const rerunRoute = 'POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs';
const failedCheck: StandInCheck = {
  name: 'build (node 24)',
  status: 'completed',
  conclusion: 'failure',
  steps: [{ name: 'Run npm test', conclusion: 'failure' }],
  log: [
    '2026-01-01T00:00:00.0000000Z > sample@ test',
    '2026-01-01T00:00:01.0000000Z not ok 3 - greets loudly',
    '2026-01-01T00:00:01.0000000Z   expected HELLO, got hello',
    '2026-01-01T00:00:02.0000000Z ##[error]Process completed with exit code 1.',
  ].join('\n'),
};
const comment = (commit: string): StandInLineComment => ({
  id: 5_000_000_001,
  author: 'eve',
  association: 'MEMBER',
  body: 'Say it louder.',
  path: file,
  line: 9,
  hunk: '@@ -0,0 +1,10 @@\n+export function summary() {\n+  return `${note.bead}: ${note.title}`;',
  commit,
  at: '2026-11-01T10:00:00Z',
});
const slow = { timeout: 150_000 };

/** Each test continues where the one before stopped. */
describe('a ticket on GitHub', function () {
  const forge = new ForgeStandIn();
  const checksOfBase = new Map<string, readonly StandInCheck[]>();
  let repository: StandInRepository;
  let scene: EditorScene;
  let workbench: Workbench;
  let page: TicketPage;
  let review: ReviewEditor;
  sharedScene(
    this,
    {
      name: 'github',
      tickets: [{ title: 'Greet by name', at: 'review' }],
      questions: choiceQuestions,
      tasks: codingTasks({ fails: true }),
      env: { GH_ENTERPRISE_TOKEN: forge.token },
      settings: leastContrast,
    },
    async (started) => {
      scene = started;
      workbench = scene.workbench;
      page = new TicketPage(workbench);
      review = new ReviewEditor(workbench);
      await forge.start();
      repository = forge.addRepository('octo/sample', {
        labels: ['bug'],
        checksOf: checksOfBase,
      });
      signIn(scene, forge);
      await scene.repository.git('remote', 'add', 'origin', forge.addressOf('octo/sample'));
      await scene.repository.git('push', '--quiet', withLogin(forge), 'main');
      checksOfBase.set(await scene.repository.git('rev-parse', 'main'), []);
      await scene.drive();
      await workbench.row(/Review pull request/).waitFor(slow);
    },
  );
  after(async () => {
    await forge.stop();
    forge.assertSound();
  });

  it('gets its pull request after the editor said where it goes', async () => {
    await workbench.unfold(/Review pull request/);
    await page.open();
    await page.part('Review');
    await workbench.allScreenshots('github-before');
    await page.button('Create Pull Request…').click();
    await workbench.quickInput.getByText('Labels').first().waitFor();
    await workbench.screenshots('github-labels');
    await workbench.write('Labels', 'bug');
    await workbench.write('Users and teams', '');
    await dialog('Create a pull request for ticket/SAMPL-1').waitFor();
    await workbench.screenshots('github-create');
    assert.deepEqual(repository.pulls, [], 'nothing leaves before the answer');
    await workbench.answerDialog('Create Pull Request');
    await workbench.showNotification('SAMPL-1: pull request created.');
    await workbench.screenshots('github-created');
    await workbench.hideNotifications();
    await workbench.row(/^\s*Pull request\s*#1 open/).waitFor();
    assert.deepEqual(published().labels, ['bug']);
  });

  it('shows checks that failed, which run again, or are fixed once a person agrees', async () => {
    repository.checks = [failedCheck];
    await checkPullRequest();
    await workbench.row(/^\s*Failed checks\s*build/).waitFor();
    await page.frame.getByText('Failed checks on GitHub: build (node 24)').waitFor();
    await page.frame.getByText(/The step "Run npm test"[^]*\n {2}expected HELLO, got hello/).waitFor();
    await workbench.allScreenshots('github-checks');
    await assertAccessible(page.frame, 'failed checks');
    await act(/^\s*Failed checks/, 'Fix Failed Checks');
    await dialog('Fix the failed checks').waitFor();
    await workbench.screenshots('github-checks-fix');
    await workbench.answerDialog('Cancel');
    await page.button('Run Failed Checks Again').click();
    await workbench.row(/^\s*Failed checks/).waitFor({ state: 'detached' });
    await workbench.row(/^\s*Pull request.*1 pending/).waitFor();
    assert.equal(forge.count(rerunRoute), 1);
    repository.checks = [{ ...failedCheck, conclusion: 'success' }];
  });

  it('shows a comment beside its lines, with its author, and takes a reply to GitHub', async () => {
    const pull = published();
    talkOf(pull).lines.push(comment(tipOf(repository, 'ticket/SAMPL-1') ?? ''));
    await checkPullRequest();
    await workbench.row(/1 of 1 checks passed, 1 open comment thread/).waitFor();
    await workbench.run('Beadsmith: Show Changes');
    await workbench.choose(bead);
    await review.thread('Say it louder.').getByText('eve').first().waitFor();
    await workbench.allScreenshots('github-comment');
    await review.writeReply('Say it louder.', 'How loud?');
    await review.press('Reply on GitHub');
    await dialog('How loud?').waitFor();
    await workbench.screenshots('github-reply');
    assert.equal(talkOf(pull).lines.length, 1, 'nothing leaves before the answer');
    await workbench.answerDialog('Reply');
    await review.thread('How loud?').getByText('ada').first().waitFor();
    assert.equal(talkOf(pull).lines[1]?.body.split('\n')[0], 'How loud?');
  });

  it('has the comment fixed by a bead, and answers it once the pull request is updated', async () => {
    const pull = published();
    await review.thread('Say it louder.').locator('a[aria-label^="Fix"]').first().click();
    await dialog('Fix what eve, ada asked for?').waitFor();
    await workbench.screenshots('github-fix');
    await workbench.answerDialog('Fix and Resolve');
    await workbench.row(/Coding|Running final test/).waitFor(slow);
    await workbench.row(/Review pull request.*2\/2 beads/).waitFor(slow);
    await page.open();
    await page.frame.getByText('Say it louder.').first().waitFor();
    await workbench.allScreenshots('github-fixed');
    await page.button('Update Pull Request…').click();
    await workbench.write('Labels', '');
    await workbench.write('Users and teams', '');
    await dialog('Update the pull request for ticket/SAMPL-1').waitFor();
    await workbench.screenshots('github-update');
    await workbench.answerDialog('Update Pull Request');
    await workbench.showNotification('SAMPL-1: pull request updated.');
    await workbench.hideNotifications();
    assert.match(talkOf(pull).lines.at(-1)?.body ?? '', /^Fixed in [0-9a-f]{40}: /);
    assert.ok(talkOf(pull).resolved.has(comment('').id));
    await workbench.row(/^\s*Pull request\s*#1 open$/).waitFor();
    await workbench.allScreenshots('github-resolved');
  });

  it('begins with an issue, of which everything is shown before anything is stored', async () => {
    repository.issues.push({
      number: 12,
      title: 'Say goodbye',
      body: '- [ ] It says goodbye by name\n',
      author: 'eve',
      association: 'MEMBER',
      comments: [{ author: 'bob', association: 'NONE', body: 'In French, too.' }],
    });
    await workbench.run('View: Close All Editors');
    await workbench.run('Beadsmith: Import Tickets');
    await workbench.choice('GitHub Issue').waitFor();
    await workbench.screenshots('github-import-source');
    await workbench.choose('GitHub Issue');
    await workbench.write('Enter the address', '#12');
    const lens = workbench.page.locator('.codelens-decoration a', { hasText: 'Import 1 Ticket' });
    await lens.waitFor();
    await workbench.allScreenshots('github-import-preview');
    assert.match(
      await workbench.editorText(),
      /New: Say goodbye[^]*It says goodbye by name[^]*@bob\*\* \(without write access\)[^]*In French, too\./,
    );
    assert.equal(await workbench.row(/Say goodbye/).count(), 0);
    await lens.click();
    await workbench.row(/Draft · Say goodbye/).waitFor(slow);
    await workbench.openedPage('ticket');
    await workbench.screenshots('github-imported');
  });

  async function act(row: RegExp, action: string): Promise<void> {
    await workbench.row(row).hover();
    await workbench.row(row).locator(`a[aria-label^="${action}"]`).click();
  }

  const dialog = (text: string) => workbench.page.locator('.monaco-dialog-box', { hasText: text });

  function published(): StandInPull {
    const [pull] = repository.pulls;
    assert.ok(pull, 'there is a pull request');
    return pull;
  }

  async function checkPullRequest(): Promise<void> {
    await act(/^\s*Pull request/, 'Check Pull Request');
  }
});

/** As a person does: the host in the settings, a login that git finds. */
function signIn(scene: EditorScene, forge: ForgeStandIn): void {
  scene.changeSettings({ 'github-enterprise.uri': `http://${forge.host}` });
  const helper = `!f() { echo username=x; echo password=${forge.token}; }; f`;
  const { HOME: home = '' } = scene.environment;
  writeFileSync(join(home, '.gitconfig'), `[credential]\n\thelper = ${JSON.stringify(helper)}\n`);
}
