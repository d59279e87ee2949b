import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from 'vscode';
import { commandId, commandNames, needsTrust } from '../../../src/views/commands/commands.ts';
import {
  beadsmith,
  folder,
  runUnanswered,
  stateFolder,
  whatBegins,
} from '../../support/editor/hostWindow.ts';

describe('a folder that is not trusted', () => {
  it('is one', () => {
    assert.equal(workspace.isTrusted, false);
  });

  it('refuses every command that changes something, however it is run, and starts no process', async () => {
    await beadsmith().activate();
    const begun = await whatBegins(async () => {
      const changing = commandNames.filter(needsTrust);
      assert.ok(changing.length > 10 && changing.includes('verifyEvidence'));
      for (const name of changing)
        await runUnanswered(commandId(name), { root: folder(), ticket: 'SAMPL-1' });
      await runUnanswered(commandId('refresh'));
    });
    assert.equal(begun.includes('child_process'), false);
    assert.equal(existsSync(join(stateFolder(), 'owner.json')), false);
  });
});
