import assert from 'node:assert/strict';
import { commands, Uri, workspace } from 'vscode';
import { commandId } from '../../../src/views/commands/commands.ts';

describe('a check-up in a window that follows', () => {
  it('says that another one drives, and finds the same database whole', async () => {
    await commands.executeCommand(commandId('checkSetup'));
    const text = (await workspace.openTextDocument(Uri.parse('beadsmith-support:/setup.txt'))).getText();
    assert.match(text, /^OK +Driver: Another window or process is working on the tickets/m);
    assert.match(text, /^OK +Database: schema \d+/m);
    assert.doesNotMatch(text, /^FAILED/m);
  });
});
