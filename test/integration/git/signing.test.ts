import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asAgent, gitOf, withCode, worktreeOf } from '../../support/git/gitBench.ts';
import { type TempRepository, tempRepositories } from '../../support/git/tempRepository.ts';

describe('git: signed commits', function () {
  const make = tempRepositories();
  const ref = 'refs/beadsmith/ABC-1/candidate/add-a';

  before(function () {
    try {
      execFileSync('ssh-keygen', ['-?'], { stdio: 'ignore' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return;
      console.log('    without ssh-keygen no commit can be signed here');
      this.skip();
    }
  });

  async function bench(configure: (sample: TempRepository, key: string) => Promise<unknown>) {
    const sample = await make({ files: { 'a.txt': 'a\n' } });
    const key = join(sample.root, '.git', 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    await configure(sample, key);
    const git = gitOf(sample);
    const path = await worktreeOf(sample, git);
    const start = await git.head(path);
    writeFileSync(join(path, 'a.txt'), 'b\n');
    const candidate = () =>
      git.candidate(path, { start, paths: ['a.txt'], message: 'bead(add-a): Add', trailers: {}, ref });
    const isSigned = async (commit: string) =>
      /^gpgsig -----BEGIN SSH SIGNATURE/m.test(await sample.git('cat-file', 'commit', commit));
    return { sample, git, path, start, candidate, isSigned, agent: asAgent(sample, path) };
  }

  const signs = async (sample: TempRepository, key: string) => {
    for (const [name, value] of [
      ['gpg.format', 'ssh'],
      ['user.signingKey', `${key}.pub`],
      ['commit.gpgSign', 'true'],
    ] as const)
      await sample.git('config', name, value);
  };

  it('signs what a branch may get, and nothing that only our refs keep', async () => {
    const { git, path, candidate, isSigned } = await bench(signs);
    assert.equal(await git.trySigning(path), 'on');
    assert.equal(await isSigned((await candidate()) ?? ''), true);
    assert.equal(await isSigned(await git.keep(path, 'refs/beadsmith/ABC-1/kept', 'kept')), false);
  });

  it('signs nothing where git does not', async () => {
    const { git, path, candidate, isSigned } = await bench(() => Promise.resolve());
    assert.equal(await git.trySigning(path), 'off');
    assert.equal(await isSigned((await candidate()) ?? ''), false);
  });

  it('says what git says when it can’t sign', async () => {
    const { git, path, candidate } = await bench((sample, key) => signs(sample, `${key}-missing`));
    await assert.rejects(git.trySigning(path), withCode('SIGNING_FAILED'));
    await assert.rejects(candidate(), /can't sign a commit.*key-missing/s);
  });

  it('starts no program that the repository names, and signs nothing then', async () => {
    const marks: string[] = [];
    const { git, path, candidate, isSigned } = await bench(async (sample, key) => {
      await signs(sample, key);
      const mark = join(sample.root, '.git', 'started');
      const program = join(sample.root, '.git', 'program.sh');
      writeFileSync(program, `#!/bin/sh\ntouch ${mark}\nexit 1\n`, { mode: 0o755 });
      for (const name of ['gpg.ssh.program', 'gpg.program', 'gpg.ssh.defaultKeyCommand'])
        await sample.git('config', name, program);
      marks.push(mark);
    });
    assert.equal(await git.trySigning(path), 'foreign');
    assert.equal(await isSigned((await candidate()) ?? ''), false);
    assert.deepEqual(marks.filter(existsSync), []);
  });
});
