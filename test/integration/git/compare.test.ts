import assert from 'node:assert/strict';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asAgent, gitOf, withCode, worktreeOf } from '../../support/git/gitBench.ts';
import { tempRepositories } from '../../support/git/tempRepository.ts';

describe('git: what lies between two commits', () => {
  const make = tempRepositories();

  async function bench(files: Readonly<Record<string, string>>) {
    const sample = await make({ files });
    const git = gitOf(sample);
    const path = await worktreeOf(sample, git);
    const write = async (name: string, content: string | Uint8Array) => {
      await mkdir(join(path, name, '..'), { recursive: true });
      await writeFile(join(path, name), content);
    };
    const commit = async (): Promise<string> => {
      const paths = (await git.status(path)).map((change) => change.path);
      return git.commit(path, { message: 'work', trailers: {}, paths });
    };
    return { sample, git, path, write, commit, base: await git.head(path), agent: asAgent(sample, path) };
  }

  it('names every file by what happened to it, and knows what is no text', async () => {
    const moved = 'a text that is long enough to be known again\n'.repeat(5);
    const { git, path, write, commit, base } = await bench({
      'a.txt': 'a\n',
      'gone.txt': 'g\n',
      'old name.txt': moved,
      'pic.bin': 'x',
    });
    await write('a.txt', 'b\n');
    await rm(join(path, 'gone.txt'));
    await rename(join(path, 'old name.txt'), join(path, 'new\tname.txt'));
    await write('pic.bin', new Uint8Array([0, 255, 0]));
    await write('sub/ü.txt', 'new\n');
    const sha = await commit();
    const files = [...(await git.compare(base, sha))].sort((one, other) => (one.path < other.path ? -1 : 1));
    const contents = new Set(files.map(({ blob }) => blob));
    assert.deepEqual([contents.size, contents.has('0'.repeat(40))], [5, true]);
    assert.deepEqual(
      files.map(({ blob: _, ...file }) => file),
      [
        { path: 'a.txt', oldPath: null, change: 'modified', binary: false, added: 1, deleted: 1 },
        { path: 'gone.txt', oldPath: null, change: 'deleted', binary: false, added: 0, deleted: 1 },
        {
          path: 'new\tname.txt',
          oldPath: 'old name.txt',
          change: 'renamed',
          binary: false,
          added: 0,
          deleted: 0,
        },
        { path: 'pic.bin', oldPath: null, change: 'modified', binary: true },
        { path: 'sub/ü.txt', oldPath: null, change: 'added', binary: false, added: 1, deleted: 0 },
      ],
    );
    assert.deepEqual(await git.compare(sha, sha), []);
    await write('a.txt', 'c\n');
    await write('untracked.txt', 'u\n');
    const tree = await git.writeTree(path);
    assert.deepEqual(
      (await git.compare(sha, tree)).map(({ path: name, change }) => `${change} ${name}`),
      ['modified a.txt', 'added untracked.txt'],
      'what is on the disk, by its tree',
    );
    assert.equal(Buffer.from((await git.blob(tree, 'a.txt')) ?? []).toString(), 'c\n');
  });

  it('names what is staged and what isn’t, and stages nothing itself', async () => {
    const moved = 'a text that is long enough to be known again\n'.repeat(5);
    const { git, path, write, base, agent } = await bench({
      'a.txt': 'a\n',
      'b.txt': 'b\n',
      'old.txt': moved,
    });
    await write('a.txt', 'staged\n');
    await write('.ticket/plan.md', 'ours\n');
    await agent('add', '--force', 'a.txt', '.ticket/plan.md');
    await agent('mv', 'old.txt', 'new.txt');
    await write('a.txt', 'later\n');
    await rm(join(path, 'b.txt'));
    await write('untracked.txt', 'u\n');
    const before = await agent('ls-files', '--stage', '-v');
    const { tree, conflicts } = await git.stagedTree(path);
    const names = async (from: string, to: string): Promise<readonly string[]> =>
      (await git.compare(from, to)).map(({ path: name, change }) => `${change} ${name}`);
    assert.deepEqual(await names(base, tree), ['modified a.txt', 'renamed new.txt']);
    assert.deepEqual(await names(tree, await git.writeTree(path)), [
      'modified a.txt',
      'deleted b.txt',
      'added untracked.txt',
    ]);
    assert.equal(Buffer.from((await git.blob(tree, 'a.txt')) ?? []).toString(), 'staged\n');
    assert.deepEqual(conflicts, []);
    assert.equal(await agent('ls-files', '--stage', '-v'), before);
  });

  it('takes a file in conflict for one that isn’t staged', async () => {
    const { git, path, write, base, agent } = await bench({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await write('a.txt', 'theirs\n');
    const theirs = (await agent('stash', 'create')).trim();
    await write('a.txt', 'ours\n');
    await agent('commit', '--all', '--message', 'ours');
    await agent('cherry-pick', '--no-commit', '--mainline', '1', theirs).catch(() => undefined);
    await write('b.txt', 'staged\n');
    await agent('add', 'b.txt');
    const before = await agent('ls-files', '--stage');
    const { tree, conflicts } = await git.stagedTree(path);
    assert.deepEqual(conflicts, ['a.txt']);
    const names = (await git.compare(await git.head(path), tree)).map(({ path: name }) => name);
    assert.deepEqual(names, ['b.txt']);
    assert.notEqual(await git.head(path), base);
    assert.equal(await agent('ls-files', '--stage'), before);
  });

  it('gives the very bytes of a file, also when its worktree is gone, and nothing for what is none', async () => {
    const { git, path, write, commit, base } = await bench({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n' });
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
    await write('pic.bin', bytes);
    await symlink('/etc/passwd', join(path, 'link'));
    await write('line\nbreak.txt', 'odd\n');
    await write('empty.txt', '');
    const sha = await commit();
    await git.removeWorktree(path);
    assert.deepEqual(Uint8Array.from((await git.blob(sha, 'pic.bin')) ?? []), bytes);
    const names = [
      'none.txt',
      'pic.bin',
      'sub',
      'sub/b.txt',
      'line\nbreak.txt',
      '../a.txt',
      'empty.txt',
      'a.txt',
    ];
    const many = (await git.blobs(sha, names)).map((blob) => blob && Uint8Array.from(blob));
    const text = (content: string): Uint8Array => Uint8Array.from(Buffer.from(content));
    const none = undefined;
    assert.deepEqual(many, [none, bytes, none, text('b\n'), none, none, text(''), text('a\n')]);
    assert.equal(
      Buffer.from((await git.blob(sha, 'link')) ?? []).toString(),
      '/etc/passwd',
      'the link itself, not what it leads to',
    );
    for (const [commit, name] of [
      [base, 'pic.bin'],
      [sha, 'sub'],
      [sha, '../a.txt'],
      ['HEAD', 'a.txt'],
      ['--textconv', 'a.txt'],
      ['f'.repeat(40), 'a.txt'],
    ] as const)
      assert.deepEqual(
        [await git.blob(commit, name), ...(await git.blobs(commit, [name]))],
        [undefined, undefined],
        `${commit}:${name}`,
      );
  });

  it('lists regular files at paths and below folders, and neither links nor what lies behind them', async () => {
    const { git, path, write, commit } = await bench({
      'AGENTS.md': 'a\n',
      'lib/AGENTS.md': 'b\n',
      'rules/one.md': 'c\n',
    });
    await write('rules/deep/two.md', 'd\n');
    await symlink('/etc/passwd', join(path, 'CLAUDE.md'));
    await symlink('lib', join(path, 'alias'));
    const sha = await commit();
    const asked = [
      'AGENTS.md',
      'CLAUDE.md',
      'alias/AGENTS.md',
      'alias/',
      'lib',
      'lib/*.md',
      '../AGENTS.md',
      'rules/',
      'none/',
    ];
    assert.deepEqual([...(await git.regularFiles(sha, asked))].sort(), [
      'AGENTS.md',
      'rules/deep/two.md',
      'rules/one.md',
    ]);
    assert.deepEqual(await git.regularFiles(sha, []), []);
    assert.deepEqual(await git.regularFiles('HEAD', ['AGENTS.md']), []);
  });

  it('replaces the text of one file by a commit, whatever else lies in the worktree', async () => {
    const { sample, git, path, write, agent, base } = await bench({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await agent('update-index', '--chmod=+x', 'a.txt');
    await agent('commit', '--quiet', '-m', 'executable');
    await agent('checkout', '--quiet', '--', 'a.txt');
    await write('b.txt', 'not committed\n');
    await write('noise.log', 'noise\n');
    await agent('add', 'b.txt');
    const before = await sample.fingerprint();
    const trailers = { Ticket: 'ABC-1', 'Suggested-by': 'user' };
    const sha = await git.commitText(path, {
      path: 'a.txt',
      text: 'mine\r\n',
      message: 'edit(a.txt): better',
      trailers,
    });
    await git.adopt(path, sha, await git.head(path));
    await git.restore(path, ['a.txt']);
    assert.equal(await git.head(path), sha);
    assert.equal(await agent('rev-parse', 'ticket/ABC-1'), sha);
    assert.equal(await readFile(join(path, 'a.txt'), 'utf8'), 'mine\r\n');
    assert.match(await agent('ls-tree', 'HEAD', 'a.txt'), /^100755 /);
    assert.deepEqual((await git.commits(path, base, 'HEAD'))[0]?.trailers, trailers);
    assert.deepEqual(await git.changedFiles(path, `${sha}~1`, sha), [{ path: 'a.txt', state: 'modified' }]);
    assert.deepEqual((await git.status(path)).map((change) => change.path).sort(), ['b.txt', 'noise.log']);
    assert.equal(await readFile(join(path, 'b.txt'), 'utf8'), 'not committed\n');
    assert.equal(await sample.fingerprint(), before, "the person's checkout is as it was");
  });

  it('finds the files that name a word, in all of a commit or in these alone, whatever they are called', async () => {
    const { git, base } = await bench({
      'a.txt': 'greet\n',
      'sub/*.txt': 'greet\n',
      'sub/b.txt': 'greet\n',
      'c.txt': 'greeting\n',
    });
    const naming = async (...args: [words: string[], within?: string[]]) =>
      (await git.filesNaming(base, ...args)).toSorted();
    assert.deepEqual(await naming(['greet']), ['a.txt', 'sub/*.txt', 'sub/b.txt']);
    assert.deepEqual(await naming(['greet'], ['sub/*.txt', 'c.txt', 'gone.txt']), ['sub/*.txt']);
    // A folder is no file, and nothing at all isn't everything.
    assert.deepEqual(await naming(['greet'], ['sub', '']), []);
    assert.deepEqual(await naming(['greet'], []), []);
    const more = Array.from({ length: 600 }, (_, at) => `many/${String(at)}.txt`);
    assert.deepEqual(await naming(['greet'], [...more, 'a.txt']), ['a.txt'], 'more than a command can name');
  });

  it('follows no link and makes no file', async () => {
    const { sample, git, path, commit } = await bench({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n' });
    await symlink(join(sample.root, 'a.txt'), join(path, 'link'));
    await commit();
    const edit = (name: string) =>
      git.commitText(path, { path: name, text: 'x', message: 'm', trailers: {} });
    for (const name of ['link', 'sub', 'new.txt'])
      await assert.rejects(edit(name), withCode('INVALID_INPUT'));
    for (const name of ['../x', '.git/config', '.ticket/prd.yaml'])
      await assert.rejects(edit(name), withCode('OUTSIDE_WORKTREE'));
    assert.equal(await readFile(join(sample.root, 'a.txt'), 'utf8'), 'a\n');
  });

  it('lists the newest first lines without merges, each cut, whatever they hold', async () => {
    const { sample, git } = await bench({ 'a.txt': 'a\n' });
    await sample.git('commit', '--allow-empty', '-m', '--output=x %H $(id)');
    await sample.git('checkout', '-q', '-b', 'side');
    await sample.git('commit', '--allow-empty', '-m', 'x'.repeat(5_000));
    await sample.git('checkout', '-q', 'main');
    await sample.git('merge', '-q', '--no-ff', '-m', 'Merge side', 'side');
    const tip = await sample.git('rev-parse', 'main');
    const subjects = await git.subjects(tip, 2);
    assert.deepEqual([subjects.length, subjects.filter((line) => line.length <= 200).length], [2, 2]);
    assert.ok(
      subjects.includes('--output=x %H $(id)') && subjects.every((line) => !line.startsWith('Merge')),
      subjects.join('\n'),
    );
  });
});
