import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { EditorScene } from '../support/editorScene.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

/** Model calls lie in between. */
const slow = { timeout: 150_000 };

/** A ticket whose PRD waits for an approval; each test goes on where the one before stopped. */
describe('documents of a ticket', function () {
  this.bail(true);
  let scene: EditorScene;
  let workbench: Workbench;

  before(async function () {
    this.timeout(300_000);
    scene = await EditorScene.start({ atPrd: 'Greet by name', settings: { 'editor.minimap.enabled': false, 'files.autoSave': 'off' } });
    workbench = scene.workbench;
    workbench.page.setDefaultTimeout(60_000);
    await scene.drive();
    await workbench.row('Approve the PRD').waitFor(slow);
  });

  after(async function () {
    this.timeout(60_000);
    await scene.end();
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await workbench.screenshots('failed-documents');
    console.error(scene.output.slice(-2_000));
  });

  it('can only be read where no gate asks about them', async () => {
    await show('Relevant files');
    await tab('relevant-files.yaml').waitFor();
    await type('Control+Home', 'x');
    await workbench.page.locator('.monaco-editor-overlaymessage', { hasText: /read-only/ }).waitFor();
    await workbench.screenshots('document-read-only');
  });

  it('show what is wrong with them, where it is', async () => {
    await show('PRD');
    await tab('prd.yaml').waitFor();
    await type('Control+Home', 'End');
    await workbench.page.keyboard.type('0');
    await workbench.page.locator('.squiggly-error').first().waitFor();
    await workbench.run('Problems: Focus on Problems View');
    await workbench.page.locator('.markers-panel .monaco-list-row', { hasText: /expected 1/ }).waitFor();
    await workbench.screenshots('document-problem');
  });

  it('are not saved while they are broken, and nothing is lost', async () => {
    await workbench.run('File: Save');
    await workbench.showNotices();
    await workbench.notice(/Failed to save 'prd.yaml'.*The PRD is not valid.*schema_version/).waitFor();
    await workbench.screenshots('document-refused');
    await dirty('prd.yaml').waitFor();
    assert.match(await text(), /schema_version:\s10/);
  });

  it('are saved as a new version once they are mended', async () => {
    await workbench.run('Notifications: Clear All Notifications');
    await workbench.run('View: Toggle Panel Visibility');
    await type('Control+Home', 'End', 'Backspace');
    await insertAfter('problem_statement: ', 'Nobody is greeted. ');
    await workbench.page.locator('.squiggly-error').waitFor({ state: 'detached' });
    await workbench.run('File: Save');
    await dirty('prd.yaml').waitFor({ state: 'detached' });
    await workbench.run('Beadsmith: Show History of a Document');
    await workbench.choice('Version 2').waitFor();
    await workbench.screenshots('document-history');
    await workbench.page.keyboard.press('Escape');
  });

  it('are compared with the version before', async () => {
    await workbench.run('Beadsmith: Compare with the Previous Version');
    await tab(/version 1 ↔ present version/).waitFor();
    await workbench.page.locator('.editor.modified .view-line', { hasText: 'Nobody is greeted.' }).waitFor();
    assert.equal(await workbench.page.locator('.editor.original .view-line', { hasText: 'Nobody is greeted.' }).count(), 0);
    await workbench.screenshots('document-compare');
    await workbench.run('View: Close Editor');
  });

  it('are asked about when they are approved with changes that are not saved', async () => {
    await show('PRD');
    await insertAfter('problem_statement: ', 'Really. ');
    await workbench.run('Beadsmith: Look and Approve');
    await workbench.page.locator('.monaco-dialog-box', { hasText: /aren’t saved/ }).waitFor();
    await workbench.screenshots('document-unsaved');
    await workbench.answerDialog('Save and Go On');
    await workbench.choice('Approve').first().waitFor();
    await workbench.choose('Approve');
    await workbench.row('Approve the PRD').waitFor({ state: 'hidden', ...slow });
  });

  it('warn when an approved one is changed, because what was built on it is thrown away', async () => {
    await workbench.row('Approve the beads').waitFor(slow);
    await show('PRD');
    await until(async () => /Really\./.test(await text()), 'the approved version is shown');
    await insertAfter('problem_statement: ', 'Once more. ');
    await workbench.run('File: Save');
    await workbench.page.locator('.monaco-dialog-box', { hasText: /go back in planning/ }).waitFor();
    await workbench.screenshots('document-rewind');
    await workbench.answerDialog('Cancel');
    await dirty('prd.yaml').waitFor();
    await workbench.row('Approve the beads').waitFor();
  });

  async function show(title: string): Promise<void> {
    await workbench.run('Beadsmith: Show a Document');
    await workbench.quickInput.locator('.quick-input-title', { hasText: 'Documents of SAMPL-1' }).waitFor();
    await workbench.quickInput.locator('input').first().fill(title);
    await until(async () => (await workbench.choice(/./).count()) === 1, `only ${title} is left`);
    await workbench.page.keyboard.press('Enter');
    await workbench.quickInput.waitFor({ state: 'hidden' });
  }

  function tab(name: string | RegExp): Locator {
    return workbench.page.locator('.editor-group-container .tab', { hasText: name });
  }

  function dirty(name: string): Locator {
    return workbench.page.locator('.editor-group-container .tab.dirty', { hasText: name });
  }

  /** Puts the cursor into the open editor and presses keys there. */
  async function type(...keys: readonly string[]): Promise<void> {
    await workbench.page.locator('.editor-group-container .monaco-editor .view-lines').last().click();
    for (const key of keys) await workbench.page.keyboard.press(key);
  }

  /** Writes behind the first place where a text stands. */
  async function insertAfter(found: string, written: string): Promise<void> {
    await type('Control+Home', 'Control+f');
    const find = workbench.page.locator('.find-widget.visible textarea').first();
    await find.fill(found);
    await workbench.page.keyboard.press('Enter');
    await workbench.page.keyboard.press('Escape');
    await workbench.page.keyboard.press('ArrowRight');
    await workbench.page.keyboard.type(written);
  }

  /** What the open editor shows. */
  async function text(): Promise<string> {
    return workbench.page.locator('.editor-group-container .monaco-editor .view-lines').last().innerText();
  }
});
