import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempRepositories } from '../../support/git/tempRepository.ts';
import { asAgent, gitOf, withCode, worktreeOf } from '../../support/git/gitBench.ts';

describe('git: resetting a worktree', () => {
  const make = tempRepositories();

  async function bench() {
    const sample = await make({
      files: { 'a.txt': 'a\n', 'b.txt': 'b\n', '.gitignore': 'cache/\n', 'opencode.json': '{}' },
    });
    const git = gitOf(sample);
    const path = await worktreeOf(sample, git);
    const before = await sample.fingerprint();
    const base = await git.head(path);
    const isClean = async () => {
      assert.deepEqual(await git.status(path), []);
      assert.deepEqual([await git.head(path), await git.branchOf(path)], [base, 'ticket/ABC-1']);
      assert.deepEqual((await readdir(path)).filter((name) => name !== 'cache').sort(), [
        '.git',
        '.gitignore',
        '.ticket',
        'a.txt',
        'b.txt',
        'opencode.json',
      ]);
      assert.equal(await readFile(join(path, 'a.txt'), 'utf8'), 'a\n');
      assert.equal(await sample.fingerprint(), before);
    };
    return { sample, git, path, agent: asAgent(sample, path), base, isClean };
  }

  it('takes every change back, but neither ignored files nor .ticket', async () => {
    const { git, path, agent, base, isClean } = await bench();
    await writeFile(join(path, 'a.txt'), 'changed');
    await rm(join(path, 'b.txt'));
    await mkdir(join(path, 'new/empty'), { recursive: true });
    await mkdir(join(path, 'cache'));
    await writeFile(join(path, 'cache/x'), 'kept');
    await writeFile(join(path, '.ticket/prd.yaml'), 'kept');
    await rm(join(path, '.ticket/.gitignore'));
    await writeFile(join(path, 'new/x'), 'x');
    await agent('add', 'new/x');
    await git.resetHard(path, base);
    await isClean();
    assert.equal(await readFile(join(path, 'cache/x'), 'utf8'), 'kept');
    assert.equal(await readFile(join(path, '.ticket/prd.yaml'), 'utf8'), 'kept');
    assert.equal(await agent('status', '--porcelain'), '');
    assert.equal(await agent('show', 'refs/beadsmith/ABC-1/worktree/before-reset:new/x'), 'x');
  });

  it('takes back what an agent committed itself, and keeps it', async () => {
    const { git, path, agent, base, isClean } = await bench();
    await writeFile(join(path, 'a.txt'), 'changed');
    await agent('commit', '--quiet', '--all', '--message', 'by the agent');
    const sha = await git.head(path);
    await git.resetHard(path, base);
    await isClean();
    assert.equal(await agent('rev-parse', 'refs/beadsmith/ABC-1/worktree/before-reset^'), sha);
  });

  for (const [how, ...args] of [
    ['detached HEAD', 'checkout', '--quiet', '--detach'],
    ['made its own branch', 'checkout', '--quiet', '-b', 'my-idea'],
    ['renamed the branch', 'branch', '--move', 'better-name'],
  ]) {
    it(`comes back to its branch after an agent ${String(how)}`, async () => {
      const { git, path, agent, base, isClean } = await bench();
      await agent(...args);
      await writeFile(join(path, 'a.txt'), 'elsewhere');
      await agent('commit', '--quiet', '--all', '--message', 'elsewhere');
      const stray = await git.head(path);
      if (how !== 'renamed the branch') {
        // Its work shows up as changes of the bead, and can be committed.
        assert.deepEqual(await git.status(path), [{ path: 'a.txt', state: 'modified' }]);
        assert.equal(await git.branchOf(path), 'ticket/ABC-1');
      }
      await git.resetHard(path, base);
      await isClean();
      const refs = await agent('for-each-ref', '--contains', stray, '--format=%(refname)', 'refs/beadsmith');
      assert.notEqual(refs, '');
    });
  }

  it('ends a merge or rebase an agent left in the middle', async () => {
    const { git, path, agent, base, isClean } = await bench();
    await agent('checkout', '--quiet', '-b', 'other');
    await writeFile(join(path, 'a.txt'), 'theirs');
    await agent('commit', '--quiet', '--all', '--message', 'theirs');
    await agent('checkout', '--quiet', 'ticket/ABC-1');
    await writeFile(join(path, 'a.txt'), 'ours');
    await agent('commit', '--quiet', '--all', '--message', 'ours');
    await assert.rejects(agent('rebase', 'other'));
    assert.ok((await git.status(path)).some((change) => change.path === 'a.txt'));
    await git.resetHard(path, base);
    await isClean();
    await agent('merge', '--quiet', '--ff-only', 'other');
    await git.resetHard(path, base);
    await writeFile(join(path, 'a.txt'), 'ours');
    await agent('commit', '--quiet', '--all', '--message', 'ours');
    await assert.rejects(agent('merge', 'other'));
    await git.resetHard(path, base);
    await isClean();
    await agent('bisect', 'start');
    await git.resetHard(path, base);
    assert.doesNotMatch(await agent('status'), /merging|rebas|bisect/i);
  });

  it('puts .ticket back where an agent put something else', async () => {
    const { sample, git, path, base, isClean } = await bench();
    await rm(join(path, '.ticket'), { recursive: true });
    await symlink(sample.root, join(path, '.ticket'));
    await git.resetHard(path, base);
    await isClean();
    assert.deepEqual(await readdir(join(path, '.ticket')), ['.gitignore']);
  });

  it('removes repositories and worktrees an agent made inside', async () => {
    const { sample, git, path, agent, base, isClean } = await bench();
    await agent('init', '--quiet', 'nested');
    await agent('worktree', 'add', '--quiet', '--detach', 'inner');
    assert.deepEqual(await git.status(path), []);
    await git.resetHard(path, base);
    await sample.git('worktree', 'prune');
    await isClean();
  });

  it('refuses every place that is not a worktree of ours', async () => {
    const { sample, git, path, base } = await bench();
    const other = await make();
    const theirs = await worktreeOf(other, gitOf(other));
    const unnamed = `${sample.root}.worktrees/private`;
    await sample.git('worktree', 'add', '--quiet', '--detach', unnamed);
    // Named like a ticket, registered here, and yet the person's own.
    const named = join(sample.root, '..', 'ABC-5');
    await sample.git('worktree', 'add', '--quiet', '--detach', named);
    const link = `${sample.root}.worktrees/ABC-9`;
    await symlink(sample.root, link);
    const before = await sample.fingerprint();
    await writeFile(join(sample.root, 'mine.txt'), 'precious');
    const inside = join(path, '.ticket');
    for (const place of [
      sample.root,
      join(sample.root, '..'),
      theirs,
      unnamed,
      named,
      link,
      inside,
      '/',
      `${path}/../../sample`,
    ]) {
      await assert.rejects(git.resetHard(place, base), withCode('OUTSIDE_WORKTREE'), place);
      await assert.rejects(git.removeWorktree(place), withCode('OUTSIDE_WORKTREE'), place);
      await assert.rejects(
        git.keep(place, 'refs/beadsmith/ABC-1/x/1', 'x'),
        withCode('OUTSIDE_WORKTREE'),
        place,
      );
      await assert.rejects(git.restore(place, ['a.txt']), withCode('OUTSIDE_WORKTREE'), place);
    }
    await assert.rejects(git.resetHard(`${sample.root}.worktrees/ABC-7`, base), withCode('WORKTREE_LOST'));
    assert.equal(await readFile(join(sample.root, 'mine.txt'), 'utf8'), 'precious');
    await rm(join(sample.root, 'mine.txt'));
    assert.equal(await sample.fingerprint(), before);
  });

  it("does not follow a worktree's link that was bent to the person's checkout", async () => {
    const { sample, git, path, base } = await bench();
    await sample.write({ 'a.txt': 'precious' });
    for (const target of [join(sample.root, '.git'), join(sample.root, '.git/worktrees/../')]) {
      await writeFile(join(path, '.git'), `gitdir: ${target}\n`);
      await assert.rejects(git.resetHard(path, base), withCode('OUTSIDE_WORKTREE'));
    }
    // A git dir of the agent's making, with settings of its choice, that even points back.
    await mkdir(join(path, 'fake'));
    await writeFile(join(path, 'fake/gitdir'), `${join(path, '.git')}\n`);
    await writeFile(join(path, '.git'), 'gitdir: fake\n');
    await assert.rejects(git.resetHard(path, base), withCode('OUTSIDE_WORKTREE'));
    await rm(join(path, '.git'));
    await symlink(join(sample.root, '.git'), join(path, '.git'));
    await assert.rejects(git.resetHard(path, base), withCode('WORKTREE_LOST'));
    assert.equal(await readFile(join(sample.root, 'a.txt'), 'utf8'), 'precious');
  });
});
