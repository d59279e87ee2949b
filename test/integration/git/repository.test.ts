import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolders, tempRepositories } from '../../support/git/tempRepository.ts';
import { gitOf, withCode } from '../../support/git/gitBench.ts';

describe('git: the repository', () => {
  const make = tempRepositories();
  const makeFolder = tempFolders();

  it('says where the person stands', async () => {
    const sample = await make();
    await sample.write({ 'README.md': 'changed', 'new.txt': '' });
    assert.deepEqual(await gitOf(sample).repository(), {
      root: sample.root,
      commonDir: join(sample.root, '.git'),
      hasCommits: true,
      headBranch: 'main',
      headCommit: await sample.git('rev-parse', 'HEAD'),
      dirty: 2,
    });
  });

  it('is found from a folder below and through a link', async () => {
    const sample = await make({ files: { 'a/b/c.txt': '' } });
    const link = join(sample.root, '..', 'link');
    await symlink(sample.root, link);
    for (const folder of [join(sample.root, 'a', 'b'), link, join(link, 'a')]) {
      assert.equal((await gitOf(sample, { folder }).repository()).root, sample.root, folder);
    }
  });

  it('may have no commits, or a detached HEAD', async () => {
    const empty = await make({ files: null });
    const found = await gitOf(empty).repository();
    assert.deepEqual([found.hasCommits, found.headBranch, found.headCommit], [false, 'main', null]);
    await assert.rejects(gitOf(empty).defaultBranch(), withCode('NO_COMMITS'));
    await assert.rejects(
      gitOf(empty).addWorktree({ ticket: 'ABC-1', branch: 'ticket/ABC-1', commit: 'HEAD' }),
      withCode('NO_COMMITS'),
    );

    const sample = await make();
    await sample.git('checkout', '--quiet', '--detach');
    assert.equal((await gitOf(sample).repository()).headBranch, null);
    await sample.addOrigin();
    assert.equal(await gitOf(sample).defaultBranch(), undefined, 'nobody guesses which branch was meant');
  });

  it('is neither a plain folder, nor a missing one, nor the inside of .git', async () => {
    const sample = await make();
    const plain = await makeFolder();
    for (const folder of [plain, join(plain, 'missing'), join(sample.root, '.git')]) {
      await assert.rejects(gitOf(sample, { folder }).repository(), withCode('NOT_A_REPOSITORY'), folder);
    }
  });

  it('is found once there is one', async () => {
    const folder = join(await makeFolder(), 'later');
    const sample = await make();
    const git = gitOf(sample, { folder });
    await assert.rejects(git.repository(), withCode('NOT_A_REPOSITORY'));
    await mkdir(folder);
    await sample.git('init', '--quiet', folder);
    assert.equal((await git.repository()).root, folder);
  });

  it('prefers the branch of origin over the current one', async () => {
    const sample = await make();
    await sample.git('branch', 'release');
    assert.equal(await gitOf(sample).defaultBranch(), 'main');
    await sample.addOrigin('release');
    assert.equal(await gitOf(sample).defaultBranch(), 'release');
    await sample.git('branch', '--quiet', '--delete', '--force', 'release');
    assert.equal(await gitOf(sample).defaultBranch(), 'main');
  });

  it('tells how a branch differs from the one of origin, and finds what is only there', async () => {
    const sample = await make();
    const git = gitOf(sample);
    const first = await sample.git('rev-parse', 'HEAD');
    assert.deepEqual(await git.base('main'), {
      branch: 'main',
      commit: first,
      side: 'local',
      ahead: 0,
      behind: 0,
    });
    await sample.git('branch', 'next');
    await sample.addOrigin();
    const theirs = await sample.commit({ 'theirs.txt': '' });
    await sample.commit({ 'more.txt': '' });
    await sample.git('push', '--quiet', 'origin', 'main');
    await sample.git('reset', '--quiet', '--hard', first);
    const mine = await sample.commit({ 'mine.txt': '' });
    await sample.git('branch', '--delete', '--force', 'next');
    assert.deepEqual(await git.base('main'), {
      branch: 'main',
      commit: mine,
      side: 'local',
      ahead: 1,
      behind: 2,
    });
    const origin = await git.base('origin/main');
    assert.deepEqual([origin?.branch, origin?.side, origin?.ahead, origin?.behind], ['main', 'origin', 1, 2]);
    assert.notEqual(origin?.commit, theirs);
    for (const name of ['next', 'origin/next'])
      assert.deepEqual(await git.base(name), {
        branch: 'next',
        commit: first,
        side: 'origin',
        ahead: 0,
        behind: 0,
      });
    for (const name of [
      'nothing',
      'main~1',
      'main^{tree}',
      '--all',
      'origin/HEAD',
      'HEAD',
      '../main',
      first,
      '',
    ])
      assert.equal(await git.base(name), undefined, name);
  });

  it('lists branches and resolves names', async () => {
    const sample = await make();
    await sample.git('branch', 'feature/x');
    const git = gitOf(sample);
    const head = await sample.git('rev-parse', 'HEAD');
    assert.deepEqual(await git.branches(), ['feature/x', 'main']);
    assert.equal(await git.resolve('feature/x'), head);
    assert.equal(await git.resolve(head), head);
    for (const name of [
      'nothing',
      '',
      '--upload-pack=x',
      '--output=x',
      '-x',
      'a\nb',
      'main\0',
      '../../x',
      'x'.repeat(5_000),
      'a..b',
    ]) {
      assert.equal(await git.resolve(name), undefined, name.slice(0, 20));
    }
  });

  it('finds the highest ticket, here and at origin, though its branch is gone', async () => {
    const sample = await make();
    const git = gitOf(sample);
    assert.equal(await git.highestTicket('ABC'), 0);
    for (const branch of ['ticket/ABC-3', 'ticket/ABC-12', 'ticket/ABCD-99', 'ticket/ABC-x', 'other/ABC-500'])
      await sample.git('branch', branch);
    assert.equal(await git.highestTicket('ABC'), 12);
    await sample.addOrigin();
    await sample.git('update-ref', 'refs/remotes/origin/ticket/ABC-40', 'HEAD');
    assert.equal(await git.highestTicket('ABC'), 40);
    await sample.git('update-ref', 'refs/beadsmith/ABC-41/bead-a/1', 'HEAD');
    assert.equal(await git.highestTicket('ABC'), 41);
    await assert.rejects(git.highestTicket('.*'), withCode('INVALID_INPUT'));
  });
});
