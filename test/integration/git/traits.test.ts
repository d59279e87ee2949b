import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryChecks } from '../../../src/phases/setup/preflight.ts';
import { gitOf, withCode, worktreeOf } from '../../support/git/gitBench.ts';
import { tempFolders, type TempRepository, tempRepositories } from '../../support/git/tempRepository.ts';

describe('git: repositories that are special', () => {
  const make = tempRepositories();
  const makeFolder = tempFolders();

  async function said(sample: TempRepository, folder = sample.root): Promise<readonly string[]> {
    const traits = await gitOf(sample, { folder }).traits('HEAD');
    return repositoryChecks(traits, '/worktree').map(
      ({ name, result, message }) => `${result}: ${name}: ${message}`,
    );
  }

  it('say nothing if they are not', async () => {
    assert.deepEqual(await said(await make()), []);
  });

  it('have submodules, files in LFS, and paths with line feeds, each with what helps', async () => {
    const [part, sample] = [await make({ name: 'part' }), await make({ name: 'whole' })];
    await sample.git(
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      part.root,
      'parts/one',
    );
    await sample.commit({
      'assets/.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
      'a\nb.txt': 'x',
    });
    const clone = join(await makeFolder(), 'clone');
    await sample.git('clone', '--quiet', sample.root, clone);
    const [submodules, lfs, odd, ...rest] = await said(sample, clone);
    assert.match(
      submodules ?? '',
      /^warning: Submodules: Empty in your checkout.*: parts\/one\. .*git submodule update --init --recursive$/,
    );
    assert.match(lfs ?? '', /^warning: Git LFS: .*run in your checkout: git lfs pull$/);
    assert.match(odd ?? '', /^warning: Odd paths: .*"a\\nb\.txt"/);
    assert.deepEqual(rest, []);
  });

  it('are sparse, shallow or partial', async () => {
    const sample = await make({ files: { 'one/a.txt': 'a', 'two/b.txt': 'b' } });
    await sample.commit({ 'two/c.txt': 'c' });
    await sample.git('config', 'uploadpack.allowFilter', 'true');
    const clone = join(await makeFolder(), 'clone');
    await sample.git('clone', '--quiet', '--depth=1', '--filter=blob:none', `file://${sample.root}`, clone);
    await sample.git('-C', clone, 'sparse-checkout', 'set', 'one');
    const found = await said(sample, clone);
    assert.deepEqual(
      found.map((line) => line.split(': ')[1]),
      ['Sparse checkout', 'Shallow clone', 'Partial clone'],
    );
  });

  it('have names that differ by letter case alone, where the file system takes them for one', async () => {
    const sample = await make({
      files: { 'lib/Util.js': 'a', 'lib/util.js': 'b', 'Notes/a.txt': 'a', 'notes/b.txt': 'b' },
    });
    await sample.git('config', 'core.ignorecase', 'false');
    assert.deepEqual(await said(sample), []);
    await sample.git('config', 'core.ignorecase', 'true');
    const [check, ...rest] = await said(sample);
    assert.match(
      check ?? '',
      /^fail: Letter case: .*Notes and notes, lib\/Util\.js and lib\/util\.js\. Rename one of each on the base branch\.$/,
    );
    assert.deepEqual(rest, []);
  });

  it('have a path that is too long for a worktree', async () => {
    const traits = { ...(await gitOf(await make()).traits('HEAD')), longestPath: 4_081 };
    const [check] = repositoryChecks(traits, '/somewhere/deep');
    assert.deepEqual([check?.name, check?.result], ['Long paths', 'fail']);
    assert.match(check?.message ?? '', /Move the repository to a folder with a shorter path/);
  });

  it('are fetched from as the person configured it, by any transport but the one that starts programs', async () => {
    const sample = await make({ files: { 'a.txt': 'a\n' } });
    const first = await sample.git('rev-parse', 'HEAD');
    await sample.commit({ 'a.txt': 'changed\n' });
    await sample.git('config', 'uploadpack.allowFilter', 'true');
    await sample.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    const clone = join(await makeFolder(), 'clone');
    await sample.git('clone', '--quiet', '--filter=blob:none', `file://${sample.root}`, clone);
    const git = gitOf(sample, { folder: clone });
    assert.equal(Buffer.from((await git.blob(first, 'a.txt')) ?? []).toString(), 'a\n');
  });

  it('are refused in their own words if they are bare, or their path has a line feed', async () => {
    const sample = await make();
    await assert.rejects(
      gitOf(sample, { folder: await sample.addOrigin() }).repository(),
      withCode('BARE_REPOSITORY'),
    );
    const odd = join(await makeFolder(), 'two\nlines');
    await mkdir(odd);
    await sample.git('init', '--quiet', odd);
    await assert.rejects(gitOf(sample, { folder: odd }).repository(), withCode('PATH_UNUSABLE'));
  });

  it('take a suggested edit through the filters of their attributes', async () => {
    const sample = await make({ files: { '.gitattributes': '*.txt text eol=lf\n', 'a.txt': 'a\n' } });
    const git = gitOf(sample);
    const path = await worktreeOf(sample, git);
    const edit = await git.commitText(path, {
      path: 'a.txt',
      text: 'mine\r\ntoo\r\n',
      message: 'edit',
      trailers: {},
    });
    await git.adopt(path, edit, await git.head(path));
    await git.restore(path, ['a.txt']);
    assert.equal(await sample.git('cat-file', 'blob', 'ticket/ABC-1:a.txt'), 'mine\ntoo');
    assert.deepEqual(await git.status(path), []);
    assert.equal(await readFile(join(path, 'a.txt'), 'utf8'), 'mine\ntoo\n');
  });
});
