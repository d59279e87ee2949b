import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, readlink, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempRepositories } from '../../support/git/tempRepository.ts';
import { asAgent, gitOf, withCode, worktreeOf } from '../../support/git/gitBench.ts';

describe('git: work in a worktree', () => {
  const make = tempRepositories();
  const trailers = { Ticket: 'ABC-1', Bead: 'add-a', Iteration: '1' };

  async function bench(
    files: Readonly<Record<string, string>> = {
      'a.txt': 'a\n',
      'b/c.txt': 'c\n',
      '.gitignore': 'ignored/\n',
    },
  ) {
    const sample = await make({ files });
    const git = gitOf(sample);
    const path = await worktreeOf(sample, git);
    const write = async (name: string, content = '') => {
      await mkdir(join(path, name, '..'), { recursive: true });
      await writeFile(join(path, name), content);
    };
    return { sample, git, path, write, agent: asAgent(sample, path), base: await git.head(path) };
  }

  it('sees a change of the same length that was made in the second of the commit before', async () => {
    const { sample, git, path, write, agent } = await bench({ 'a.txt': 'hello\n' });
    // As if everything happened within one second.
    await sample.git('config', 'core.trustctime', 'false');
    const [then, file] = [new Date(Date.now() - 60_000), join(path, 'a.txt')];
    await utimes(file, then, then);
    await agent('update-index', '--refresh');
    const before = await git.writeTree(path);
    await write('a.txt', 'HELLO\n');
    await utimes(file, then, then);
    await utimes(await agent('rev-parse', '--path-format=absolute', '--git-path', 'index'), then, then);
    assert.equal((await git.status(path)).length, 1);
    assert.notEqual(await git.writeTree(path), before);
  });

  it('moves no branch that a person has checked out elsewhere, and continues once they leave it', async () => {
    const { sample, git, path, write, base } = await bench();
    await write('a.txt', 'ours\n');
    const change = () => git.commit(path, { message: 'x', trailers, paths: ['a.txt'] });
    const other = join(sample.root, '..', 'other');
    const places = [
      {
        taken: ['checkout', '--quiet', '--ignore-other-worktrees', 'ticket/ABC-1'],
        left: ['checkout', '--quiet', 'main'],
        at: sample.root,
      },
      {
        taken: ['worktree', 'add', '--quiet', '--force', other, 'ticket/ABC-1'],
        left: ['worktree', 'remove', '--force', other],
        at: other,
      },
    ];
    for (const { taken, left, at } of places) {
      await sample.git(...taken);
      await assert.rejects(
        change(),
        (error: Error) =>
          withCode('WORKTREE_FAILED')(error) && error.message.includes(`checked out at ${at}`),
      );
      await assert.rejects(git.resetHard(path, base), withCode('WORKTREE_FAILED'));
      assert.equal(await sample.git('rev-parse', 'ticket/ABC-1'), base);
      assert.equal(await readFile(join(path, 'a.txt'), 'utf8'), 'ours\n');
      await sample.git(...left);
    }
    await sample.git('worktree', 'add', '--quiet', '--force', other, 'ticket/ABC-1');
    await rm(other, { recursive: true });
    await change();
  });

  it('shows every change by its own name', async () => {
    const { git, path, write } = await bench({
      'a.txt': 'a',
      'b/c.txt': 'c',
      'd.txt': 'd',
      'old.txt': 'the same text, moved',
    });
    await write('a.txt', 'changed');
    await rm(join(path, 'd.txt'));
    await rm(join(path, 'old.txt'));
    const odd = [
      'new\nline',
      '"quoted"',
      '-dash',
      '--output=x',
      'sp ace',
      'ünï',
      ':(top)x',
      'back\\slash',
      '*',
      'moved.txt',
    ];
    for (const name of odd) await write(name, 'the same text, moved');
    await write('.ticket/prd.yaml', 'x');
    const found = new Map((await git.status(path)).map(({ path: name, state }) => [name, state]));
    assert.deepEqual(
      found,
      new Map(
        [
          ['a.txt', 'modified'],
          ['d.txt', 'deleted'],
          ['old.txt', 'deleted'],
          ...odd.sort().map((name): [string, 'untracked'] => [name, 'untracked']),
        ].sort() as never,
      ),
    );
  });

  it('commits exactly the paths it is given', async () => {
    const { sample, git, path, write, agent, base } = await bench();
    const before = await sample.fingerprint();
    await write('a.txt', 'changed');
    await write('new.txt', 'n');
    await write('left.txt', 'l');
    await rm(join(path, 'b'), { recursive: true });
    await agent('add', 'left.txt');
    const names = ['new\nline', '"q"', '-rf', '--output=x', ':(exclude)a'];
    for (const name of names) await write(name, name);
    const message = 'bead(add-a): --upload-pack=x\n\nTicket: FAKE-9';
    const sha = await git.commit(path, {
      message,
      trailers,
      paths: ['a.txt', 'new.txt', 'b/c.txt', ...names],
    });
    assert.equal(await git.head(path), sha);
    assert.equal(await agent('rev-parse', 'ticket/ABC-1'), sha);
    assert.deepEqual(await git.status(path), [{ path: 'left.txt', state: 'untracked' }]);
    const changed = await git.changedFiles(path, base, sha);
    assert.deepEqual(
      changed.map(({ path: name }) => name).sort(),
      ['a.txt', 'b/c.txt', 'new.txt', ...names].sort(),
    );
    const [commit] = await git.commits(path, base, 'HEAD');
    assert.deepEqual(commit, { sha, subject: 'bead(add-a): --upload-pack=x', trailers });
    assert.equal(await agent('log', '-1', '--format=%an <%ae>'), 'Ada Tester <ada@example.com>');
    assert.equal(await sample.fingerprint(), before);
  });

  it('signs with a name of its own only when the person has none', async () => {
    const { sample, git, path, write, agent } = await bench();
    await sample.git('config', '--unset', 'user.email');
    await write('a.txt', '1');
    await git.commit(path, { message: 'x', trailers, paths: ['a.txt'] });
    assert.equal(
      await agent('log', '-1', '--format=%an <%ae> %cn <%ce>'),
      'Ada Tester <beadsmith@localhost> Ada Tester <beadsmith@localhost>',
    );
    await sample.git('config', '--unset', 'user.name');
    await write('a.txt', '2');
    await git.commit(path, { message: 'x', trailers, paths: ['a.txt'] });
    assert.equal(await agent('log', '-1', '--format=%an <%ae>'), 'Beadsmith <beadsmith@localhost>');
  });

  it('commits a link as a link, a mode as a mode, and a folder that became a file', async () => {
    const { git, path, agent, write } = await bench();
    await symlink('/etc/passwd', join(path, 'out'));
    await chmod(join(path, 'a.txt'), 0o755);
    await rm(join(path, 'b'), { recursive: true });
    await symlink('..', join(path, 'b'));
    const paths = (await git.status(path)).map((change) => change.path);
    await git.commit(path, { message: 'x', trailers, paths });
    const tree = await agent('ls-tree', '-r', 'HEAD');
    assert.match(tree, /^120000 blob \S+\tout$/m);
    assert.match(tree, /^120000 blob \S+\tb$/m);
    assert.match(tree, /^100755 blob \S+\ta\.txt$/m);
    assert.equal(await agent('show', 'HEAD:out'), '/etc/passwd');
    await rm(join(path, 'b'));
    await write('b/c.txt', 'again');
    await git.commit(path, { message: 'x', trailers, paths: ['b', 'b/c.txt'] });
    assert.deepEqual(await git.status(path), []);
  });

  it('refuses paths that leave the worktree or belong to us', async () => {
    const { git, path, base } = await bench();
    for (const name of [
      '../../x',
      '/etc/passwd',
      '.git/config',
      'b/../../x',
      '',
      '.ticket/prd.yaml',
      '.ticket',
      'b/.GIT/x',
    ]) {
      await assert.rejects(
        git.commit(path, { message: 'x', trailers, paths: [name] }),
        withCode('OUTSIDE_WORKTREE'),
        name,
      );
      await assert.rejects(git.restore(path, [name]), withCode('OUTSIDE_WORKTREE'), name);
    }
    assert.equal(await git.head(path), base);
  });

  it('lists commits with their trailers, which no text of a ticket adds to', async () => {
    const { git, path, write, base } = await bench();
    await write('a.txt', '1');
    const first = await git.commit(path, { message: 'one', trailers, paths: ['a.txt'] });
    await write('a.txt', '2');
    const second = await git.commit(path, {
      message: 'two\n\nBead: add-a',
      trailers: { ...trailers, Bead: 'other\nBead: add-a' },
      paths: ['a.txt'],
    });
    const found = await git.commits(path, base, 'HEAD');
    assert.deepEqual(
      found.map(({ sha }) => sha),
      [second, first],
    );
    assert.deepEqual(
      found.map((commit) => commit.trailers['Bead']),
      ['other Bead: add-a', trailers.Bead],
    );
  });

  it('writes the tree of everything, and leaves index and HEAD alone', async () => {
    const { git, path, write, agent, base } = await bench({
      'a.txt': 'a',
      'b.txt': 'b',
      '.opencode/x': 'kept',
      '.gitignore': 'ignored\n',
    });
    await write('a.txt', 'changed');
    await write('staged.txt', 'staged');
    await agent('add', 'staged.txt');
    await rm(join(path, 'staged.txt'));
    await write('new.txt', 'new');
    await write('ignored', 'x');
    await write('.ticket/x', 'x');
    await agent('add', '--force', '.ticket/x');
    await rm(join(path, 'b.txt'));
    const index = await agent('ls-files', '--stage');
    const tree = await git.writeTree(path);
    assert.equal(
      await agent('ls-tree', '-r', '--name-only', tree),
      '.gitignore\n.opencode/x\na.txt\nnew.txt',
    );
    assert.equal(await agent('show', `${tree}:a.txt`), 'changed');
    assert.equal(await agent('ls-files', '--stage'), index);
    assert.equal(await git.head(path), base);
    assert.equal(await git.writeTree(path), tree);
  });

  it('is not fooled by a change hidden from git', async () => {
    const { git, path, write, agent } = await bench();
    await agent('update-index', '--assume-unchanged', 'a.txt');
    await agent('update-index', '--skip-worktree', 'b/c.txt');
    await write('a.txt', 'hidden');
    await write('b/c.txt', 'hidden too');
    const tree = await git.writeTree(path);
    assert.equal(await agent('show', `${tree}:a.txt`), 'hidden');
    assert.equal(await agent('show', `${tree}:b/c.txt`), 'hidden too');
    assert.deepEqual(
      (await git.status(path)).map((change) => change.path),
      ['a.txt', 'b/c.txt'],
    );
  });

  it('keeps a state under a ref, twice the same', async () => {
    const { git, path, write, agent, base } = await bench();
    await write('new.txt', 'kept');
    const ref = 'refs/beadsmith/ABC-1/add-a/1';
    const kept = await git.keep(path, ref, 'Iteration 1');
    assert.equal(await git.keep(path, ref, 'Iteration 1'), kept);
    assert.equal(await agent('rev-parse', `${ref}^`), base);
    assert.equal(await agent('show', `${ref}:new.txt`), 'kept');
    assert.deepEqual(await git.status(path), [{ path: 'new.txt', state: 'untracked' }]);
    for (const other of ['refs/heads/main', 'refs/beadsmith/ABC-2/x/1', '--output=x']) {
      await assert.rejects(git.keep(path, other, 'x'), withCode('OUTSIDE_WORKTREE'), other);
    }
  });

  it('restores paths to HEAD and removes what HEAD has not', async () => {
    const { git, path, write } = await bench();
    await write('a.txt', 'changed');
    await write('b/c.txt', 'changed');
    await write('new.txt', 'new');
    await write('-rf', 'new');
    await git.restore(path, ['a.txt', 'new.txt', '-rf', 'gone/file']);
    assert.equal(await readFile(join(path, 'a.txt'), 'utf8'), 'a\n');
    assert.deepEqual(await git.status(path), [{ path: 'b/c.txt', state: 'modified' }]);
  });

  it('does not remove through a link', async () => {
    const { sample, git, path } = await bench();
    await symlink(sample.root, join(path, 'out'));
    await assert.rejects(git.restore(path, ['out/a.txt.orig']), withCode('OUTSIDE_WORKTREE'));
    await git.restore(path, ['out']);
    await assert.rejects(readlink(join(path, 'out')));
    assert.equal(await readFile(join(sample.root, 'a.txt'), 'utf8'), 'a\n');
  });

  it('diffs and lists without .ticket', async () => {
    const { sample, git, path, write, agent, base } = await bench();
    await write('moved.txt', 'c\n');
    await rm(join(path, 'b'), { recursive: true });
    await write('.ticket/x', 'secret');
    await agent('add', '--force', '--all', '.ticket', '.');
    await agent('commit', '--quiet', '--message', 'by the agent');
    assert.deepEqual(await git.changedFiles(path, base, 'HEAD'), [{ path: 'moved.txt', state: 'renamed' }]);
    const diff = await git.diff(path, base, 'HEAD');
    assert.match(diff, /^rename to moved\.txt$/m);
    assert.doesNotMatch(diff, /secret/);
    assert.equal(await git.mergeBase(path, 'main', 'HEAD'), base);
    // Reading works in the person's checkout too.
    assert.equal(await git.diff(sample.root, base, 'ticket/ABC-1'), diff);
    await assert.rejects(git.diff(path, base, '--output=x'), withCode('REVISION_UNKNOWN'));
  });

  it('squashes to one commit on its base', async () => {
    const { git, path, write, agent, base } = await bench();
    for (const name of ['one', 'two']) {
      await write(name);
      await git.commit(path, { message: name, trailers, paths: [name] });
    }
    const former = await git.head(path);
    const sha = await git.squash(path, { base, message: 'ABC-1: --all', trailers: { Ticket: 'ABC-1' } });
    assert.equal(await git.head(path), former, 'the branch moves on its own');
    await git.adopt(path, sha, former);
    assert.equal(await git.head(path), sha);
    assert.equal(await agent('rev-parse', 'HEAD^'), base);
    assert.equal(await agent('rev-parse', 'HEAD^{tree}'), await agent('rev-parse', `${former}^{tree}`));
    assert.deepEqual(await git.status(path), []);
    assert.equal(await git.branchOf(path), 'ticket/ABC-1');
    await assert.rejects(
      git.squash(path, { base: former, message: 'x', trailers }),
      withCode('MERGE_REFUSED'),
    );
  });

  it('moves only refs of ours, and only from where they were', async () => {
    const { sample, git, base } = await bench();
    const other = await sample.commit({ 'x.txt': '' });
    await git.updateRef('refs/beadsmith/ABC-1/presquash/1', base, '0'.repeat(40));
    await git.updateRef('refs/beadsmith/ABC-1/presquash/1', other, base);
    await assert.rejects(
      git.updateRef('refs/beadsmith/ABC-1/presquash/1', base, base),
      withCode('GIT_FAILED'),
    );
    assert.equal(await git.resolve('refs/beadsmith/ABC-1/presquash/1'), other);
    for (const ref of ['refs/heads/main', 'HEAD', 'refs/heads/ticket/../main', '-d']) {
      await assert.rejects(
        git.updateRef(ref, base),
        ref.includes('..') ? withCode('GIT_FAILED') : withCode('OUTSIDE_WORKTREE'),
        ref,
      );
    }
    assert.equal(await git.resolve('main'), other);
  });

  it('commits line ends that the repository converts, however strict it is about them', async () => {
    const { sample, git, path, agent } = await bench();
    await sample.git('config', 'core.autocrlf', 'true');
    await sample.git('config', 'core.safecrlf', 'true');
    await writeFile(join(path, 'unix.txt'), 'one\ntwo\n');
    await writeFile(join(path, 'windows.txt'), 'one\r\ntwo\r\n');
    await git.keep(path, 'refs/beadsmith/ABC-1/x/1', 'x');
    await git.commit(path, { message: 'x', trailers, paths: ['unix.txt', 'windows.txt'] });
    assert.equal(await agent('show', 'HEAD:windows.txt'), 'one\ntwo');
    assert.deepEqual(await git.status(path), []);
  });
});
