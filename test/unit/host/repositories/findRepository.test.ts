import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { commonDirOf, findRepository } from '../../../../src/host/repositories/findRepository.ts';
import { tempFolders, tempRepositories } from '../../../support/git/tempRepository.ts';

describe('findRepository', () => {
  const repository = tempRepositories();
  const folder = tempFolders();

  it('finds the top of the checkout from any folder in it', async () => {
    const { root } = await repository();
    await mkdir(join(root, 'a/b'), { recursive: true });
    assert.equal(await findRepository(join(root, 'a/b')), root);
  });

  it('finds none where there is none, or no folder', async () => {
    const empty = await folder();
    assert.equal(await findRepository(empty), undefined);
    assert.equal(await findRepository(join(empty, 'gone')), undefined);
  });

  it('knows the common dir of a worktree as git does', async () => {
    const { root, git } = await repository().then((made) => ({ root: made.root, git: made.git.bind(made) }));
    const worktree = join(root, '..', 'tree');
    await git('worktree', 'add', '--quiet', worktree);
    assert.equal(await commonDirOf(root), join(root, '.git'));
    assert.equal(await findRepository(worktree), join(root, '..', 'tree'));
    assert.equal(await commonDirOf(worktree), join(root, '.git'));
  });
});
