import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { tempRepositories } from '../../support/git/tempRepository.ts';
import { gitOf, withCode, worktreeOf } from '../../support/git/gitBench.ts';

describe('git: worktrees of tickets', () => {
  const make = tempRepositories();
  const files = {
    'src/a.ts': 'a',
    '.opencode/plugin/evil.js': 'x',
    'opencode.json': '{}',
    'opencode.jsonc': '{}',
    'sub/opencode.json': '{}',
  };

  it('stand beside the repository, on a branch of their own, with every file', async () => {
    const sample = await make({ files });
    const before = await sample.fingerprint();
    const config = await readFile(join(sample.root, '.git', 'config'), 'utf8');
    const git = gitOf(sample);
    const path = await worktreeOf(sample, git);
    assert.equal(path, `${sample.root}.worktrees/ABC-1`);
    assert.equal(await git.worktreePath('ABC-1'), path);
    assert.deepEqual((await readdir(path)).sort(), [
      '.git',
      '.opencode',
      '.ticket',
      'opencode.json',
      'opencode.jsonc',
      'src',
      'sub',
    ]);
    assert.equal(await git.branchOf(path), 'ticket/ABC-1');
    assert.equal(await git.head(path), await sample.git('rev-parse', 'HEAD'));
    assert.deepEqual(await git.status(path), []);
    assert.equal(await sample.fingerprint(), before);
    assert.equal(await readFile(join(sample.root, '.git', 'config'), 'utf8'), config);
    assert.deepEqual(await readdir(join(sample.root, '.git', 'info')), ['exclude']);
  });

  it('get files that the clone left on its server, with the keys of the person’s SSH agent', async () => {
    const sample = await make({ files });
    const bare = await sample.addOrigin();
    await sample.git('-C', bare, 'config', 'uploadpack.allowFilter', 'true');
    const partial = join(sample.root, '..', 'partial');
    await sample.git('clone', '--quiet', '--no-checkout', '--filter=blob:none', `file://${bare}`, partial);
    await sample.git('-C', partial, 'remote', 'set-url', 'origin', `ssh://server${bare}`);
    const bin = join(sample.root, '..', 'bin');
    await mkdir(bin);
    const agent =
      '[ "$SSH_AUTH_SOCK" = /run/agent ] || { echo "Permission denied (publickey)." >&2; exit 255; }';
    await writeFile(join(bin, 'ssh'), `#!/bin/sh\n${agent}\nfor last; do :; done\nexec sh -c "$last"\n`, {
      mode: 0o755,
    });
    const environment = {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      HOME: bin,
      SSH_AUTH_SOCK: '/run/agent',
    };
    const commit = await sample.git('rev-parse', 'HEAD');
    const at = { ticket: 'ABC-1', branch: 'ticket/ABC-1', commit };
    const { path } = await gitOf(sample, { folder: partial, environment }).addWorktree(at);
    assert.equal(await readFile(join(path, 'src', 'a.ts'), 'utf8'), 'a');
  });

  it('go inside when asked, or when nothing may be written beside', async () => {
    const sample = await make();
    const before = await sample.fingerprint();
    const git = gitOf(sample, { worktrees: 'inside' });
    const path = await worktreeOf(sample, git);
    assert.equal(path, `${sample.root}/.beadsmith/worktrees/ABC-1`);
    assert.equal(await sample.fingerprint(), before);
    assert.equal((await git.repository()).dirty, 0);
    // The worktree is found where it is.
    assert.equal(await gitOf(sample).worktreePath('ABC-1'), path);
    await writeFile(`${sample.root}.worktrees`, 'a file in the way');
    assert.equal(await gitOf(sample).worktreePath('ABC-2'), `${sample.root}/.beadsmith/worktrees/ABC-2`);
  });

  it('go inside when the folder beside is a link or read-only', async () => {
    const sample = await make();
    const elsewhere = join(sample.root, '..', 'elsewhere');
    await mkdir(elsewhere);
    await symlink(elsewhere, `${sample.root}.worktrees`);
    assert.equal(await gitOf(sample).worktreePath('ABC-1'), `${sample.root}/.beadsmith/worktrees/ABC-1`);
    await rm(`${sample.root}.worktrees`);
    if (process.getuid?.() === 0) return; // root may write everywhere
    await mkdir(`${sample.root}.worktrees`, { mode: 0o500 });
    assert.equal(await gitOf(sample).worktreePath('ABC-1'), `${sample.root}/.beadsmith/worktrees/ABC-1`);
    await chmod(`${sample.root}.worktrees`, 0o700);
  });

  it('are taken over with the work in them', async () => {
    const sample = await make();
    const git = gitOf(sample);
    const path = await worktreeOf(sample, git);
    await writeFile(join(path, 'work.txt'), 'half done');
    const commit = await git.head(path);
    await git.commit(path, { message: 'x', trailers: {}, paths: ['work.txt'] });
    await writeFile(join(path, 'more.txt'), 'half done');
    assert.deepEqual(await git.addWorktree({ ticket: 'ABC-1', branch: 'ticket/ABC-1', commit }), { path });
    assert.equal(await readFile(join(path, 'more.txt'), 'utf8'), 'half done');
    assert.deepEqual(await git.status(path), [{ path: 'more.txt', state: 'untracked' }]);
  });

  it('are made again at the tip of their branch when the folder is gone', async () => {
    const sample = await make();
    const git = gitOf(sample);
    const path = await worktreeOf(sample, git);
    const commit = await git.head(path);
    await writeFile(join(path, 'work.txt'), 'done');
    const done = await git.commit(path, { message: 'x', trailers: {}, paths: ['work.txt'] });
    await rm(path, { recursive: true });
    await assert.rejects(git.head(path), withCode('WORKTREE_LOST'));
    await git.addWorktree({ ticket: 'ABC-1', branch: 'ticket/ABC-1', commit });
    assert.equal(await git.head(path), done);
    await sample.git('worktree', 'remove', '--force', path);
    await git.addWorktree({ ticket: 'ABC-1', branch: 'ticket/ABC-1', commit });
    assert.equal(await readFile(join(path, 'work.txt'), 'utf8'), 'done');
  });

  it('are repaired wherever making one was cut off', async () => {
    const sample = await make();
    const git = gitOf(sample);
    const commit = await sample.git('rev-parse', 'HEAD');
    const request = { ticket: 'ABC-1', branch: 'ticket/ABC-1', commit };
    const path = `${sample.root}.worktrees/ABC-1`;
    const whole = async () => {
      assert.deepEqual(await git.addWorktree(request), { path });
      assert.deepEqual((await readdir(path)).sort(), ['.git', '.ticket', 'README.md']);
      assert.deepEqual(await git.status(path), []);
    };
    // The branch, and nothing else.
    await sample.git('update-ref', 'refs/beadsmith/ABC-1/worktree/start', commit);
    await sample.git('branch', 'ticket/ABC-1');
    await whole();
    // The link, but no files.
    await git.removeWorktree(path);
    await sample.git('worktree', 'add', '--quiet', '--no-checkout', path, 'ticket/ABC-1');
    await whole();
    // git was killed while it still held its own lock.
    await git.removeWorktree(path);
    await sample.git('worktree', 'add', '--quiet', '--no-checkout', '--lock', path, 'ticket/ABC-1');
    await rm(join(sample.root, '.git', 'worktrees', 'ABC-1', 'HEAD'));
    await whole();
    // The bookkeeping is gone.
    await git.removeWorktree(path);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, '.git'), `gitdir: ${sample.root}/.git/worktrees/ABC-1\n`);
    await whole();
  });

  it('never take a foreign folder or branch', async () => {
    const sample = await make();
    const git = gitOf(sample);
    const commit = await sample.git('rev-parse', 'HEAD');
    await sample.git('branch', 'ticket/ABC-1');
    await assert.rejects(
      git.addWorktree({ ticket: 'ABC-1', branch: 'ticket/ABC-1', commit }),
      withCode('BRANCH_EXISTS'),
    );
    const folder = `${sample.root}.worktrees/ABC-2`;
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'thesis.tex'), 'ten years of work');
    await assert.rejects(
      git.addWorktree({ ticket: 'ABC-2', branch: 'ticket/ABC-2', commit }),
      withCode('WORKTREE_EXISTS'),
    );
    assert.deepEqual(await readdir(folder), ['thesis.tex']);
    assert.equal(await git.resolve('ticket/ABC-2'), undefined);
    await sample.git('init', '--quiet', `${sample.root}.worktrees/ABC-3`);
    await assert.rejects(
      git.addWorktree({ ticket: 'ABC-3', branch: 'ticket/ABC-3', commit }),
      withCode('WORKTREE_EXISTS'),
    );
  });

  it('refuse names that are none', async () => {
    const sample = await make();
    const git = gitOf(sample);
    const commit = await sample.git('rev-parse', 'HEAD');
    for (const ticket of ['../../x', '--upload-pack=x', 'abc-1', 'ABC-1/..', '']) {
      await assert.rejects(
        git.addWorktree({ ticket, branch: `ticket/${ticket}`, commit }),
        withCode('INVALID_INPUT'),
        ticket,
      );
      await assert.rejects(git.worktreePath(ticket), withCode('INVALID_INPUT'), ticket);
    }
    await assert.rejects(
      git.addWorktree({ ticket: 'ABC-1', branch: 'main', commit }),
      withCode('INVALID_INPUT'),
    );
    await assert.rejects(
      git.addWorktree({ ticket: 'ABC-1', branch: 'ticket/ABC-1', commit: '--output=x' }),
      withCode('REVISION_UNKNOWN'),
    );
  });

  it('says why one could not be made, and leaves nothing behind', async () => {
    const sample = await make();
    await sample.git('branch', 'ticket');
    const commit = await sample.git('rev-parse', 'HEAD');
    await assert.rejects(
      gitOf(sample).addWorktree({ ticket: 'ABC-1', branch: 'ticket/ABC-1', commit }),
      withCode('BRANCH_EXISTS'),
    );
    const other = await make({ files: { '.ticket': 'a file' } });
    const git = gitOf(other);
    await assert.rejects(worktreeOf(other, git), withCode('OUTSIDE_WORKTREE'));
    assert.deepEqual((await other.git('worktree', 'list')).split('\n').length, 1);
  });

  it('can be made side by side', async () => {
    const sample = await make();
    const adapters = [gitOf(sample), gitOf(sample)];
    const tickets = Array.from({ length: 8 }, (_, index) => `ABC-${index + 1}`);
    const paths = await Promise.all(
      tickets.map((ticket, index) => worktreeOf(sample, adapters[index % 2]!, ticket)),
    );
    assert.deepEqual(paths.map((path) => basename(path)).sort(), tickets);
    for (const path of paths) assert.ok((await stat(join(path, 'README.md'))).isFile());
    await Promise.all(paths.map((path, index) => adapters[index % 2]!.removeWorktree(path)));
    assert.equal((await sample.git('worktree', 'list')).split('\n').length, 1);
    assert.deepEqual(
      (await readdir(join(sample.root, '..'))).includes(`${basename(sample.root)}.worktrees`),
      false,
    );
  });

  it('keep what was not committed when they are removed', async () => {
    const sample = await make();
    const git = gitOf(sample);
    const path = await worktreeOf(sample, git);
    await writeFile(join(path, 'work.txt'), 'not committed');
    await git.removeWorktree(path);
    assert.equal(await sample.git('show', 'refs/beadsmith/ABC-1/worktree/removed:work.txt'), 'not committed');
    await git.removeWorktree(path);
    await assert.rejects(git.removeWorktree(sample.root), withCode('OUTSIDE_WORKTREE'));
  });

  it('can be made by who opened another one of them', async () => {
    const sample = await make();
    const path = await worktreeOf(sample, gitOf(sample));
    const git = gitOf(sample, { folder: path });
    assert.equal((await git.repository()).root, path);
    assert.equal(await worktreeOf(sample, git, 'ABC-2'), `${sample.root}.worktrees/ABC-2`);
    await git.removeWorktree(path);
    assert.equal(await git.worktreePath('ABC-3'), `${sample.root}.worktrees/ABC-3`);
  });

  it('inherit a sparse checkout of the person', async () => {
    const sample = await make({ files: { 'small/a.txt': '', 'huge/b.txt': '' } });
    await sample.git('sparse-checkout', 'set', 'small');
    const path = await worktreeOf(sample, gitOf(sample));
    assert.deepEqual((await readdir(path)).sort(), ['.git', '.ticket', 'small']);
    assert.deepEqual(await gitOf(sample).status(path), []);
  });

  it('of a submodule go inside of it, where the repository around it sees nothing of them', async () => {
    const part = await make({ name: 'part' });
    const whole = await make({ name: 'whole' });
    await whole.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', part.root, 'part');
    await whole.git('commit', '--quiet', '--message', 'part');
    const folder = join(whole.root, 'part');
    const git = gitOf(whole, { folder });
    const commit = await git.resolve('main');
    const { path } = await git.addWorktree({ ticket: 'ABC-1', branch: 'ticket/ABC-1', commit: commit ?? '' });
    assert.equal(path, join(folder, '.beadsmith/worktrees/ABC-1'));
    assert.equal(
      await gitOf(whole, { folder: path }).worktreePath('ABC-2'),
      join(folder, '.beadsmith/worktrees/ABC-2'),
    );
    assert.equal(await whole.git('status', '--porcelain'), '');
    await writeFile(join(path, 'new.txt'), 'new\n');
    const made = await git.commit(path, { message: 'x', trailers: {}, paths: ['new.txt'] });
    await git.merge({ base: 'main', commit: made, message: 'x' });
    assert.equal(await readFile(join(folder, 'new.txt'), 'utf8'), 'new\n');
  });
});
