import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
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

  it('has a branch that is only at origin, as it was fetched last', async () => {
    const repository = await makeRepository({ files: { 'a.txt': 'a' } });
    await repository.git('switch', '--quiet', '-c', 'release/1.0');
    const commit = await repository.commit({ 'b.txt': 'b' });
    await repository.addOrigin();
    await repository.git('switch', '--quiet', 'main');
    await repository.git('branch', '-D', 'release/1.0');
    const copy = join(await makeFolder(), 'copy');
    await copyRepository(repository.root, copy, 'release/1.0');
    const git = (...args: readonly string[]): Promise<string> => repository.git('-C', copy, ...args);
    assert.equal(await git('rev-parse', 'HEAD', 'release/1.0'), `${commit}\n${commit}`);
    assert.equal(await git('branch', '--show-current'), 'release/1.0');
    assert.deepEqual((await readdir(copy)).toSorted(), ['.git', 'a.txt', 'b.txt']);
    assert.equal(await git('for-each-ref', '--format=%(refname)'), 'refs/heads/release/1.0', 'and no other');
  });

  it('says of a branch that is nowhere that git doesn’t find it', async () => {
    const repository = await makeRepository();
    await assert.rejects(copyRepository(repository.root, join(await makeFolder(), 'copy'), 'nowhere'), {
      code: 'GIT_FAILED',
    });
  });
});
