import assert from 'node:assert/strict';
import { assertAccessible, leastContrast } from '../support/editor/accessible.ts';
import { ApprovalPage, InterviewPage } from '../support/editor/editorPages.ts';
import type { EditorScene } from '../support/editor/editorScene.ts';
import { sharedScene } from '../support/editor/sharedScene.ts';
import { choiceQuestions } from '../support/models/choiceQuestions.ts';
import type { Workbench } from '../support/editor/workbench.ts';

const slow = { timeout: 90_000 };

/** Each test continues where the one before stopped. */
describe('the interview on the page of a ticket', function () {
  let scene: EditorScene;
  let workbench: Workbench;
  let page: InterviewPage;
  sharedScene(
    this,
    {
      name: 'interview',
      tickets: [{ title: 'Greet by name', at: 'interview' }],
      questions: choiceQuestions,
      settings: leastContrast,
    },
    async (started) => {
      scene = started;
      workbench = scene.workbench;
      page = new InterviewPage(workbench);
      await scene.drive();
    },
  );

  it('shows what is asked, one page a ticket', async () => {
    await page.open();
    await page.question('Q01').getByText('Decides what is tested first.').waitFor();
    await page.frame.getByText('Answered: 0 of about 4').waitFor();
    await workbench.allScreenshots('interview-page');
    await assertAccessible(page.frame, 'open questions');
    await page.open();
    assert.equal(await workbench.tab('Interview').count(), 1);
  });

  it('sends nothing as long as a question has neither answer nor skip', async () => {
    await page.question('Q01').getByLabel('People who are greeted').check();
    await page.question('Q01').getByLabel('Your own words').fill('Above all children.');
    await page.button('Send Answers').click();
    await page.question('Q02').getByText('Answer or skip this question.').waitFor();
    await page.question('Q02').getByLabel('README.md').check();
    assert.equal(await page.question('Q02').getByText('Answer or skip this question.').count(), 0);
  });

  it('comes back with what was typed after the window was reloaded', async () => {
    await workbench.reloadWindow();
    await page.comeBack();
    assert.equal(await page.question('Q01').getByLabel('People who are greeted').isChecked(), true);
    assert.equal(await page.question('Q01').getByLabel('Your own words').inputValue(), 'Above all children.');
    assert.equal(await page.question('Q02').getByLabel('README.md').isChecked(), true);
  });

  it('has one tab although it was hidden when the window was reloaded', async () => {
    await workbench.openFile('README.md');
    await workbench.reloadWindow();
    await workbench.tab('README.md').waitFor();
    await workbench.tab('Interview').waitFor();
    await page.open();
    assert.equal(await workbench.tab('Interview').count(), 1);
    await workbench.tab('README.md').click();
    await workbench.tab('Interview').click();
    await page.comeBack();
    assert.equal(await workbench.tab('Interview').count(), 1);
  });

  it('keeps what was typed when its tab is closed, for another window too, and says that it is unsent', async () => {
    const words = page.question('Q01').getByLabel('Your own words');
    await words.fill('Above all children and their teachers.');
    await words.press('Control+s');
    await page.frame.locator('.live', { hasText: 'Draft saved.' }).waitFor();
    await workbench.tab(/● SAMPL-1: Interview/).waitFor();
    await workbench.screenshots('interview-page-draft');
    await workbench.run('View: Close Editor');
    await workbench.tab('Interview').waitFor({ state: 'detached' });
    await page.open();
    assert.equal(
      await page.question('Q01').getByLabel('Your own words').inputValue(),
      'Above all children and their teachers.',
    );
    const other = await scene.openWindow();
    const there = new InterviewPage(other);
    await other.showView();
    await there.open();
    assert.equal(
      await there.question('Q01').getByLabel('Your own words').inputValue(),
      'Above all children and their teachers.',
    );
    await there.question('Q01').getByLabel('Your own words').fill('Above all children.');
    await there.question('Q01').getByLabel('Your own words').press('Control+s');
    await there.frame.locator('.live', { hasText: 'Draft saved.' }).waitFor();
    await other.page.close();
    await workbench.run('View: Close Editor');
    await page.open();
    assert.equal(await page.question('Q01').getByLabel('Your own words').inputValue(), 'Above all children.');
  });

  it('takes answers and a skip with its reason by keyboard alone', async () => {
    await page.open();
    const { keyboard } = workbench.page;
    await workbench.tabTo(page.question('Q02').getByLabel('Skip this question'));
    await keyboard.press('Space');
    await workbench.tabTo(page.question('Q02').getByLabel('Reason, shown to the models'));
    await keyboard.type('You see that better than I do.');
    await workbench.screenshots('interview-page-typed');
    await keyboard.press('Control+Enter');
    await page.answered('Above all children.').waitFor();
    await page.answered('Skipped: You see that better than I do.').waitFor();
    await page.question('Q03').waitFor(slow);
    await page.frame.locator('#question-Q03:focus').waitFor();
  });

  it('lets an earlier answer be changed', async () => {
    await page.answered('Who needs').getByRole('button', { name: /^Edit/ }).click();
    await page.answered('Who needs').getByLabel('Other programs').check();
    await page.answered('Who needs').getByRole('button', { name: 'Save' }).click();
    await page.answered('Other programs').waitFor();
    assert.match(await page.answered('Other programs').innerText(), /Above all children\./);
    await page.question('Q03').waitFor();
    await assertAccessible(page.frame, 'answered questions');
  });

  it('keeps what was typed when someone else answers the question', async () => {
    await page.question('Q03').getByLabel('Your answer').fill('That nobody is forgotten.');
    await scene.cli('answer', 'SAMPL-1', 'Q03=Enough is tested.');
    await page.answered('Enough is tested.').getByText('not sent yet').waitFor(slow);
    await page.question('QFF1').waitFor(slow);
    await page.answered('Enough is tested.').getByRole('button', { name: /^Edit/ }).click();
    assert.equal(
      await page.answered('Enough is tested.').getByLabel('Your answer').inputValue(),
      'That nobody is forgotten.',
    );
    await page.answered('Enough is tested.').getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await page.answered('not sent yet').count(), 0);
  });

  it('leaves the rest to the models after a question, and leads on to the approval', async () => {
    await page.button('Skip Remaining…').click();
    await page.frame.getByLabel('Reason, shown to the models').fill('Enough said.');
    await page.button('Skip Remaining').click();
    await page.document(/Interview.*waiting for your approval/).waitFor(slow);
    await page.frame.getByText('reason: Enough said.').first().waitFor();
    await page.frame.locator('#documents-interview-title:focus').waitFor();
  });

  it('is one page with all others of its ticket, whichever command opens it', async () => {
    await page.part('Details');
    await page.document(/^Plan$/).click();
    await new ApprovalPage(workbench).open();
    await page.document(/Interview.*waiting for your approval/).waitFor();
    assert.equal(await workbench.tab('SAMPL-1').count(), 1);
  });
});
