import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { ScriptInput } from '../../src/demo/modelScript.ts';
import { EditorScene } from '../support/editorScene.ts';
import type { Workbench } from '../support/workbench.ts';

/** A model's turn lies in between. */
const slow = { timeout: 90_000 };
const option = (id: string, label: string): { id: string; label: string } => ({ id, label });
/** Two of the scripted model's questions with options. */
const questions: ScriptInput['questions'] = {
  Q01: {
    priority: 'critical',
    rationale: 'Decides what is tested first.',
    answer_type: 'single_choice',
    options: [option('people', 'People who are greeted'), option('programs', 'Other programs')],
  },
  Q02: {
    answer_type: 'multiple_choice',
    options: [option('sum', 'sum.js'), option('readme', 'README.md'), option('all', 'Everything else')],
  },
};

/** One interview from its first question to its end; each test goes on where the one before stopped. */
describe('the interview page', function () {
  this.bail(true);
  let scene: EditorScene;
  let workbench: Workbench;
  let page: Frame;
  const open = async (): Promise<void> => {
    await workbench.run('Beadsmith: Open Interview');
    page = await workbench.openedPage('interview');
  };
  const question = (id: string): ReturnType<Frame['locator']> => page.locator('.question', { has: page.locator(`#question-${id}`) });
  const answered = (text: string | RegExp): ReturnType<Frame['locator']> => page.locator('.answered > li', { hasText: text });

  before(async function () {
    this.timeout(240_000);
    scene = await EditorScene.start({ atInterview: 'Greet by name', questions });
    workbench = scene.workbench;
    await scene.drive();
  });

  after(async function () {
    this.timeout(60_000);
    await scene.end();
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await workbench.screenshots('failed-interview');
    console.error(scene.output.slice(-2_000));
  });

  it('shows what is asked, one page a ticket', async () => {
    await open();
    await question('Q01').getByText('Decides what is tested first.').waitFor();
    await page.getByText('0 of about 4 questions answered').waitFor();
    await workbench.allScreenshots('interview-page');
    await open();
    assert.equal(await workbench.page.locator('.editor-group-container .tab', { hasText: 'Interview' }).count(), 1);
  });

  it('sends nothing as long as a question has neither answer nor skip', async () => {
    await question('Q01').getByLabel('People who are greeted').check();
    await question('Q01').getByLabel('In your own words').fill('Above all children.');
    await page.getByRole('button', { name: 'Send Answers' }).click();
    await question('Q02').getByText('Answer this, or skip it.').waitFor();
    await question('Q02').getByLabel('README.md').check();
    assert.equal(await question('Q02').getByText('Answer this, or skip it.').count(), 0);
  });

  it('comes back with what was typed after the window was reloaded', async () => {
    await workbench.reloadWindow();
    page = await workbench.openedPage('interview', 40_000);
    assert.equal(await question('Q01').getByLabel('People who are greeted').isChecked(), true);
    assert.equal(await question('Q01').getByLabel('In your own words').inputValue(), 'Above all children.');
    assert.equal(await question('Q02').getByLabel('README.md').isChecked(), true);
  });

  it('takes answers and a skip with its reason by keyboard alone', async () => {
    await open();
    const { keyboard } = workbench.page;
    await workbench.tabTo(question('Q02').getByLabel('Skip this question'));
    await keyboard.press('Space');
    await workbench.tabTo(question('Q02').getByLabel('Why? The models read this.'));
    await keyboard.type('You see that better than I do.');
    await workbench.screenshots('interview-page-typed');
    await keyboard.press('Control+Enter');
    await answered('Above all children.').waitFor();
    await answered('Skipped: You see that better than I do.').waitFor();
    await question('Q03').waitFor(slow);
    await page.locator('#question-Q03:focus').waitFor();
  });

  it('lets an earlier answer be changed', async () => {
    await answered('Who needs').getByRole('button', { name: /^Edit/ }).click();
    await answered('Who needs').getByLabel('Other programs').check();
    await answered('Who needs').getByRole('button', { name: 'Save' }).click();
    await answered('Other programs').waitFor();
    assert.match(await answered('Other programs').innerText(), /Above all children\./);
    await question('Q03').waitFor();
  });

  it('keeps what was typed when somebody else answers the question', async () => {
    await question('Q03').getByLabel('Your answer').fill('That nobody is forgotten.');
    await scene.cli('answer', 'SAMPL-1', 'Q03=Enough is tested.');
    await answered('Enough is tested.').getByText('not sent yet').waitFor(slow);
    await question('QFF1').waitFor(slow);
    await answered('Enough is tested.').getByRole('button', { name: /^Edit/ }).click();
    assert.equal(await answered('Enough is tested.').getByLabel('Your answer').inputValue(), 'That nobody is forgotten.');
    await answered('Enough is tested.').getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await answered('not sent yet').count(), 0);
  });

  it('leaves the rest to the models after a question, and leads on to the approval', async () => {
    await page.getByRole('button', { name: 'Skip Everything That Is Left…' }).click();
    await page.getByLabel('Why? The models read this.').fill('Enough said.');
    await page.getByRole('button', { name: 'Skip Everything That Is Left', exact: true }).click();
    await answered('Skipped: Enough said.').waitFor(slow);
    await page.getByRole('button', { name: 'Look and Approve' }).waitFor(slow);
    await page.getByRole('button', { name: 'Look and Approve' }).click();
    await workbench.choice('Approve').first().waitFor();
  });
});
