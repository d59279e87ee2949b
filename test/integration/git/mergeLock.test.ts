import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempRepositories } from '../../support/git/tempRepository.ts';
import { gitOf, withCode, worktreeOf } from '../../support/git/gitBench.ts';

describe('git: merging while a person works in the checkout', () => {
  const make = tempRepositories();

  /**
   * A ticket's commit, and a git that runs a person's command in their checkout right before the first of our
   * own calls that `when` matches.
   */
  async function bench(person: string, when: string) {
    const sample = await make({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
    await sample.git('branch', 'other');
    const path = await worktreeOf(sample, gitOf(sample));
    await writeFile(join(path, 'a.txt'), 'from the ticket\n');
    const commit = await gitOf(sample).commit(path, { message: 'work', trailers: {}, paths: ['a.txt'] });
    const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    const bin = join(sample.root, '..', 'bin');
    const said = join(bin, 'said');
    await mkdir(bin);
    const script = [
      '#!/bin/sh',
      `if [ ! -e '${said}' ]; then case "$*" in ${when})`,
      `: > '${said}'; (cd '${sample.root}' && unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE && ${person.replace('git', `'${real}'`)}) > '${said}' 2>&1; echo "ended with $?" >> '${said}';;`,
      'esac; fi',
      `exec '${real}' "$@"`,
    ];
    await writeFile(join(bin, 'git'), script.join('\n'));
    await chmod(join(bin, 'git'), 0o755);
    const environment = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: join(sample.root, '..') };
    return { sample, commit, git: gitOf(sample, { environment }), said: () => readFile(said, 'utf8') };
  }

  const moving = '*"merge --ff-only"*|*"update-ref --create-reflog"*"refs/heads/main"*';

  it('moves no other branch when the person switches at that moment', async () => {
    const { sample, commit, git, said } = await bench('git switch --quiet other', moving);
    const before = await sample.git('rev-parse', 'other');
    assert.equal(await git.merge({ base: 'main', commit, message: 'x' }), commit);
    assert.match(await said(), /index\.lock[^]*ended with 128/);
    assert.equal(await sample.git('rev-parse', 'other'), before);
    assert.equal(await sample.git('symbolic-ref', 'HEAD'), 'refs/heads/main');
    assert.equal(await sample.git('rev-parse', 'main'), commit);
    assert.equal(await sample.git('status', '--porcelain'), '');
    await sample.git('switch', '--quiet', 'other');
    assert.equal(await readFile(join(sample.root, 'a.txt'), 'utf8'), 'a\n');
  });

  it('refuses when the person switched away after the first check', async () => {
    const { sample, commit, git, said } = await bench(
      'git switch --quiet other',
      '*"merge-base --is-ancestor"*',
    );
    const before = await sample.git('for-each-ref', 'refs/heads');
    await assert.rejects(git.merge({ base: 'main', commit, message: 'x' }), withCode('MERGE_REFUSED'));
    assert.match(await said(), /ended with 0/);
    assert.equal(await sample.git('for-each-ref', 'refs/heads'), before);
    assert.equal(await sample.git('status', '--porcelain'), '');
  });

  it('never leaves a branch behind its checkout when the person switches to it', async () => {
    const { sample, commit, git, said } = await bench('git switch --quiet main', moving);
    await sample.git('switch', '--quiet', 'other');
    assert.equal(await git.merge({ base: 'main', commit, message: 'x' }), commit);
    assert.match(await said(), /ended with 128/);
    assert.equal(await sample.git('status', '--porcelain'), '');
    assert.equal(await sample.git('symbolic-ref', 'HEAD'), 'refs/heads/other');
  });

  it('leaves no lock behind, and takes one away that a killed process of ours left', async () => {
    const { sample, commit, git } = await bench('git status', 'nothing');
    await sample.write({
      '.git/index.lock': '{"beadsmith":true,"host":"x","boot":"x","namespace":"","pid":1,"started":"x"}',
    });
    await assert.rejects(
      gitOf(sample, { lockPatienceMs: 300 }).merge({ base: 'main', commit, message: 'x' }),
      withCode('GIT_LOCKED'),
    );
    const dead = execFileSync(process.execPath, ['-e', 'console.log(process.pid)'], {
      encoding: 'utf8',
    }).trim();
    await sample.write({
      '.git/index.lock': JSON.stringify({
        beadsmith: true,
        ...(await identity()),
        pid: Number(dead),
        started: '1',
      }),
    });
    assert.equal(await git.merge({ base: 'main', commit, message: 'x' }), commit);
    assert.deepEqual(
      (await readdir(join(sample.root, '.git'))).filter((name) => /lock|beadsmith-index/.test(name)),
      [],
    );
  });
});

async function identity() {
  const { ownIdentity } = await import('../../../src/adapters/system/processes.ts');
  return ownIdentity();
}
