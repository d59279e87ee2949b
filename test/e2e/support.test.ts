import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EditorScene } from '../support/editor/editorScene.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { untilItHelps } from '../demo/editorWindow.ts';
import { until } from '../support/until.ts';

const title = 'Greet the canary by name';

/** As documents in the editor. */
describe('check-up and report', () => {
  let scene: EditorScene;
  let workbench: Workbench;

  before(async function () {
    this.timeout(90_000);
    scene = await EditorScene.start({ tickets: [{ title, at: 'draft' }] });
    workbench = scene.workbench;
    await scene.drive();
  });

  after(async function () {
    this.timeout(60_000);
    await scene.end();
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await workbench.failed('support');
    console.error(await workbench.notifications());
  });

  it('shows what works as a document to read, with the OpenCode that really starts', async () => {
    await workbench.run('Beadsmith: Check Setup');
    await workbench.tab('setup.txt').waitFor();
    const text = await workbench.editorText();
    for (const line of [
      /^OK +git: git \d/m,
      /^OK +OpenCode: OpenCode \d/m,
      /^OK +Database: schema \d+, SQLite 3\.\d.*, intact/m,
    ])
      assert.match(text, line);
    assert.match(text, /^OK +Models: OpenCode [\d.]+ starts and offers \d+ models?: .*scripted\/alpha/m);
    await workbench.allScreenshots('setup');
  });

  it('shows a report of facts before anyone gets it, without the title of a ticket', async () => {
    await workbench.run('Beadsmith: Report Issue');
    await workbench.choice('Include the journal of SAMPL-1').waitFor();
    await workbench.screenshots('report-choice');
    await workbench.page.keyboard.press('Enter');
    await workbench.tab('report.md').waitFor();
    await workbench.showNotifications();
    await workbench.notification('Nothing is sent unless you submit it').waitFor();
    await workbench.allScreenshots('report');
    const file = join(scene.repository.root, 'beadsmith-report.md');
    await workbench.answerNotification('Nothing is sent', 'Save As…');
    await workbench.quickInput.locator('input').first().waitFor();
    await workbench.page.keyboard.press('Enter');
    await until(() => readIfThere(file) !== '', 'the report is saved');
    const text = readIfThere(file);
    assert.match(text, /^SAMPL-1: DRAFT, changed \d/m);
    assert.match(text, /<repository>, on main/);
    assert.match(text, /info {2}<repository>: driver/);
    assert.ok(!text.includes(title) && !text.includes(scene.repository.root), text);
  });

  it('exports everything that is known of a ticket, and asks before it replaces that', async () => {
    const parent = join(scene.repository.root, '..');
    const manifest = join(parent, 'SAMPL-1-export', 'export.json');
    await workbench.run('Beadsmith: Export Ticket');
    await workbench.acceptFolder(parent, 'Export Here');
    await until(() => readIfThere(manifest) !== '', 'the ticket is exported');
    assert.match(
      readIfThere(join(parent, 'SAMPL-1-export', 'README.md')),
      /^# SAMPL-1 Greet the canary by name/,
    );
    assert.match(readIfThere(join(parent, 'SAMPL-1-export', 'journal.ndjson')), /"kind":"ticket\.created"/);
    const first = readIfThere(manifest);
    await workbench.run('Beadsmith: Export Ticket');
    await workbench.acceptFolder(parent, 'Export Here');
    await workbench.page.locator('.monaco-dialog-box', { hasText: 'An export of' }).waitFor();
    await workbench.screenshots('export-again');
    assert.equal(readIfThere(manifest), first);
    await workbench.answerDialog('Replace');
    await until(() => !['', first].includes(readIfThere(manifest)), 'the export is replaced');
    const left = (): string =>
      readdirSync(parent)
        .filter((name) => name.includes('export'))
        .join();
    await until(() => left() === 'SAMPL-1-export', 'nothing but the new export is left');
  });

  it('leads from what fails to what fixes it', async () => {
    scene.changeSettings({ 'beadsmith.opencode.path': '/nowhere/opencode' });
    // The editor takes a moment to read its settings again.
    const fails = async (): Promise<boolean> =>
      /^FAILED +OpenCode: OpenCode was not found/m.test(await workbench.editorText());
    const check = async (): Promise<void> => {
      await workbench.run('Beadsmith: Check Setup');
      await workbench.tab('setup.txt').waitFor();
    };
    await untilItHelps(check, () => until(fails, 'the failure is shown', 15_000));
    await workbench.page.locator('.detected-link', { hasText: 'Install OpenCode' }).first().waitFor();
    await workbench.screenshots('setup-failed');
    await until(
      async () => (await workbench.notifications()).some((text) => /setup has/.test(text)),
      'a notification says so',
    );
    await workbench.answerNotification(/setup has/, 'Install OpenCode…');
    await workbench.page
      .locator('.monaco-dialog-box', { hasText: /Install OpenCode .* for your user/ })
      .waitFor();
  });
});

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
