import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitAdapter } from '../../../../src/adapters/git/gitAdapter.ts';
import { asAgent, gitOf, withCode, worktreeOf } from '../../../support/git/gitBench.ts';
import { tempRepository, type TempRepository } from '../../../support/git/tempRepository.ts';

const signature = { message: 'work', trailers: { Ticket: 'ABC-1' } };

/** The shortest way through each part; the rest is in test/integration/git. */
describe('the git adapter', function () {
  this.timeout(60_000);
  let sample: TempRepository;
  let git: GitAdapter;
  let path: string;
  let base: string;

  before(async () => {
    const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'lib/c.bin': '\0\u0001', '.gitignore': 'cache/\n' };
    sample = await tempRepository({ files });
    git = gitOf(sample);
    path = await worktreeOf(sample, git);
    base = await git.head(path);
  });
  after(() => sample.remove());
  afterEach(() => git.resetHard(path, base, ['cache']));

  const write = (files: Readonly<Record<string, string>>): Promise<unknown> =>
    Promise.all(Object.entries(files).map(([file, text]) => writeFile(join(path, file), text)));
  const text = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString();

  it('says what the repository and its branches are', async () => {
    const { root, commonDir, hasCommits, headBranch, headCommit, dirty } = await git.repository();
    assert.deepEqual(
      [root, commonDir, hasCommits, headBranch],
      [sample.root, join(sample.root, '.git'), true, 'main'],
    );
    assert.deepEqual([headCommit, dirty], [base, 0]);
    assert.deepEqual([await git.branches(), await git.defaultBranch()], [['main', 'ticket/ABC-1'], 'main']);
    assert.deepEqual(await git.base('main'), {
      branch: 'main',
      commit: base,
      side: 'local',
      ahead: 0,
      behind: 0,
    });
    assert.deepEqual([await git.base('none'), (await git.base('ticket/ABC-1'))?.commit], [undefined, base]);
    assert.deepEqual([await git.highestTicket('ABC'), await git.highestTicket('XYZ')], [1, 0]);
    assert.deepEqual([await git.resolve('main'), await git.resolve('none')], [base, undefined]);
    assert.deepEqual(await git.hooks(), []);
    assert.equal(await git.trySigning(path), 'off');
    await sample.write({ 'a.txt': 'changed\n', 'untracked.txt': 'x' });
    assert.deepEqual([(await git.repository()).dirty, await git.uncommitted()], [2, ['a.txt']]);
    await sample.git('checkout', '--quiet', 'a.txt');
    await rm(join(sample.root, 'untracked.txt'));
  });

  it('makes a worktree beside the checkout once, and none where something else is', async () => {
    assert.equal(path, `${sample.root}.worktrees/ABC-1`);
    assert.deepEqual([await git.worktreePath('ABC-1'), await git.branchOf(path)], [path, 'ticket/ABC-1']);
    assert.equal(
      (await git.addWorktree({ ticket: 'ABC-1', branch: 'ticket/ABC-1', commit: base })).path,
      path,
    );
    const second = { ticket: 'ABC-2', branch: 'ticket/ABC-2', commit: base };
    const place = await git.worktreePath('ABC-2');
    await mkdir(place, { recursive: true });
    await writeFile(join(place, 'mine.txt'), 'mine');
    await assert.rejects(git.addWorktree(second), withCode('WORKTREE_EXISTS'));
    const { aside } = await git.addWorktree({ ...second, setAside: true });
    assert.equal(await readFile(join(aside ?? '', 'mine.txt'), 'utf8'), 'mine');
    await writeFile(join(place, 'left.txt'), 'left');
    await git.removeWorktree(place);
    assert.equal(existsSync(place), false);
    assert.equal(await git.resolve('ticket/ABC-2'), base);
  });

  it('refuses to change anything that is no worktree of a ticket', async () => {
    for (const place of [sample.root, join(sample.root, '..'), join(path, 'lib')]) {
      await assert.rejects(
        git.commit(place, { ...signature, paths: ['a.txt'] }),
        withCode('OUTSIDE_WORKTREE'),
      );
      await assert.rejects(git.resetHard(place, base), withCode('OUTSIDE_WORKTREE'));
      await assert.rejects(git.removeWorktree(place), withCode('OUTSIDE_WORKTREE'));
    }
    for (const file of ['../x', '/etc/passwd', '.git/config'])
      await assert.rejects(git.commit(path, { ...signature, paths: [file] }), withCode('OUTSIDE_WORKTREE'));
    await assert.rejects(git.keep(path, 'refs/heads/main', 'x'), withCode('OUTSIDE_WORKTREE'));
    await assert.rejects(git.removeScratch('../ABC-1'));
    await assert.rejects(git.updateRef('refs/heads/main', base));
  });

  it('names what changed, and commits exactly the paths it is given', async () => {
    await write({ 'a.txt': 'new\n', 'new.txt': 'new\n', 'other.txt': 'x\n' });
    await rm(join(path, 'b.txt'));
    assert.deepEqual((await git.status(path)).map(({ path: file, state }) => `${state} ${file}`).toSorted(), [
      'deleted b.txt',
      'modified a.txt',
      'untracked new.txt',
      'untracked other.txt',
    ]);
    const commit = await git.commit(path, { ...signature, paths: ['a.txt', 'b.txt', 'new.txt'] });
    assert.equal(await git.head(path), commit);
    assert.deepEqual(
      (await git.status(path)).map(({ path: file }) => file),
      ['other.txt'],
    );
    assert.deepEqual(await git.commits(path, base, commit), [
      { sha: commit, subject: 'work', trailers: { Ticket: 'ABC-1' } },
    ]);
    assert.deepEqual(
      (await git.compare(base, commit)).map((file) => `${file.change} ${file.path}`).toSorted(),
      ['added new.txt', 'deleted b.txt', 'modified a.txt'],
    );
    assert.match(await git.diff(path, base, commit), /\+new\n/);
    assert.deepEqual(
      [text(await git.blob(commit, 'new.txt')), await git.blob(base, 'new.txt')],
      ['new\n', undefined],
    );
    assert.deepEqual((await git.blobs(base, ['a.txt', 'none', 'b.txt'])).map(text), [
      'a\n',
      undefined,
      'b\n',
    ]);
    assert.deepEqual([await git.isAncestor(base, commit), await git.isAncestor(commit, base)], [true, false]);
    assert.equal(await git.mergeBase(path, commit, 'main'), base);
  });

  it('reads the files of a commit without a worktree', async () => {
    assert.deepEqual((await git.regularFiles(base)).toSorted(), [
      '.gitignore',
      'a.txt',
      'b.txt',
      'lib/c.bin',
    ]);
    assert.deepEqual(await git.regularFiles(base, ['a.txt', 'lib/', 'none']), ['a.txt', 'lib/c.bin']);
    assert.deepEqual(await git.filesNaming(base, ['cache']), ['.gitignore']);
    assert.equal(await git.treeOf(base), await sample.git('rev-parse', 'main^{tree}'));
    const { submodules, lfs, shallow, oddPaths, longestPath } = await git.traits(base);
    assert.deepEqual([submodules, lfs, shallow, oddPaths, longestPath], [[], false, false, [], 10]);
  });

  it('makes a candidate that moves nothing until it is adopted', async () => {
    await write({ 'a.txt': 'candidate\n' });
    const ref = 'refs/beadsmith/ABC-1/greet/1';
    const wanted = { ...signature, start: base, paths: ['a.txt'], ref };
    const candidate = await git.candidate(path, wanted);
    assert.ok(candidate);
    assert.deepEqual([await git.head(path), await git.resolve(ref)], [base, candidate]);
    assert.equal(await git.treeOf(candidate), await git.treeWith(path, ['a.txt']));
    assert.equal(await git.candidate(path, { ...wanted, paths: [], ref: `${ref}0` }), null);
    await git.adopt(path, candidate, base);
    await git.adopt(path, candidate, base);
    assert.deepEqual([await git.head(path), await git.status(path)], [candidate, []]);
    await write({ 'a.txt': 'second\n' });
    await git.commit(path, { ...signature, paths: ['a.txt'] });
    const squashed = await git.squash(path, { base, message: 'all', trailers: {} });
    assert.equal(await sample.git('log', '--format=%s', `${base}..${squashed}`), 'all');
    await assert.rejects(
      git.squash(path, { base: squashed, message: 'x', trailers: {} }),
      withCode('MERGE_REFUSED'),
    );
    assert.match((await git.unfold(path, base)) ?? '', /^refs\/beadsmith\/ABC-1\/undone\/1$/);
    assert.deepEqual([await git.head(path), await readFile(join(path, 'a.txt'), 'utf8')], [base, 'second\n']);
    assert.equal(await git.unfold(path, base), null);
  });

  it('takes everything back, after it was kept', async () => {
    await mkdir(join(path, 'cache'));
    await write({ 'a.txt': 'attempt\n', 'stray.txt': 'x\n', 'cache/x': 'ignored\n' });
    const kept = await git.keep(path, 'refs/beadsmith/ABC-1/greet/2', 'attempt');
    assert.equal(await sample.git('show', `${kept}:stray.txt`), 'x');
    await write({ 'a.txt': 'another\n' });
    await git.keep(path, 'refs/beadsmith/ABC-1/greet/2', 'attempt');
    assert.equal(await git.resolve('refs/beadsmith/ABC-1/greet/2'), kept);
    assert.equal(await sample.git('show', 'refs/beadsmith/ABC-1/greet/2-2:a.txt'), 'another');
    await git.resetHard(path, base);
    assert.deepEqual([await git.status(path), existsSync(join(path, 'cache/x'))], [[], true]);
    await write({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    await git.restore(path, ['a.txt']);
    assert.deepEqual(
      (await git.status(path)).map(({ path: file }) => file),
      ['b.txt'],
    );
    const left = await git.resetHard(path, base, ['cache']);
    assert.equal(existsSync(join(path, 'cache')), false);
    assert.equal(await readFile(join(left ?? '', 'cache/x'), 'utf8'), 'ignored\n');
  });

  it('has a scratch worktree with exactly the files of a commit, and keeps what it is told to', async () => {
    const first = await git.checkOutScratch('ABC-1', base, ['cache']);
    assert.deepEqual([first.created, await readFile(join(first.path, 'a.txt'), 'utf8')], [true, 'a\n']);
    await mkdir(join(first.path, 'cache'));
    await writeFile(join(first.path, 'cache/x'), 'kept');
    await writeFile(join(first.path, 'a.txt'), 'changed');
    await writeFile(join(first.path, 'stray.txt'), 'x');
    const { changes, ignored } = await git.scratchChanges('ABC-1');
    assert.deepEqual(
      [changes.map((change) => change.path).toSorted(), ignored],
      [['a.txt', 'stray.txt'], ['cache']],
    );
    const again = await git.checkOutScratch('ABC-1', base, ['cache']);
    assert.deepEqual(
      [again.created, existsSync(join(first.path, 'stray.txt')), existsSync(join(first.path, 'cache/x'))],
      [false, false, true],
    );
    assert.equal(await readFile(join(first.path, 'a.txt'), 'utf8'), 'a\n');
    await git.removeScratch('ABC-1');
    assert.equal(existsSync(first.path), false);
    await git.removeScratch('ABC-1');
  });

  it('writes notes on commits', async () => {
    await git.writeNote('refs/notes/beadsmith', base, 'proved\n');
    assert.match((await git.readNote('refs/notes/beadsmith', base)) ?? '', /^proved/);
    assert.deepEqual([...(await git.notes('refs/notes/beadsmith')).keys()], [base]);
    await assert.rejects(git.readNote('refs/notes/other', base), withCode('OUTSIDE_WORKTREE'));
  });

  it('merges into a branch only what it was asked to, and never over work of a person', async () => {
    await write({ 'a.txt': 'from the ticket\n' });
    const commit = await git.commit(path, { ...signature, paths: ['a.txt'] });
    await sample.git('branch', 'release');
    assert.deepEqual(await git.proposeMerge({ base: 'release', commit, message: 'x' }), {
      from: base,
      to: commit,
    });
    await assert.rejects(
      git.merge({ base: 'release', commit, message: 'x', from: commit }),
      withCode('MERGE_REFUSED'),
    );
    assert.equal(await git.merge({ base: 'release', commit, message: 'x', from: base }), commit);
    await sample.write({ 'b.txt': 'mine\n' });
    await assert.rejects(git.merge({ base: 'main', commit, message: 'x' }), withCode('MERGE_REFUSED'));
    await sample.git('checkout', '--quiet', 'b.txt');
    const moved = await sample.commit({ 'b.txt': 'theirs\n' });
    const merged = await git.merge({ base: 'main', commit, message: 'Both' });
    assert.equal(await sample.git('log', '-1', '--format=%P %s', merged), `${moved} ${commit} Both`);
    assert.equal(await readFile(join(sample.root, 'a.txt'), 'utf8'), 'from the ticket\n');
    await sample.commit({ 'a.txt': 'conflict\n' });
    await write({ 'a.txt': 'other\n' });
    const late = await git.commit(path, { ...signature, paths: ['a.txt'] });
    await assert.rejects(git.merge({ base: 'main', commit: late, message: 'x' }), withCode('MERGE_REFUSED'));
    const taken = await git.takeBase('ABC-1', {
      start: base,
      head: late,
      base: 'main',
      message: 'Merge',
      linear: true,
    });
    assert.deepEqual([taken.kind, taken.kind === 'conflicts' && taken.files], ['conflicts', ['a.txt']]);
  });

  it('puts work on a base that moved, rebased where nobody has it', async () => {
    const main = await sample.git('rev-parse', 'main');
    await write({ 'mine.txt': 'mine\n' });
    const head = await git.commit(path, { ...signature, paths: ['mine.txt'] });
    const taken = await git.takeBase('ABC-1', {
      start: base,
      head,
      base: 'main',
      message: 'Merge',
      linear: true,
    });
    assert.ok(taken.kind === 'taken');
    assert.deepEqual([taken.how, await sample.git('rev-parse', `${taken.commit}^`)], ['rebase', main]);
    const same = await git.takeBase('ABC-1', {
      start: base,
      head: taken.commit,
      base: 'main',
      message: 'Merge',
      linear: true,
    });
    assert.ok(same.kind === 'taken');
    assert.equal(same.commit, taken.commit);
  });

  it('brings an agent back that left its branch, and is lost with its worktree', async () => {
    const agent = asAgent(sample, path);
    await agent('checkout', '--quiet', '-b', 'elsewhere');
    await write({ 'a.txt': 'agent\n' });
    await agent('commit', '--quiet', '--all', '--message', 'by the agent');
    assert.deepEqual(
      (await git.status(path)).map(({ path: file }) => file),
      ['a.txt'],
    );
    assert.equal(await git.branchOf(path), 'ticket/ABC-1');
    assert.equal(await realpath(path), path);
    await assert.rejects(git.status(`${path}0`), (error: Error & { code?: string }) =>
      /WORKTREE_LOST|OUTSIDE_WORKTREE/.test(error.code ?? ''),
    );
  });
});
