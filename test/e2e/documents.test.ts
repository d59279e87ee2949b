import assert from 'node:assert/strict';
import { DocumentEditor } from '../support/editor/documentEditor.ts';
import { choiceQuestions } from '../support/models/choiceQuestions.ts';
import { sharedScene } from '../support/editor/sharedScene.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/editor/workbench.ts';

const slow = { timeout: 150_000 };

/** Each test continues where the one before stopped. */
describe('documents of a ticket', function () {
  let workbench: Workbench;
  let editor: DocumentEditor;
  /** On the same ticket. */
  let second: Workbench;
  let other: DocumentEditor;
  const settings = { 'editor.minimap.enabled': false, 'files.autoSave': 'off' };
  sharedScene(
    this,
    {
      name: 'documents',
      tickets: [{ title: 'Greet by name', at: 'prd' }],
      questions: choiceQuestions,
      settings,
    },
    async (scene) => {
      workbench = scene.workbench;
      editor = new DocumentEditor(workbench);
      workbench.page.setDefaultTimeout(60_000);
      await scene.drive();
      await workbench.row('Approve PRD').waitFor(slow);
      second = await scene.openWindow();
      other = new DocumentEditor(second);
    },
  );

  it('can only be read where no gate asks about them', async () => {
    await editor.show('Relevant files');
    await workbench.tab('relevant-files.yaml').waitFor();
    await editor.type('Control+Home', 'x');
    await workbench.page.locator('.monaco-editor-overlaymessage', { hasText: /read-only/ }).waitFor();
    await workbench.screenshots('document-read-only');
  });

  it('say over a story where it comes from, and lead there', async () => {
    await editor.show('PRD');
    await workbench.tab('prd.yaml').waitFor();
    await editor.type('Control+End');
    const link = workbench.page.locator('.codelens-decoration a', { hasText: 'from Q01, Q02' });
    // The lines move while the links are drawn, and a line above the editor shows none.
    await until(async () => {
      const isShown = await link.isVisible();
      if (!isShown) await workbench.page.keyboard.press('PageUp');
      return isShown;
    }, 'the story has its link');
    await workbench.screenshots('document-links');
    await link.click();
    await workbench.choose('Q02');
    await workbench.tab('interview.yaml').waitFor();
    await until(
      async () => /Which\sparts\sof\sthe\srepository/.test(await editor.text()),
      'the question is shown',
    );
    await workbench.run('View: Close Editor');
  });

  it('show what is wrong with them, where it is', async () => {
    await editor.show('PRD');
    await workbench.tab('prd.yaml').waitFor();
    await editor.type('Control+Home', 'End');
    await workbench.page.keyboard.type('0');
    await workbench.page.locator('.squiggly-error').first().waitFor();
    await workbench.run('Problems: Focus on Problems View');
    await workbench.page.locator('.markers-panel .monaco-list-row', { hasText: /expected 1/ }).waitFor();
    await workbench.screenshots('document-problem');
  });

  it('are not saved while they are broken, and nothing is lost', async () => {
    await workbench.run('File: Save');
    await workbench.showNotifications();
    await workbench.notification(/Failed to save 'prd.yaml'.*The PRD is not valid.*schema_version/).waitFor();
    await workbench.screenshots('document-refused');
    await editor.dirty('prd.yaml').waitFor();
    assert.match(await editor.text(), /schema_version:\s10/);
  });

  it('are saved as a new version once they are fixed', async () => {
    await workbench.run('Notifications: Clear All Notifications');
    await workbench.run('View: Toggle Panel Visibility');
    await editor.type('Control+Home', 'End', 'Backspace');
    await editor.insertAfter('problem_statement: ', 'Nobody is greeted. ');
    await workbench.page.locator('.squiggly-error').waitFor({ state: 'detached' });
    await workbench.run('File: Save');
    await editor.dirty('prd.yaml').waitFor({ state: 'detached' });
    await workbench.takeFromTitle('Show Document History');
    await workbench.choice('Version 2').waitFor();
    await workbench.screenshots('document-history');
    await workbench.page.keyboard.press('Escape');
  });

  it('are compared with the version before', async () => {
    await workbench.takeFromTitle('Compare with Previous Version');
    await workbench.tab(/version 1 ↔ current version/).waitFor();
    await workbench.page.locator('.editor.modified .view-line', { hasText: 'Nobody is greeted.' }).waitFor();
    assert.equal(
      await workbench.page.locator('.editor.original .view-line', { hasText: 'Nobody is greeted.' }).count(),
      0,
    );
    await workbench.screenshots('document-compare');
    await workbench.run('View: Close Editor');
  });

  it('are never overwritten unseen: who saves second is told, compares, and decides', async () => {
    await editor.show('PRD');
    await editor.insertAfter('problem_statement: ', 'Mine. ');
    await other.show('PRD');
    await other.insertAfter('problem_statement: ', 'Theirs, and longer. ');
    await saveThere();
    await workbench.run('File: Save');
    await workbench.showNotifications();
    await workbench.notification(/Failed to save 'prd.yaml': The content of the file is newer/).waitFor();
    await workbench.screenshots('document-conflict');
    await workbench.answerNotification(/The content of the file is newer/, 'Compare');
    await workbench.page.locator('.editor.original .view-line', { hasText: 'Theirs, and longer.' }).waitFor();
    await workbench.page.locator('.editor.modified .view-line', { hasText: 'Mine.' }).waitFor();
    await workbench.screenshots('document-conflict-compare');
    await workbench.page.locator('.editor-actions a[aria-label^="Use your changes"]').click();
    await editor.dirty('prd.yaml').first().waitFor({ state: 'detached' });
    await shows(other, 'Mine.');
    assert.doesNotMatch(await other.text(), /Theirs/);
    await workbench.takeFromTitle('Compare with Previous Version');
    await workbench.page.locator('.editor.original .view-line', { hasText: 'Theirs, and longer.' }).waitFor();
    await workbench.run('View: Close Editor');
  });

  it('are not overwritten either by a text of the same size, and what is discarded is there no more', async () => {
    await editor.show('PRD');
    await shows(editor, 'Mine.');
    await editor.insertAfter('problem_statement: ', 'Again. ');
    await other.show('PRD');
    await other.insertAfter('problem_statement: ', 'Ours');
    for (const _ of 'Mine') await second.page.keyboard.press('Delete');
    await saveThere();
    await second.page.close();
    await workbench.run('File: Save');
    await workbench.page.locator('.monaco-dialog-box', { hasText: /Someone else changed/ }).waitFor();
    await workbench.screenshots('document-conflict-same-size');
    await workbench.answerDialog('Compare');
    await workbench.tab(/current version ↔ yours/).waitFor();
    await workbench.page.locator('.editor.original .view-line', { hasText: 'Ours.' }).waitFor();
    await workbench.page.locator('.editor.modified .view-line', { hasText: 'Again.' }).waitFor();
    await workbench.run('View: Close Editor');
    await editor.show('PRD');
    await editor.dirty('prd.yaml').waitFor();
    await workbench.run('File: Revert File');
    await editor.dirty('prd.yaml').waitFor({ state: 'detached' });
    await shows(editor, 'Ours.');
    assert.doesNotMatch(await editor.text(), /Again/);
    await workbench.run('Notifications: Clear All Notifications');
  });

  it('are asked about when they are approved with changes that are not saved', async () => {
    await editor.show('PRD');
    await editor.insertAfter('problem_statement: ', 'Really. ');
    await workbench.takeAction('Approve in Quick Pick');
    await workbench.page.locator('.monaco-dialog-box', { hasText: /unsaved changes/ }).waitFor();
    await workbench.screenshots('document-unsaved');
    await workbench.answerDialog('Save and Continue');
    await workbench.choice('Approve').first().waitFor();
    await workbench.choose('Approve');
    await workbench.answerDialog('Approve');
    await workbench.row('Approve PRD').waitFor({ state: 'hidden', ...slow });
  });

  it('warn when an approved one is changed, because what was built on it is thrown away', async () => {
    await workbench.row('Approve beads').waitFor(slow);
    await editor.show('PRD');
    await until(async () => /Really\./.test(await editor.text()), 'the approved version is shown');
    await editor.insertAfter('problem_statement: ', 'Once more. ');
    await workbench.run('File: Save');
    await workbench.page.locator('.monaco-dialog-box', { hasText: /rewind planning/ }).waitFor();
    await workbench.screenshots('document-rewind');
    await workbench.answerDialog('Cancel');
    await editor.dirty('prd.yaml').waitFor();
    await workbench.row('Approve beads').waitFor();
  });

  async function saveThere(): Promise<void> {
    await second.run('File: Save');
    await other.dirty('prd.yaml').first().waitFor({ state: 'detached' });
  }

  async function shows(one: DocumentEditor, words: string): Promise<void> {
    await until(async () => (await one.text()).includes(words), `the editor shows ${words}`);
  }
});
