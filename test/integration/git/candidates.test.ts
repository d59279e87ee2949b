import assert from 'node:assert/strict';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { asAgent, gitOf, withCode, worktreeOf } from '../../support/git/gitBench.ts';
import { tempRepositories } from '../../support/git/tempRepository.ts';

/** What git tells of a command: which one it is, and how often it had the disk write what it holds. */
const TraceEvent = z.object({
  sid: z.string(),
  argv: z.array(z.string()).optional(),
  key: z.string().optional(),
  value: z.unknown().optional(),
});

describe('git: candidates and the scratch worktree', () => {
  const make = tempRepositories();
  const trailers = { Ticket: 'ABC-1', Bead: 'add-a', Iteration: '1' };
  const ref = 'refs/beadsmith/ABC-1/candidate/add-a';

  async function bench() {
    const sample = await make({ files: { 'a.txt': 'a\n', '.gitignore': 'ignored/\n*.tmp\n' } });
    const git = gitOf(sample);
    const path = await worktreeOf(sample, git);
    const write = async (name: string, content: string, folder = path) => {
      await mkdir(join(folder, name, '..'), { recursive: true });
      await writeFile(join(folder, name), content);
    };
    const start = await git.head(path);
    const candidate = (...paths: readonly string[]) =>
      git.candidate(path, { start, paths, message: 'bead(add-a): Add', trailers, ref });
    return { sample, git, path, write, start, candidate, agent: asAgent(sample, path) };
  }

  it('commits exactly the paths it is given, and leaves branch, index and files as they are', async () => {
    const { git, path, write, start, candidate, agent } = await bench();
    await write('bin/tool.sh', 'echo\n');
    await write('other.txt', 'x');
    const before = await git.status(path);
    const commit = await candidate('bin/tool.sh');
    assert.ok(commit);
    assert.equal(await git.head(path), start);
    assert.deepEqual(await git.status(path), before);
    assert.deepEqual(await git.changedFiles(path, start, commit), [{ path: 'bin/tool.sh', state: 'added' }]);
    assert.equal(await agent('rev-parse', ref), commit);
    assert.equal(await candidate(), null);
  });

  it('waits for the disk for what it commits, and not for its copy of an index that lists all files', async () => {
    const { sample, write, candidate } = await bench();
    const trace = join(sample.root, '..', 'trace.json');
    await writeFile(join(sample.root, '..', '.gitconfig'), `[trace2]\n\teventTarget = ${trace}\n`);
    await write('b.txt', 'b\n');
    assert.ok(await candidate('b.txt'));
    const events = (await readFile(trace, 'utf8')).split('\n').filter(Boolean);
    const commands = new Map<string, string>();
    const flushes: Record<string, number> = {};
    for (const event of events.map((line) => TraceEvent.parse(JSON.parse(line)))) {
      const { sid, argv, key, value } = event;
      if (argv)
        commands.set(
          sid,
          argv.find((word) => ['update-index', 'write-tree', 'commit-tree'].includes(word)) ?? '',
        );
      const command = commands.get(sid) ?? '';
      if (key === 'fsync/hardware-flush' && command !== '') flushes[command] = Number(value);
    }
    assert.deepEqual(flushes, { 'update-index': 1, 'write-tree': 1, 'commit-tree': 1 });
  });

  it('gives the branch a candidate once, and keeps what was left out', async () => {
    const { git, path, write, start, candidate } = await bench();
    await write('a.txt', 'b\n');
    await write('other.txt', 'x');
    const commit = await candidate('a.txt');
    assert.ok(commit);
    await git.adopt(path, commit, start);
    await git.adopt(path, commit, start);
    assert.equal(await git.head(path), commit);
    assert.equal(await git.branchOf(path), 'ticket/ABC-1');
    assert.deepEqual(await git.status(path), [{ path: 'other.txt', state: 'untracked' }]);
  });

  it('refuses to move a branch that moved on', async () => {
    const { git, path, write, start, candidate, agent } = await bench();
    await write('a.txt', 'b\n');
    const commit = await candidate('a.txt');
    await agent('commit', '--quiet', '--allow-empty', '-m', 'mine');
    await assert.rejects(git.adopt(path, commit ?? '', start), withCode('GIT_FAILED'));
  });

  it('makes changes of what an agent committed itself, and keeps its commits under a ref', async () => {
    const { git, path, write, start, agent } = await bench();
    await write('a.txt', 'b\n');
    await agent('commit', '--quiet', '-am', 'mine');
    const mine = await git.head(path);
    const ref = await git.unfold(path, start);
    assert.equal(await git.unfold(path, start), null);
    assert.equal(await git.head(path), start);
    assert.deepEqual(await git.status(path), [{ path: 'a.txt', state: 'modified' }]);
    assert.equal(ref, 'refs/beadsmith/ABC-1/undone/1');
    assert.equal(await agent('rev-parse', ref), mine);
    await agent('checkout', '--quiet', '--orphan', 'elsewhere');
    await agent('commit', '--quiet', '-am', 'unrelated');
    await agent('branch', '-M', 'elsewhere', 'ticket/ABC-1');
    const unrelated = await git.head(path);
    assert.equal(await git.unfold(path, start), 'refs/beadsmith/ABC-1/undone/2');
    assert.equal(await agent('rev-parse', 'refs/beadsmith/ABC-1/undone/2'), unrelated);
    assert.deepEqual([await git.head(path), await git.branchOf(path)], [start, 'ticket/ABC-1']);
  });

  it('checks out a candidate in a folder of its own, without what nobody committed', async () => {
    const { sample, git, path, write, candidate } = await bench();
    await write('bin/tool.sh', 'echo\n');
    await write('ignored/secret', 'x');
    const commit = await candidate('bin/tool.sh');
    const scratch = await git.checkOutScratch('ABC-1', commit ?? '', []);
    assert.equal(scratch.created, true);
    assert.notEqual(scratch.path, path);
    assert.equal(await readFile(join(scratch.path, 'bin/tool.sh'), 'utf8'), 'echo\n');
    await assert.rejects(access(join(scratch.path, 'ignored')));
    assert.equal(await sample.git('status', '--porcelain'), '');
  });

  it('keeps only what it is told to keep from one checkout to the next', async () => {
    const { git, path, write, start } = await bench();
    const scratch = await git.checkOutScratch('ABC-1', start, []);
    for (const name of ['ignored/kept [1]/x', 'ignored/gone', 'left.tmp', 'new.txt', 'a.txt'])
      await write(name, 'changed', scratch.path);
    assert.deepEqual((await git.scratchChanges('ABC-1')).changes, [
      { path: 'a.txt', state: 'modified' },
      { path: 'new.txt', state: 'untracked' },
    ]);
    assert.deepEqual((await git.scratchChanges('ABC-1')).ignored, ['ignored', 'left.tmp']);
    const again = await git.checkOutScratch('ABC-1', start, ['ignored/kept [1]']);
    assert.equal(again.created, false);
    assert.equal(await readFile(join(again.path, 'ignored/kept [1]/x'), 'utf8'), 'changed');
    assert.equal(await readFile(join(again.path, 'a.txt'), 'utf8'), 'a\n');
    for (const name of ['ignored/gone', 'left.tmp', 'new.txt'])
      await assert.rejects(access(join(again.path, name)));
    assert.equal(await git.head(path), start);
  });

  it('removes the scratch worktrees of repositories that are gone, and no other', async () => {
    const [{ git, start }, other, gone] = [await bench(), await bench(), await bench()];
    const kept = await other.git.checkOutScratch('ABC-1', other.start, []);
    const left = await gone.git.checkOutScratch('ABC-1', gone.start, []);
    await gone.sample.remove();
    await git.checkOutScratch('ABC-1', start, []);
    await access(kept.path);
    await assert.rejects(access(left.path));
  });

  it('finds and takes back there what a command hid from git', async () => {
    const { sample, git, write, start } = await bench();
    const scratch = await git.checkOutScratch('ABC-1', start, []);
    const there = (...args: string[]): Promise<string> => sample.git('-C', scratch.path, ...args);
    assert.deepEqual((await git.scratchChanges('ABC-1')).changes, []);
    await there('update-index', '--assume-unchanged', 'a.txt');
    await write('a.txt', 'hidden', scratch.path);
    assert.deepEqual((await git.scratchChanges('ABC-1')).changes, [{ path: 'a.txt', state: 'modified' }]);
    await git.checkOutScratch('ABC-1', start, []);
    assert.equal(await readFile(join(scratch.path, 'a.txt'), 'utf8'), 'a\n');
    await write('a.txt', 'committed', scratch.path);
    await there('commit', '--quiet', '--all', '--message', 'Mine');
    assert.deepEqual((await git.scratchChanges('ABC-1')).changes, [{ path: 'a.txt', state: 'modified' }]);
  });

  it('moves no branch that a test switched to in there', async () => {
    const { sample, git, path, write, start, candidate } = await bench();
    await write('a.txt', 'b\n');
    const commit = (await candidate('a.txt')) ?? '';
    const scratch = await git.checkOutScratch('ABC-1', start, []);
    await sample.git('-C', scratch.path, 'checkout', '--quiet', '-b', 'feature');
    await git.checkOutScratch('ABC-1', commit, []);
    assert.equal(await sample.git('rev-parse', 'feature'), start);
    assert.equal(await git.head(path), start);
  });

  it('is made again when it was deleted or broken, and removed without a trace', async () => {
    const { sample, git, start, write } = await bench();
    const scratch = await git.checkOutScratch('ABC-1', start, []);
    await write('.git', 'gitdir: elsewhere\n', scratch.path);
    assert.equal((await git.checkOutScratch('ABC-1', start, [])).created, true);
    await git.removeScratch('ABC-1');
    await git.removeScratch('ABC-1');
    await assert.rejects(access(scratch.path));
    assert.doesNotMatch(await sample.git('worktree', 'list'), /scratch/);
  });
});
