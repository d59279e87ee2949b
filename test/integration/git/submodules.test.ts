import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitAdapter } from '../../../src/adapters/git/gitAdapter.ts';
import { asAgent, gitOf, withCode, worktreeOf } from '../../support/git/gitBench.ts';
import { type TempRepository, tempRepositories } from '../../support/git/tempRepository.ts';

/** docs/decisions/186-submodules-and-large-files.md */
describe('git: submodules in worktrees', function () {
  this.timeout(60_000);
  const make = tempRepositories();
  const allowed = ['-c', 'protocol.file.allow=always'] as const;

  /** A submodule with one itself; nothing can be fetched. */
  async function nested(): Promise<{
    readonly sample: TempRepository;
    readonly git: GitAdapter;
    readonly config: () => Promise<string>;
  }> {
    const [inner, part, sample] = [
      await make({ files: { 'inner.txt': 'inner\n' } }),
      await make({ name: 'part' }),
      await make(),
    ];
    await part.git(...allowed, 'submodule', '--quiet', 'add', inner.root, 'inner');
    await part.commit({ 'part.txt': 'part\n' });
    await sample.git(...allowed, 'submodule', '--quiet', 'add', part.root, 'libs/part');
    await sample.git(...allowed, 'submodule', '--quiet', 'update', '--init', '--recursive');
    await sample.commit({ 'a.txt': 'a\n' });
    for (const { root } of [inner, part]) await rename(root, `${root}.gone`);
    return {
      sample,
      git: gitOf(sample),
      config: () => readFile(join(sample.root, '.git', 'config'), 'utf8'),
    };
  }

  it('are filled from the checkout, nested ones too, and nothing is configured for that', async () => {
    const { sample, git, config } = await nested();
    const before = await config();
    const path = await worktreeOf(sample, git);
    const scratch = await git.checkOutScratch('ABC-1', await git.head(path), []);
    for (const at of [path, scratch.path]) {
      assert.equal(await readFile(join(at, 'libs/part/part.txt'), 'utf8'), 'part\n');
      assert.equal(await readFile(join(at, 'libs/part/inner/inner.txt'), 'utf8'), 'inner\n');
    }
    assert.equal(await config(), before);
    assert.equal(await sample.git('status', '--porcelain'), '');
    assert.deepEqual([await git.status(path), (await git.scratchChanges('ABC-1')).changes], [[], []]);
    // What setups have as a step has nothing left to do.
    await asAgent(sample, path)('submodule', 'update', '--init', '--recursive');
    await git.removeScratch('ABC-1');
    await git.removeWorktree(path);
    assert.equal(existsSync(path), false);
  });

  it('are as they were after each reset and before each proof, whatever git was told of them', async () => {
    const { sample, git } = await nested();
    const path = await worktreeOf(sample, git);
    const base = await git.head(path);
    const scratch = await git.checkOutScratch('ABC-1', base, []);
    for (const at of [path, scratch.path]) {
      const agent = asAgent(sample, join(at, 'libs/part'));
      await agent('update-index', '--assume-unchanged', 'part.txt');
      await appendFile(join(at, 'libs/part/part.txt'), 'changed\n');
      await writeFile(join(at, 'libs/part/inner/new.txt'), 'new');
    }
    await git.resetHard(path, base);
    await git.checkOutScratch('ABC-1', base, []);
    for (const at of [path, scratch.path]) {
      assert.equal(await readFile(join(at, 'libs/part/part.txt'), 'utf8'), 'part\n');
      assert.equal(existsSync(join(at, 'libs/part/inner/new.txt')), false);
    }
  });

  it('lead git nowhere else, whatever was put in their place', async () => {
    const { sample, git } = await nested();
    const path = await worktreeOf(sample, git);
    const base = await git.head(path);
    const own = join(sample.root, 'libs/part/part.txt');
    await writeFile(own, 'mine\n');
    const link = await readFile(join(path, 'libs/part/.git'), 'utf8');
    // The person's own git folder of that submodule.
    await writeFile(join(path, 'libs/part/.git'), `gitdir: ${join(sample.root, '.git/modules/libs/part')}\n`);
    await git.resetHard(path, base);
    assert.deepEqual(
      [await readFile(own, 'utf8'), await readFile(join(path, 'libs/part/.git'), 'utf8')],
      ['mine\n', link],
    );
    // The person's folder, by a link.
    await rm(join(path, 'libs/part'), { recursive: true });
    await symlink(join(sample.root, 'libs/part'), join(path, 'libs/part'));
    await git.resetHard(path, base);
    assert.equal(await readFile(own, 'utf8'), 'mine\n');
    assert.equal(await readFile(join(path, 'libs/part/part.txt'), 'utf8'), 'part\n');
    // The folder above, by a link.
    await rm(join(path, 'libs'), { recursive: true });
    await symlink(join(sample.root, 'libs'), join(path, 'libs'));
    await git.resetHard(path, base);
    assert.equal(await readFile(own, 'utf8'), 'mine\n');
    assert.equal(await readFile(join(path, 'libs/part/part.txt'), 'utf8'), 'part\n');
    const scratch = await git.checkOutScratch('ABC-1', base, []);
    await rm(join(scratch.path, 'libs'), { recursive: true });
    await symlink(join(sample.root, 'libs'), join(scratch.path, 'libs'));
    await git.checkOutScratch('ABC-1', base, []);
    assert.equal(await readFile(own, 'utf8'), 'mine\n');
    assert.equal(await readFile(join(scratch.path, 'libs/part/part.txt'), 'utf8'), 'part\n');
  });

  it('start no program that a session configured for them', async () => {
    const { sample, git } = await nested();
    const path = await worktreeOf(sample, git);
    const base = await git.head(path);
    const agent = asAgent(sample, join(path, 'libs/part'));
    await agent('config', 'filter.evil.smudge', `touch ${join(sample.root, 'ran')}; cat`);
    await mkdir(join(sample.root, '.git/worktrees/ABC-1/modules/libs/part/info'), { recursive: true });
    await writeFile(
      join(sample.root, '.git/worktrees/ABC-1/modules/libs/part/info/attributes'),
      '* filter=evil\n',
    );
    await writeFile(join(path, 'libs/part/part.txt'), 'changed\n');
    await assert.rejects(git.resetHard(path, base), withCode('GIT_SETTING_REFUSED'));
    assert.equal(existsSync(join(sample.root, 'ran')), false);
  });

  it('stay empty where the checkout has none, or their names could be taken for something else', async () => {
    const { sample, git } = await nested();
    await sample.commit({ '.gitmodules': '[submodule "../../evil"]\n\tpath = libs/part\n\turl = ./x\n' });
    const path = await worktreeOf(sample, git);
    assert.equal(existsSync(join(path, 'libs/part/part.txt')), false);
  });
});

describe('git: files in Git LFS', function () {
  this.timeout(60_000);
  const make = tempRepositories();

  it('have their content in worktrees, as far as the clone has it, and are no change', async function () {
    const sample = await make({ files: { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' } });
    const isInstalled = await sample.git('lfs', 'install', '--local').then(
      () => true,
      () => false,
    );
    if (!isInstalled) {
      console.log('    (skipped: Git LFS is not installed)');
      this.skip();
    }
    await sample.commit({ 'data.bin': 'content\n' });
    const git = gitOf(sample);
    const path = await worktreeOf(sample, git);
    const base = await git.head(path);
    const scratch = await git.checkOutScratch('ABC-1', base, []);
    for (const at of [path, scratch.path])
      assert.equal(await readFile(join(at, 'data.bin'), 'utf8'), 'content\n');
    assert.deepEqual([await git.status(path), (await git.scratchChanges('ABC-1')).changes], [[], []]);
    await writeFile(join(path, 'data.bin'), 'changed\n');
    await git.resetHard(path, base);
    assert.equal(await readFile(join(path, 'data.bin'), 'utf8'), 'content\n');
    assert.match(await sample.git('show', 'HEAD:data.bin'), /^version https:\/\/git-lfs/);
    await rm(join(sample.root, '.git/lfs/objects'), { recursive: true });
    await mkdir(join(sample.root, '.git/lfs/objects'));
    const second = await worktreeOf(sample, git, 'ABC-2');
    assert.match(await readFile(join(second, 'data.bin'), 'utf8'), /^version https:\/\/git-lfs/);
  });
});
