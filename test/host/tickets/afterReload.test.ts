import assert from 'node:assert/strict';
import { commands, TabInputWebview, window } from 'vscode';
import { beadsmith, isWatched, shownPage } from '../../support/editor/hostWindow.ts';
import type { PageName } from '../../../src/protocol/pages/pageNames.ts';
import { until } from '../../support/until.ts';

/** What becomes of a page lies between loading the editor, the page and the database. */
const slow = 60_000;

/**
 * On the desktop there is no browser that opens the pages beforehand and reads them; each skipped test says
 * so in its title.
 */
const [run, why] = isWatched() ? [describe, ''] : [describe.skip, ' (skipped: no browser shows this window)'];

run(`a window that is loaded again${why}`, function () {
  this.timeout(90_000);

  it('has the pages it had, and they wake the extension', async () => {
    await until(() => pages().length === 3, 'the pages are there', slow);
    assert.deepEqual(pages(), ['ticket', 'interview', 'approval']);
    await until(() => beadsmith().isActive, 'the extension is active', slow);
  });

  it('shows what was typed, of the same ticket', async () => {
    await until(
      () => shows('approval', /SAMPL-2/, 'Nobody is told goodbye.'),
      'the approval page is back',
      slow,
    );
    await turnTo('interview');
    await until(
      () => shows('interview', /SAMPL-1[^]*Greet by name/, 'Above all children.'),
      'the interview page is back',
      slow,
    );
  });

  it('says of a ticket that is gone that it is gone', async () => {
    await turnTo('ticket');
    await until(
      () => shows('ticket', /The ticket SAMPL-3 doesn’t exist|The ticket SAMPL-3 doesn't exist/),
      'the page says so',
      slow,
    );
    assert.equal(pages().length, 3);
  });
});

/** The kinds of the pages that are open, from left to right. */
function pages(): readonly string[] {
  return window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) =>
      input instanceof TabInputWebview ? (/beadsmith\.(\w+)$/.exec(input.viewType)?.[1] ?? []) : [],
    ),
  );
}

async function turnTo(name: PageName): Promise<void> {
  await commands.executeCommand(`workbench.action.openEditorAtIndex${String(pages().indexOf(name) + 1)}`);
}

async function shows(name: PageName, text: RegExp, typed?: string): Promise<boolean> {
  const page = await shownPage(name);
  return text.test(page.text) && (typed === undefined || page.typed.includes(typed));
}
