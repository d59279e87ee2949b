import assert from 'node:assert/strict';
import { commands, Uri, workspace } from 'vscode';
import { commandId } from '../../../src/views/commands/commands.ts';
import { beadsmith, whatBegins } from '../../support/editor/hostWindow.ts';

describe('a check-up in a folder that is not trusted', () => {
  it('checks what is stored, says what it does not check, and starts no process', async () => {
    await beadsmith().activate();
    const begun = await whatBegins(() => commands.executeCommand(commandId('checkSetup')));
    assert.equal(begun.includes('child_process'), false);
    const text = (await workspace.openTextDocument(Uri.parse('beadsmith-support:/setup.txt'))).getText();
    for (const subject of ['git', 'OpenCode', 'Models'])
      assert.match(text, new RegExp(`^NOT CHECKED +${subject}: .*isn’t trusted`, 'm'));
    assert.match(text, /^OK +Database: schema \d+/m);
    assert.match(text, /^OK +Journals: tickets: 1, entries: \d+, every chain valid$/m);
  });
});
