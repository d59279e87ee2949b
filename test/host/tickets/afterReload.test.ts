import assert from 'node:assert/strict';
import { commands, TabInputWebview, window } from 'vscode';
import { beadsmith, isWatched, shownPage } from '../../support/editor/hostWindow.ts';
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
    assert.deepEqual(pages(), ['SAMPL-3', 'SAMPL-1', 'SAMPL-2']);
    await until(() => beadsmith().isActive, 'the extension is active', slow);
  });

  it('shows what was typed, of the same ticket', async () => {
    await until(
      () => shows('SAMPL-2', /Say goodbye/, 'Nobody is told goodbye.'),
      'the page with the approval is back',
      slow,
    );
    await turnTo('SAMPL-1');
    await until(
      () => shows('SAMPL-1', /SAMPL-1[^]*Greet by name/, 'Above all children.'),
      'the page with the interview is back',
      slow,
    );
  });

  it('says of a ticket that is gone that it is gone', async () => {
    await turnTo('SAMPL-3');
    await until(
      () => shows('SAMPL-3', /The ticket SAMPL-3 doesn’t exist|The ticket SAMPL-3 doesn't exist/),
      'the page says so',
      slow,
    );
    assert.equal(pages().length, 3);
  });
});

/** The tickets of the pages that are open, from left to right. */
function pages(): readonly string[] {
  return window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input, label }) =>
      input instanceof TabInputWebview ? (/SAMPL-\d+/.exec(label)?.[0] ?? []) : [],
    ),
  );
}

async function turnTo(ticket: string): Promise<void> {
  await commands.executeCommand(`workbench.action.openEditorAtIndex${String(pages().indexOf(ticket) + 1)}`);
}

async function shows(ticket: string, text: RegExp, typed?: string): Promise<boolean> {
  const page = await shownPage(ticket);
  return text.test(page.text) && (typed === undefined || page.typed.includes(typed));
}
