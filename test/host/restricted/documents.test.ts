import assert from 'node:assert/strict';
import { Uri, workspace } from 'vscode';
import { documentAddress } from '../../../src/protocol/documents.ts';
import { folder } from '../../support/editor/hostWindow.ts';

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
