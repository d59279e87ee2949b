import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PromptFiles } from '../../../../src/adapters/files/promptFiles.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';
import { withCode } from '../../../support/git/gitBench.ts';

describe('prompt files', () => {
  const makeFolder = tempFolders();

  it('are read by name, once', async () => {
    const folder = await makeFolder();
    const prompts = new PromptFiles(folder);
    await assert.rejects(prompts.read('prd-draft'), withCode('UNEXPECTED'));
    await writeFile(join(folder, 'prd-draft.md'), 'text');
    assert.equal(await prompts.read('prd-draft'), 'text');
    await rm(join(folder, 'prd-draft.md'));
    assert.equal(await prompts.read('prd-draft'), 'text');
  });

  it('have plain names', async () => {
    const folder = await makeFolder();
    await writeFile(join(folder, 'x.md'), 'text');
    for (const name of ['../x', 'X', 'x.md', '', './x', 'x/../x'])
      await assert.rejects(new PromptFiles(folder).read(name), withCode('UNEXPECTED'), name);
  });
});
