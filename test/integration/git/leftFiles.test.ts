import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { tempRepositories } from '../../support/git/tempRepository.ts';
import { gitOf, worktreeOf } from '../../support/git/gitBench.ts';

const run = promisify(execFile);

describe('git: what no commit can keep', () => {
  const make = tempRepositories();
  const odd = Buffer.from([0x6e, 0xff, 0x2e, 0x74, 0x78, 0x74]);

  async function bench() {
    const sample = await make({
      files: { 'a.txt': 'a\n', '.gitignore': '*.secret\ncache/\nnode_modules/\n' },
    });
    const git = gitOf(sample);
    const path = await worktreeOf(sample, git);
    const base = await git.head(path);
    await mkdir(join(path, 'cache'));
    await writeFile(join(path, 'cache/x'), 'setup');
    /**
     * What an iteration leaves: a change, a file of its own, an ignored one, a repository, and a name that
     * isn't UTF-8.
     */
    const work = async () => {
      await writeFile(join(path, 'a.txt'), 'changed');
      for (const name of ['one', 'two', 'three']) await writeFile(join(path, `${name}.txt`), name);
      await writeFile(join(path, 'my.secret'), 'secret');
      await mkdir(join(path, 'node_modules/dep'), { recursive: true });
      await writeFile(join(path, 'node_modules/dep/index.js'), 'dep');
      await sample.git('init', '--quiet', join(path, 'nested'));
      await writeFile(join(path, 'nested/inner.txt'), 'inner');
      await writeFile(Buffer.concat([Buffer.from(`${path}/`), odd]), 'odd');
    };
    const clear = ['my.secret', 'node_modules'];
    return { sample, git, path, base, work, clear, left: join(sample.root, '.git/beadsmith/left/ABC-1') };
  }

  const text = (...parts: readonly string[]) => readFile(join(...parts), 'utf8').catch(() => undefined);
  const oddText = (folder: string) =>
    readFile(Buffer.concat([Buffer.from(`${folder}/`), odd]), 'utf8').catch(() => undefined);

  it('is moved to a folder of ours by a reset, and what setup made stays', async () => {
    const { git, path, base, work, clear, left } = await bench();
    await work();
    assert.equal(await git.resetHard(path, base, clear), join(left, '1'));
    assert.deepEqual((await readdir(path)).sort(), ['.git', '.gitignore', '.ticket', 'a.txt', 'cache']);
    assert.equal(await text(path, 'cache/x'), 'setup');
    assert.equal(await text(left, '1/my.secret'), 'secret');
    assert.equal(await text(left, '1/nested/inner.txt'), 'inner');
    assert.equal(await text(left, '1/nested/.git/HEAD'), 'ref: refs/heads/master\n');
    assert.equal(await oddText(join(left, '1')), 'odd');
    assert.equal(await git.resetHard(path, base, clear), null);
  });

  it('is moved there when the worktree is removed, too', async () => {
    const { git, path, work, left } = await bench();
    await work();
    await git.removeWorktree(path);
    await assert.rejects(lstat(path));
    assert.equal(await text(left, '1/my.secret'), 'secret');
    assert.equal(await text(left, '1/cache/x'), 'setup');
    assert.equal(await text(left, '1/nested/inner.txt'), 'inner');
    assert.equal(await oddText(join(left, '1')), 'odd');
  });

  it('never takes the place of what an earlier attempt left', async () => {
    const { sample, git, path, base } = await bench();
    const ref = 'refs/beadsmith/ABC-1/greet/1';
    await sample.git('update-ref', ref, 'main');
    await writeFile(join(path, 'a.txt'), 'first');
    const kept = await git.keep(path, ref, 'x');
    assert.equal(await git.keep(path, ref, 'x'), kept, 'the same state is kept once');
    await writeFile(join(path, 'a.txt'), 'second');
    await git.keep(path, ref, 'x');
    assert.equal(await sample.git('rev-parse', ref), base);
    assert.equal(await sample.git('show', `${ref}-2:a.txt`), 'first');
    assert.equal(await sample.git('show', `${ref}-3:a.txt`), 'second');
  });

  it('is lost at no file at which a clean is killed', async () => {
    const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    for (let deleted = 0; deleted <= 3; deleted += 1) {
      const { sample, path, base, work, clear, left } = await bench();
      await work();
      const bin = join(sample.root, '..', 'bin');
      await mkdir(bin);
      // git as it is when the machine stops at that file: so many are gone, and nobody is there any more.
      const kill = `ls -d '${path}'/one.txt '${path}'/three.txt '${path}'/two.txt 2>/dev/null | head -${String(deleted)} | xargs -r rm -f; kill -9 "$(cat '${join(bin, 'driver')}')" $PPID; exit 1`;
      await writeFile(
        join(bin, 'git'),
        `#!/bin/sh\ncase "$*" in *" clean -f"*) ${kill};; esac\nexec '${real}' "$@"\n`,
      );
      await chmod(join(bin, 'git'), 0o755);
      const adapter = pathToFileURL(
        join(import.meta.dirname, '../../../src/adapters/git/gitAdapter.ts'),
      ).href;
      const script = `import { writeFileSync } from 'node:fs';
        import { GitAdapter } from ${JSON.stringify(adapter)};
        writeFileSync(${JSON.stringify(join(bin, 'driver'))}, String(process.pid));
        const git = new GitAdapter({ folder: ${JSON.stringify(sample.root)}, environment: { PATH: ${JSON.stringify(bin)} + ':' + process.env.PATH, HOME: '/nonexistent' } });
        await git.keep(${JSON.stringify(path)}, 'refs/beadsmith/ABC-1/greet/1', 'x');
        await git.resetHard(${JSON.stringify(path)}, ${JSON.stringify(base)}, ${JSON.stringify(clear)});`;
      const ended = await run(process.execPath, ['--input-type=module', '-e', script]).then(
        () => 'done',
        (error: unknown) => (error as { signal?: string }).signal,
      );
      assert.equal(ended, 'SIGKILL');
      for (const name of ['one', 'two', 'three'])
        assert.equal(await sample.git('show', `refs/beadsmith/ABC-1/greet/1:${name}.txt`), name);
      assert.equal(await sample.git('show', 'refs/beadsmith/ABC-1/greet/1:a.txt'), 'changed');
      assert.equal((await text(path, 'my.secret')) ?? (await text(left, '1/my.secret')), 'secret');
      assert.equal(
        (await text(path, 'nested/inner.txt')) ?? (await text(left, '1/nested/inner.txt')),
        'inner',
      );
      assert.equal((await oddText(path)) ?? (await oddText(join(left, '1'))), 'odd');
      await gitOf(sample).resetHard(path, base, clear);
      assert.deepEqual((await readdir(path)).sort(), ['.git', '.gitignore', '.ticket', 'a.txt', 'cache']);
    }
  });

  it('is never written or removed through a link that leaves the worktree', async () => {
    const { sample, git, path } = await bench();
    const outside = join(sample.root, '..', 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'theirs.txt'), 'theirs');
    await symlink(outside, join(path, 'out'));
    await git.commit(path, { message: 'link', trailers: {}, paths: ['out'] });
    const head = await git.head(path);
    await assert.rejects(git.restore(path, ['out/theirs.txt']));
    await git.resetHard(path, head, ['out/theirs.txt']);
    assert.equal(await text(outside, 'theirs.txt'), 'theirs');
    assert.deepEqual(await readdir(outside), ['theirs.txt']);
  });
});
