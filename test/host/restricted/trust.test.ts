import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { workspace, Uri, commands, TabInputWebview, window } from 'vscode';
import { commandId, commandNames, needsTrust } from '../../../src/views/commands/commands.ts';
import {
  beadsmith,
  folder,
  runUnanswered,
  stateFolder,
  whatBegins,
} from '../../support/editor/hostWindow.ts';
import { documentAddress } from '../../../src/protocol/documents.ts';
import { setupPageType } from '../../../src/protocol/pages/pageNames.ts';
import { until } from '../../support/until.ts';

describe('documents of a folder that is not trusted', () => {
  it('can be read, and not written', async () => {
    const parts = documentAddress(folder(), 'SAMPL-1', 'relevant_files');
    assert.ok(parts);
    const uri = Uri.from(parts);
    const read = async (): Promise<string> => new TextDecoder().decode(await workspace.fs.readFile(uri));
    const text = await read();
    assert.match(text, /sum\.js/);
    await assert.rejects(async () => workspace.fs.writeFile(uri, new TextEncoder().encode('files: []\n')));
    assert.equal(await read(), text);
  });
});

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
