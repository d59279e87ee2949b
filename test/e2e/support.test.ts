import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { assertAccessible, leastContrast } from '../support/editor/accessible.ts';
import { EditorScene } from '../support/editor/editorScene.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { untilItHelps } from '../demo/editorWindow.ts';
import { until } from '../support/until.ts';

const title = 'Greet the canary by name';

/** The check-up as a page, and the report as a document. */
describe('check-up and report', () => {
  let scene: EditorScene;
  let workbench: Workbench;

  before(async function () {
    this.timeout(90_000);
    scene = await EditorScene.start({ settings: leastContrast, tickets: [{ title, at: 'draft' }] });
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

  const checked = async (): Promise<Frame> => {
    const page = await workbench.openedPage();
    await page
      .getByText(/Failed: \d+\. Warnings: \d+\./)
      .first()
      .waitFor({ timeout: 60_000 });
    return page;
  };

  it('shows what works as a page, with the OpenCode that really starts', async () => {
    await workbench.run('Beadsmith: Check Setup');
    const page = await checked();
    const lines = (await page.locator('.check-pass').allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, ' '),
    );
    for (const line of [
      /^OK: git git \d/,
      /^OK: OpenCode OpenCode \d/,
      /^OK: Database schema \d+, SQLite 3\.\d.*, intact/,
      /^OK: Models OpenCode [\d.]+ starts and offers \d+ models?: .*scripted\/alpha/,
    ])
      assert.ok(
        lines.some((text) => line.test(text)),
        `${String(line)} in ${lines.join('\n')}`,
      );
    assert.deepEqual(await page.locator('[data-primary]').allInnerTexts(), ['Check Again']);
    const widths = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    assert.equal(await page.evaluate<number>(widths), 0, 'nothing is cut');
    await assertAccessible(page, 'the page of Check Setup');
    await workbench.allScreenshots('setup');
  });

  it('shows a report of facts before anyone gets it, without the title of a ticket', async () => {
    await workbench.run('Beadsmith: Report Issue');
    await workbench.choice('Include the journal of SAMPL-1').waitFor();
    await workbench.screenshots('report-choice');
    await workbench.page.keyboard.press('Enter');
    await workbench.tab('report.md').waitFor();
    await workbench.showNotification('Nothing is sent unless you submit it');
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
    await workbench.run('Beadsmith: Check Setup');
    const page = await checked();
    const failure = page.locator('.check-fail', { hasText: 'OpenCode was not found' }).first();
    const again = async (): Promise<void> => {
      await checked();
      if ((await failure.count()) === 0) await page.getByRole('button', { name: 'Check Again' }).click();
    };
    await untilItHelps(again, () => failure.waitFor({ timeout: 15_000 }));
    await checked();
    await workbench.screenshots('setup-failed');
    await failure.getByRole('button', { name: /^Install OpenCode…/ }).click();
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
