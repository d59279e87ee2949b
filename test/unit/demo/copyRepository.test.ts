import assert from 'node:assert/strict';
import { join } from 'node:path';
import { copyRepository } from '../../../src/demo/copyRepository.ts';
import { tempFolders, tempRepositories } from '../../support/git/tempRepository.ts';

describe('a copy of a repository', () => {
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  const before = process.env['GIT_DIR'];
  afterEach(() => {
    if (before === undefined) delete process.env['GIT_DIR'];
    else process.env['GIT_DIR'] = before;
  });

  it('changes nothing of the repository, also where a hook of it says where git works', async () => {
    const repository = await makeRepository({ files: { 'a.txt': 'a' } });
    await repository.git('remote', 'add', 'origin', 'https://example.invalid/a.git');
    const config = await repository.git('config', '--local', '--list');
    const copy = join(await makeFolder(), 'copy');
    process.env['GIT_DIR'] = join(repository.root, '.git');
    await copyRepository(repository.root, copy, null);
    delete process.env['GIT_DIR'];
    assert.equal(await repository.git('config', '--local', '--list'), config);
  });
});
