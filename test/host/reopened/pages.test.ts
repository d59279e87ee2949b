import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TabInputWebview, window } from 'vscode';
import { z } from 'zod';
import { beadsmith, stateFolder } from '../../support/hostWindow.ts';
import { until } from '../../support/until.ts';

const pages = (): readonly string[] =>
  window.tabGroups.all.flatMap(({ tabs }) => tabs.flatMap(({ input }) => (input instanceof TabInputWebview ? [input.viewType] : [])));

describe('a window that is opened again', () => {
  it('has the page it had, and that wakes the extension', async () => {
    await until(() => pages().some((type) => type.endsWith('beadsmith.ticket')), 'the page is there', 20_000);
    await until(() => beadsmith().isActive, 'the extension is active', 20_000);
  });

  it('fills the page: its repository is opened, and it stays', async function () {
    // The page has to load before it asks for anything.
    this.timeout(130_000);
    await until(() => driver() === process.pid, 'the window drives', 120_000);
    assert.equal(pages().filter((type) => type.endsWith('beadsmith.ticket')).length, 1);
  });
});

function driver(): number | undefined {
  try {
    return z.object({ pid: z.number() }).parse(JSON.parse(readFileSync(join(stateFolder(), 'owner.json'), 'utf8'))).pid;
  } catch {
    return undefined; // nobody, yet
  }
}
