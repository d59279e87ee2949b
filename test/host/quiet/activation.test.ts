import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { commands } from 'vscode';
import { beadsmith, stateFolder, whatBegins } from '../../support/editor/hostWindow.ts';

describe('activation', () => {
  it('does not happen because a window opens', () => {
    assert.equal(beadsmith().isActive, false);
  });

  it('starts no process, no thread and no connection, and writes nothing', async () => {
    const wake = async (): Promise<void> => {
      await beadsmith().activate();
      // What answers is loaded with the first call; this one needs nothing of the repository.
      await commands.executeCommand('beadsmith.showLog');
    };
    assert.deepEqual(await whatBegins(wake), []);
    assert.equal(beadsmith().isActive, true);
    assert.equal(existsSync(stateFolder()), false);
  });
});
