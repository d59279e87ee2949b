import assert from 'node:assert/strict';
import { commands, TabInputWebview, window } from 'vscode';
import { setupPageType } from '../../../src/protocol/pages/pageNames.ts';
import { commandId } from '../../../src/views/commands/commands.ts';
import { beadsmith, whatBegins } from '../../support/editor/hostWindow.ts';
import { until } from '../../support/until.ts';

describe('a check-up in a folder that is not trusted', () => {
  it('shows its page, and starts no process', async () => {
    await beadsmith().activate();
    const begun = await whatBegins(() => commands.executeCommand(commandId('checkSetup')));
    assert.equal(begun.includes('child_process'), false);
    const isShown = (): boolean =>
      window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .some(({ input }) => input instanceof TabInputWebview && input.viewType.endsWith(setupPageType));
    await until(isShown, 'the page is there');
  });
});
