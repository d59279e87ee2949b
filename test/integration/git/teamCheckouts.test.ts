import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../../../src/adapters/system/files.ts';
import type { CheckedOut } from '../../../src/domain/team/checkedOut.ts';
import { gitOf, withCode, worktreeOf } from '../../support/git/gitBench.ts';
import { tempRepositories, type TempRepository } from '../../support/git/tempRepository.ts';

const pushed = 'refs/beadsmith/ABC-1/worktree/branch';

describe('a person’s checkout of a team’s ticket', () => {
  const make = tempRepositories();
  let sample: TempRepository;
  let tip: string;
  let path: string;

  beforeEach(async () => {
    sample = await make({ files: { 'a.txt': 'a\n', '.gitignore': 'build\n' } });
    await sample.addOrigin();
    tip = 'main';
    path = join(`${sample.root}.worktrees`, 'team', 'ABC-1');
  });

  /** As a runner does, elsewhere. */
  async function pushes(files: Readonly<Record<string, string>>): Promise<void> {
    await sample.git('checkout', '--quiet', '--detach', tip);
    tip = await sample.commit(files);
    await sample.git('push', '--quiet', '--force', 'origin', `${tip}:${pushed}`);
    await sample.git('checkout', '--quiet', 'main');
  }
  async function checkOut(): Promise<CheckedOut['state']> {
    const found = await gitOf(sample).checkOutOfTeam('ABC-1');
    assert.equal(found.path, path);
    return found.state;
  }
  const here = (...args: readonly string[]): Promise<string> => sample.git('-C', path, ...args);
  const text = (name: string): Promise<string> => readFile(join(path, name), 'utf8');

  it('is made of what was pushed, and brought up to date, beside a ticket of this clone with its id', async () => {
    const own = await worktreeOf(sample, gitOf(sample));
    await pushes({ 'b.txt': 'one\n' });
    const before = await sample.fingerprint();
    assert.equal(await checkOut(), 'made');
    assert.equal(await text('b.txt'), 'one\n');
    assert.equal(await checkOut(), 'current');
    assert.equal(await sample.fingerprint(), before);
    await mkdir(join(path, 'build'));
    await writeFile(join(path, 'build', 'out'), 'mine');
    await pushes({ 'b.txt': 'two\n' });
    assert.equal(await checkOut(), 'updated');
    assert.deepEqual([await text('b.txt'), await text('build/out')], ['two\n', 'mine']);
    assert.equal(await here('rev-parse', 'HEAD'), tip);
    assert.equal(await here('status', '--porcelain'), '');
    assert.equal(await exists(join(own, 'b.txt')), false);
    // Someone deleted the folder alone.
    await rm(path, { recursive: true });
    assert.equal(await checkOut(), 'made');
  });

  it('stays as it is once it has work of the person: changes, commits, or a branch', async () => {
    await pushes({ 'b.txt': 'one\n' });
    await checkOut();
    await pushes({ 'b.txt': 'two\n' });
    await writeFile(join(path, 'mine.txt'), 'mine');
    assert.equal(await checkOut(), 'kept');
    await here('add', '--all');
    await here('commit', '--quiet', '--message', 'Mine');
    assert.equal(await checkOut(), 'kept');
    assert.deepEqual([await text('b.txt'), await text('mine.txt')], ['one\n', 'mine']);
    await here('checkout', '--quiet', '-b', 'mine', 'HEAD~1');
    const branch = await here('rev-parse', 'mine');
    assert.equal(await checkOut(), 'kept');
    assert.equal(await here('rev-parse', 'mine'), branch);
  });

  it('overwrites no file that git ignores, and takes no folder that isn’t one', async () => {
    await pushes({ 'b.txt': 'one\n' });
    await checkOut();
    await writeFile(join(path, 'build'), 'mine');
    await pushes({ '.gitignore': '', build: 'theirs' });
    await assert.rejects(gitOf(sample).checkOutOfTeam('ABC-1'), withCode('GIT_FAILED'));
    assert.equal(await text('build'), 'mine');
    await sample.git('worktree', 'remove', '--force', path);
    await mkdir(path);
    await writeFile(join(path, 'notes.txt'), 'mine');
    await assert.rejects(gitOf(sample).checkOutOfTeam('ABC-1'), withCode('WORKTREE_EXISTS'));
    assert.equal(await text('notes.txt'), 'mine');
  });

  it('is removed for good, except for what only the person has', async () => {
    const git = gitOf(sample);
    const kept = (): Promise<string> =>
      sample.git('for-each-ref', '--format=%(refname)', 'refs/beadsmith/checkouts');
    await worktreeOf(sample, git);
    await pushes({ 'b.txt': 'one\n' });
    assert.deepEqual(await git.checkoutsOfTeam(), []);
    await checkOut();
    assert.deepEqual(
      (await git.checkoutsOfTeam()).map((one) => [one.ticket, one.path]),
      [['ABC-1', path]],
    );
    await git.removeCheckoutOfTeam('ABC-1');
    assert.deepEqual([await exists(path), await git.checkoutsOfTeam(), await kept()], [false, [], '']);

    await checkOut();
    await writeFile(join(path, 'mine.txt'), 'mine');
    await here('add', '--all');
    await here('commit', '--quiet', '--message', 'Mine');
    await git.removeCheckoutOfTeam('ABC-1');
    assert.equal(await sample.git('show', `${await kept()}:mine.txt`), 'mine');
    await git.removeCheckoutOfTeam('ABC-1');
    assert.equal(await exists(join(`${sample.root}.worktrees`, 'ABC-1')), true, 'of this clone’s own ticket');
  });

  it('says that nothing was pushed yet, and makes nothing', async () => {
    await assert.rejects(gitOf(sample).checkOutOfTeam('ABC-1'), withCode('BRANCH_NOT_PUSHED'));
    assert.equal(await exists(path), false);
  });

  it('runs no hook, filter or monitor', async () => {
    await pushes({ 'b.txt': 'one\n', '.gitattributes': '*.txt filter=evil\n' });
    const ran = join(sample.root, '..', 'ran');
    const program = join(sample.root, '..', 'evil.sh');
    const hook = join(sample.root, '.git/hooks/post-checkout');
    for (const file of [program, hook]) {
      await writeFile(file, `#!/bin/sh\necho "$0" >> ${ran}\n`);
      await chmod(file, 0o755);
    }
    await sample.git('config', 'core.fsmonitor', program);
    await checkOut();
    await pushes({ 'b.txt': 'two\n' });
    await rm(ran, { force: true });
    await sample.git('config', 'filter.evil.smudge', program);
    // As everywhere: a filter of the repository is named instead of run.
    await assert.rejects(gitOf(sample).checkOutOfTeam('ABC-1'), withCode('GIT_SETTING_REFUSED'));
    await sample.git('config', '--unset', 'filter.evil.smudge');
    assert.equal(await checkOut(), 'updated');
    assert.equal(await exists(ran), false);
  });
});
