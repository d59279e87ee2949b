import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { tempRepositories } from '../../support/git/tempRepository.ts';
import { gitOf, withCode, worktreeOf } from '../../support/git/gitBench.ts';

describe('git: merging', () => {
  const make = tempRepositories();

  async function bench() {
    const sample = await make({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
    const git = gitOf(sample);
    const path = await worktreeOf(sample, git);
    await writeFile(join(path, 'a.txt'), 'from the ticket\n');
    await writeFile(join(path, 'new.txt'), 'new\n');
    const commit = await git.commit(path, { message: 'work', trailers: {}, paths: ['a.txt', 'new.txt'] });
    return { sample, git, path, commit };
  }

  it('fast-forwards a branch nobody has checked out, and touches no checkout', async () => {
    const { sample, git, commit } = await bench();
    await sample.git('branch', 'release');
    const before = await sample.fingerprint();
    assert.equal(await git.merge({ base: 'release', commit, message: 'x' }), commit);
    assert.equal(await git.resolve('release'), commit);
    assert.equal(await git.merge({ base: 'release', commit, message: 'x' }), commit);
    assert.equal(await sample.fingerprint(), before);
  });

  it('takes a clean checkout of the branch along', async () => {
    const { sample, git, commit } = await bench();
    await sample.write({ 'untracked.txt': 'mine' });
    await git.merge({ base: 'main', commit, message: 'x' });
    assert.equal(await sample.git('status', '--porcelain'), '?? untracked.txt');
    assert.equal(await readFile(join(sample.root, 'new.txt'), 'utf8'), 'new\n');
    assert.equal(await sample.git('symbolic-ref', 'HEAD'), 'refs/heads/main');
    assert.equal(await sample.git('rev-parse', 'HEAD'), commit);
  });

  it('leaves a checkout clean that a person switches to a new branch at that moment', async () => {
    const { sample, path, commit } = await bench();
    const folder = join(sample.root, '..', 'bin');
    await mkdir(folder);
    const real =
      (process.env['PATH'] ?? '')
        .split(delimiter)
        .map((place) => join(place, 'git'))
        .find(existsSync) ?? '';
    const switches = `env -u GIT_INDEX_FILE -u GIT_DIR -u GIT_WORK_TREE '${real}' -C '${sample.root}' switch --quiet -c mine`;
    const script = `#!/bin/sh\ncase "$*" in *update-ref*) ${switches} || : ;; esac\nexec '${real}' "$@"\n`;
    await writeFile(join(folder, 'git'), script, { mode: 0o755 });
    const environment = {
      PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`,
      HOME: join(sample.root, '..'),
    };
    await gitOf(sample, { environment }).merge({ base: 'main', commit, message: 'x' });
    assert.deepEqual(
      [
        await sample.git('symbolic-ref', 'HEAD'),
        await sample.git('status', '--porcelain'),
        await sample.git('rev-parse', 'main'),
      ],
      ['refs/heads/mine', '', commit],
    );
    assert.notEqual(path, sample.root);
    assert.equal(await readFile(join(sample.root, 'a.txt'), 'utf8'), 'a\n');
  });

  it('refuses a checkout with changes, and one whose files it would write over', async () => {
    const { sample, git, commit } = await bench();
    for (const files of [{ 'b.txt': 'changed' }, { 'new.txt': 'mine, and not in git' }]) {
      await sample.write(files);
      const before = await sample.fingerprint();
      await assert.rejects(git.merge({ base: 'main', commit, message: 'x' }), withCode('MERGE_REFUSED'));
      assert.equal(await sample.fingerprint(), before);
      await sample.git('checkout', '--quiet', 'b.txt');
    }
    assert.equal(await readFile(join(sample.root, 'new.txt'), 'utf8'), 'mine, and not in git');
    await sample.write({ '.git/info/exclude': 'new.txt\n' });
    await assert.rejects(git.merge({ base: 'main', commit, message: 'x' }), withCode('MERGE_REFUSED'));
    assert.equal(await readFile(join(sample.root, 'new.txt'), 'utf8'), 'mine, and not in git');
    await rm(join(sample.root, 'new.txt'));
    await git.merge({ base: 'main', commit, message: 'x' });
  });

  it('merges a branch that moved on, with both parents', async () => {
    const { sample, git, commit } = await bench();
    const moved = await sample.commit({ 'b.txt': 'from someone else\n' });
    const merged = await git.merge({ base: 'main', commit, message: '--no-verify' });
    assert.equal(await sample.git('log', '-1', '--format=%P %s', merged), `${moved} ${commit} --no-verify`);
    assert.equal(await sample.git('show', 'main:a.txt'), 'from the ticket');
    assert.equal(await sample.git('show', 'main:b.txt'), 'from someone else');
    assert.equal(await sample.git('status', '--porcelain'), '');
    await sample.git('checkout', '--quiet', '--detach', moved);
    await sample.git('branch', '--force', 'main', moved);
    const before = await sample.fingerprint();
    const again = await git.merge({ base: 'main', commit, message: 'x' });
    assert.equal(await git.resolve('main'), again);
    assert.equal(await sample.fingerprint(), before);
  });

  it('names the files that conflict, and moves nothing', async () => {
    const { sample, git, commit } = await bench();
    await sample.commit({ 'a.txt': 'from someone else\n', 'new.txt': 'theirs' });
    const before = await sample.fingerprint();
    await assert.rejects(git.merge({ base: 'main', commit, message: 'x' }), (error: unknown) => {
      assert.ok(withCode('MERGE_REFUSED')(error) && error instanceof Error);
      assert.match(error.message, /a\.txt, new\.txt/);
      return true;
    });
    assert.equal(await sample.fingerprint(), before);
  });

  it('is not stopped by a checkout that was deleted', async () => {
    const { sample, git, commit } = await bench();
    const gone = join(sample.root, '..', 'gone');
    await sample.git('worktree', 'add', '--quiet', '-b', 'release', gone);
    await rm(gone, { recursive: true });
    assert.equal(await git.merge({ base: 'release', commit, message: 'x' }), commit);
  });

  it('knows a branch that is none', async () => {
    const { git, commit } = await bench();
    for (const base of ['nothing', '--upload-pack=x', '../main', 'HEAD', '']) {
      await assert.rejects(git.merge({ base, commit, message: 'x' }), withCode('BASE_BRANCH_MISSING'), base);
    }
    await assert.rejects(
      git.merge({ base: 'main', commit: 'nothing', message: 'x' }),
      withCode('REVISION_UNKNOWN'),
    );
  });

  it('moves the branch whatever merges of it are configured to do', async () => {
    const { sample, git, commit } = await bench();
    await sample.git('config', 'branch.main.mergeOptions', '--squash --no-ff');
    assert.equal(await git.merge({ base: 'main', commit, message: 'x' }), commit);
    assert.equal(await sample.git('rev-parse', 'main'), commit);
    assert.equal(await sample.git('status', '--porcelain'), '');
  });

  it('refuses a branch that is being rebased, so that the rebase can end', async () => {
    const { sample, git, commit } = await bench();
    await sample.git('checkout', '--quiet', '-b', 'other');
    await sample.commit({ 'b.txt': 'other\n' });
    await sample.git('checkout', '--quiet', 'main');
    await sample.commit({ 'b.txt': 'main\n' });
    await assert.rejects(sample.git('rebase', 'other'));
    await assert.rejects(git.merge({ base: 'main', commit, message: 'x' }), withCode('MERGE_REFUSED'));
    await sample.commit({ 'b.txt': 'both\n' });
    await sample.git('rebase', '--continue');
    await git.merge({ base: 'main', commit, message: 'x' });
    assert.equal(await sample.git('show', 'main:new.txt'), 'new');
  });

  it('takes along a checkout that lies apart from its git dir', async () => {
    const { sample, commit } = await bench();
    await sample.git('worktree', 'remove', '--force', `${sample.root}.worktrees/ABC-1`);
    await sample.git('init', '--quiet', '--separate-git-dir', join(sample.root, '..', 'elsewhere.git'));
    const git = gitOf(sample);
    assert.equal(await git.worktreePath('ABC-2'), `${sample.root}.worktrees/ABC-2`);
    assert.equal(await git.merge({ base: 'main', commit, message: 'x' }), commit);
    assert.equal(await readFile(join(sample.root, 'new.txt'), 'utf8'), 'new\n');
    assert.equal(await sample.git('status', '--porcelain'), '');
  });
});
