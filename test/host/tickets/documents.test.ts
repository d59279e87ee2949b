import assert from 'node:assert/strict';
import { FileSystemError, FileType, languages, Uri, workspace } from 'vscode';
import { documentAddress } from '../../../src/protocol/documents.ts';
import { folder } from '../../support/editor/hostWindow.ts';

const ticket = 'SAMPL-1';

describe('documents', () => {
  it('are files of their ticket', async () => {
    const names = (await workspace.fs.readDirectory(address('prd').with({ path: `/${ticket}` }))).map(
      ([name, kind]) => {
        assert.equal(kind & FileType.File, FileType.File, name);
        return name;
      },
    );
    assert.ok(
      names.includes('interview-compiled.yaml') && names.includes('relevant-files.yaml'),
      names.join(', '),
    );
  });

  it('open in an editor, with the language of their kind', async () => {
    const document = await workspace.openTextDocument(address('relevant_files'));
    assert.match(document.getText(), /sum\.js/);
    assert.equal(document.languageId, 'yaml');
    assert.deepEqual(languages.getDiagnostics(document.uri), []);
  });

  it('say that there is none', async () => {
    const isMissing = (error: unknown): boolean =>
      error instanceof FileSystemError && error.code === 'FileNotFound';
    await assert.rejects(async () => workspace.fs.stat(address('prd')), isMissing);
    await assert.rejects(
      async () => workspace.fs.readFile(address('prd').with({ path: '/SAMPL-99/prd.yaml' })),
      isMissing,
    );
  });

  it('can not be written while their gate does not ask for it, nor removed, nor renamed', async () => {
    const before = await workspace.fs.readFile(address('relevant_files'));
    await assert.rejects(async () =>
      workspace.fs.writeFile(address('relevant_files'), new TextEncoder().encode('files: []\n')),
    );
    await assert.rejects(async () => workspace.fs.delete(address('relevant_files')));
    await assert.rejects(async () => workspace.fs.rename(address('relevant_files'), address('prd')));
    assert.deepEqual(await workspace.fs.readFile(address('relevant_files')), before);
  });
});

function address(type: string): Uri {
  const parts = documentAddress(folder(), ticket, type);
  assert.ok(parts);
  return Uri.from(parts);
}
