import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownIdentity } from '../../../src/adapters/system/processes.ts';
import { tempRepositories } from '../../support/git/tempRepository.ts';
import type { TempRepository } from '../../support/git/tempRepository.ts';
import { gitOf, withCode, worktreeOf } from '../../support/git/gitBench.ts';

describe('git: what a repository may try', () => {
  const make = tempRepositories();

  async function everything(sample: TempRepository): Promise<void> {
    const git = gitOf(sample);
    const path = await worktreeOf(sample, git);
    const base = await git.head(path);
    await writeFile(join(path, 'a.txt'), 'changed');
    await git.status(path);
    await git.keep(path, 'refs/beadsmith/ABC-1/x/1', 'x');
    const commit = await git.commit(path, { message: 'x', trailers: { Ticket: 'ABC-1' }, paths: ['a.txt'] });
    await git.diff(path, base, commit);
    await git.commits(path, base, commit);
    await git.squash(path, { base, message: 'x', trailers: {} });
    await git.resetHard(path, base);
    await sample.commit({ 'b.txt': 'moved on' });
    await git.merge({ base: 'main', commit, message: 'x' });
    await git.removeWorktree(path);
    await git.repository();
  }

  it('starts no program of the repository: hooks, monitor, pager, editor, external diff, signing', async () => {
    const sample = await make({
      files: { 'a.txt': 'a', 'b.txt': 'b', '.gitattributes': '*.txt diff=evil filter=missing\n' },
    });
    const trace = join(sample.root, '..', 'ran');
    const program = join(sample.root, '..', 'evil.sh');
    await writeFile(program, `#!/bin/sh\necho "$0 $*" >> ${trace}\nexit 1\n`);
    await chmod(program, 0o755);
    const hooks = [
      'post-checkout',
      'pre-commit',
      'commit-msg',
      'post-commit',
      'reference-transaction',
      'post-merge',
      'post-index-change',
    ];
    for (const hook of hooks) {
      await writeFile(join(sample.root, '.git/hooks', hook), `#!/bin/sh\necho ${hook} >> ${trace}\n`);
      await chmod(join(sample.root, '.git/hooks', hook), 0o755);
    }
    const settings = [
      'core.fsmonitor',
      'core.pager',
      'core.editor',
      'diff.external',
      'diff.evil.command',
      'diff.evil.textconv',
      'gpg.program',
    ];
    for (const name of [
      ...settings,
      'core.sshCommand',
      'core.askPass',
      'sequence.editor',
      'pager.log',
      'pager.diff',
    ]) {
      await sample.git('config', name, program);
    }
    for (const name of ['commit.gpgSign', 'log.showSignature', 'submodule.recurse', 'merge.autoStash'])
      await sample.git('config', name, 'true');
    // Only what the test itself does with git may run hooks.
    await rm(trace, { force: true });
    const testGit = sample.git.bind(sample);
    sample.git = (...args) =>
      testGit(
        '-c',
        'core.hooksPath=/dev/null',
        '-c',
        'core.fsmonitor=false',
        '-c',
        'commit.gpgSign=false',
        ...args,
      );
    await everything(sample);
    await assert.rejects(stat(trace), 'something ran');
  });

  it('takes git and what git starts from outside of the repository', async () => {
    const sample = await make();
    const trace = join(sample.root, '..', 'ran');
    const tools = join(sample.root, 'tools');
    await mkdir(tools);
    for (const name of ['git', 'ssh', 'gpg'])
      await writeFile(join(tools, name), `#!/bin/sh\necho ${name} >> ${trace}\n`, { mode: 0o755 });
    const environment = { ...process.env, PATH: `${tools}:.:tools:${process.env['PATH'] ?? ''}` };
    assert.equal((await gitOf(sample, { environment }).repository()).root, sample.root);
    await assert.rejects(stat(trace), 'a program of the repository ran');
    const nowhere = gitOf(sample, { environment: { ...process.env, PATH: `${tools}:.` } });
    await assert.rejects(nowhere.repository(), withCode('GIT_NOT_FOUND'));
    await assert.rejects(stat(trace), 'a program of the repository ran');
  });

  it('does not obey the environment it was started in', async () => {
    const sample = await make();
    const other = await make();
    const environment = {
      PATH: process.env['PATH'],
      HOME: join(sample.root, '..'),
      GIT_DIR: join(other.root, '.git'),
      GIT_WORK_TREE: other.root,
      GIT_INDEX_FILE: '/nonexistent',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.bare',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_EXTERNAL_DIFF: '/bin/false',
      GIT_TRACE: join(sample.root, 'trace'),
    };
    const git = gitOf(sample, { environment });
    assert.equal((await git.repository()).root, sample.root);
    await worktreeOf(sample, git);
    assert.equal(await sample.git('status', '--porcelain'), '');
  });

  it('takes no git from a relative place on the PATH', async () => {
    const sample = await make();
    await writeFile(join(sample.root, 'git'), '#!/bin/sh\ntouch evil\n', { mode: 0o755 });
    const environment = { PATH: `.::${process.env['PATH'] ?? ''}`, HOME: sample.root };
    await gitOf(sample, { environment }).repository();
    await assert.rejects(lstat(join(sample.root, 'evil')));
  });

  it('says so when there is no git', async () => {
    const sample = await make();
    await assert.rejects(
      gitOf(sample, { environment: { PATH: '/nonexistent' } }).repository(),
      withCode('GIT_NOT_FOUND'),
    );
  });
});

describe('git: locks', () => {
  const make = tempRepositories();

  it('waits for a lock and names it when patience ends', async () => {
    const sample = await make();
    const git = gitOf(sample, { lockPatienceMs: 300 });
    const path = await worktreeOf(sample, git);
    const lock = join(sample.root, '.git/worktrees/ABC-1/index.lock');
    await writeFile(lock, '');
    const base = await git.head(path);
    await assert.rejects(
      git.resetHard(path, base),
      (error: unknown) => withCode('GIT_LOCKED')(error) && String(error).includes(lock),
    );
    const patient = gitOf(sample).resetHard(path, base);
    await rm(lock);
    await patient;
  });

  it('removes a lock left behind in our worktree, never one in the checkout', async () => {
    const sample = await make();
    const git = gitOf(sample, { lockPatienceMs: 300 });
    const path = await worktreeOf(sample, git);
    const ours = join(sample.root, '.git/worktrees/ABC-1/index.lock');
    const theirs = join(sample.root, '.git/index.lock');
    const old = new Date(Date.now() - 60_000);
    for (const lock of [ours, theirs]) {
      await writeFile(lock, '');
      await utimes(lock, old, old);
    }
    await writeFile(join(path, 'x.txt'), '');
    const commit = await git.commit(path, { message: 'x', trailers: {}, paths: ['x.txt'] });
    await assert.rejects(stat(ours));
    await assert.rejects(git.merge({ base: 'main', commit, message: 'x' }), withCode('GIT_LOCKED'));
    assert.ok(await stat(theirs));
  });

  it('waits for the living process that changes the list of worktrees, and not for a dead one', async () => {
    const sample = await make();
    const folder = join(sample.root, '.git/beadsmith');
    const file = join(folder, 'worktrees.lock');
    await mkdir(folder, { recursive: true });
    const alive = { ...(await ownIdentity()), nonce: 'alive', epoch: 0 };
    await writeFile(file, JSON.stringify(alive));
    const git = gitOf(sample, { lockPatienceMs: 50 });
    await assert.rejects(
      worktreeOf(sample, git),
      (error: unknown) => withCode('GIT_LOCKED')(error) && String(error).includes(file),
    );
    // Its number belongs to another process now.
    await writeFile(file, JSON.stringify({ ...alive, started: '1' }));
    assert.ok(await stat(await worktreeOf(sample, git)));
    await assert.rejects(stat(file));
  });
});
