import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import { asAgent, gitOf, withCode, worktreeOf } from '../../support/git/gitBench.ts';
import { type TempRepository, tempRepositories } from '../../support/git/tempRepository.ts';

describe('git: programs that configuration names', () => {
  const make = tempRepositories();
  const attributes = '*.txt filter=f diff=f merge=f\n';

  /**
   * A repository with a program outside of it that leaves a trace when it is started, and prints what it
   * reads.
   */
  async function scene(
    files: Readonly<Record<string, string>> = { 'a.txt': 'a\n', '.gitattributes': attributes },
  ) {
    const sample = await make({ files });
    const home = join(sample.root, '..');
    const [program, trace] = [join(home, 'program.sh'), join(home, 'trace')];
    await writeFile(
      program,
      `#!/bin/sh\necho "$* agent=$SSH_AUTH_SOCK askpass=$GIT_ASKPASS" >> ${trace}\n[ "$1" = ssh ] || cat\n`,
      {
        mode: 0o755,
      },
    );
    const ran = () => readFile(trace, 'utf8').catch(() => '');
    const global = (text: string) => appendFile(join(home, '.gitconfig'), text);
    return { sample, home, program, ran, global };
  }
  type Scene = Awaited<ReturnType<typeof scene>>;

  /** Git of the test itself, which may start no program either. */
  async function config(
    sample: TempRepository,
    name: string,
    value: string,
    ...where: readonly string[]
  ): Promise<void> {
    await sample.git('config', ...where, name, value);
  }

  const refusal = (name: string, value: string) => (error: unknown) => {
    assert.ok(error instanceof BeadsmithError, String(error));
    assert.equal(error.code, 'GIT_SETTING_REFUSED');
    assert.ok(error.message.includes(`${name}=${value}`), error.message);
    assert.ok(
      error.nextStep.includes(`git config --global --add beadsmith.trusted '${name}=${value}'`),
      error.nextStep,
    );
    return true;
  };

  for (const name of ['filter.f.clean', 'filter.f.smudge', 'filter.f.process', 'merge.f.driver']) {
    it(`never starts ${name} of the repository, and blocks before there is a worktree`, async () => {
      const { sample, program, ran } = await scene();
      await config(sample, name, program);
      await writeFile(join(sample.root, 'a.txt'), 'b\n');
      const git = gitOf(sample);
      // What only looks continues, so that people can see their tickets.
      assert.equal((await git.repository()).dirty, 1);
      await assert.rejects(worktreeOf(sample, git), refusal(name, program));
      assert.equal(await ran(), '');
    });
  }

  it('works with a driver of merges that no attribute uses, and with one that only takes a side', async () => {
    const { sample, program, ran } = await scene({ 'a.txt': 'a\n', '.gitattributes': '*.txt merge=ours\n' });
    await config(sample, 'merge.unused.driver', program);
    await config(sample, 'merge.ours.driver', 'true');
    const git = gitOf(sample);
    const path = await worktreeOf(sample, git);
    await writeFile(join(path, 'a.txt'), 'ours\n');
    const commit = await git.commit(path, { message: 'x', trailers: {}, paths: ['a.txt'] });
    await sample.commit({ 'a.txt': 'theirs\n' });
    await git.merge({ base: 'main', commit, message: 'merged' });
    assert.equal(await sample.git('show', 'main:a.txt'), 'theirs', 'the side that was there stays');
    assert.equal(await ran(), '');
  });

  for (const [way, use] of Object.entries<(scene: Scene, worktree: string) => Promise<unknown>>({
    'an attribute of a folder': (_, worktree) =>
      mkdir(join(worktree, 'deep')).then(() =>
        writeFile(join(worktree, 'deep', '.gitattributes'), '* merge=later\n'),
      ),
    'an attribute of this clone': ({ sample }) =>
      writeFile(join(sample.root, '.git', 'info', 'attributes'), '* merge=later\n'),
    'an attribute that only the base has': ({ sample }) =>
      sample.commit({ '.gitattributes': '* merge=later\n' }),
    'every file': ({ sample }) => config(sample, 'merge.default', 'later'),
  }))
    it(`never starts a driver of merges that an agent sets, and that ${way} uses`, async () => {
      const one = await scene({ 'a.txt': 'a\n', '.gitattributes': '*.txt text\n' });
      const git = gitOf(one.sample);
      const path = await worktreeOf(one.sample, git);
      await writeFile(join(path, 'a.txt'), 'ours\n');
      const commit = await git.commit(path, { message: 'x', trailers: {}, paths: ['a.txt'] });
      await one.sample.commit({ 'a.txt': 'theirs\n' });
      await config(one.sample, 'merge.later.driver', one.program);
      await mkdir(join(one.sample.root, '.git', 'info'), { recursive: true });
      await use(one, path);
      const call = way.includes('folder')
        ? git.commit(path, { message: 'y', trailers: {}, paths: ['a.txt'] })
        : git.merge({ base: 'main', commit, message: 'merged' });
      await assert.rejects(call, refusal('merge.later.driver', one.program));
      assert.equal(await one.ran(), '');
    });

  for (const [way, use] of Object.entries<(scene: Scene) => Promise<unknown>>({
    'a file of attributes that the configuration names': async ({ sample, home }) => {
      await writeFile(join(home, 'attributes'), '* merge=later\n');
      await config(sample, 'core.attributesFile', join(home, 'attributes'));
    },
    'the person’s own attributes': async ({ home }) => {
      await mkdir(join(home, '.config', 'git'), { recursive: true });
      await writeFile(join(home, '.config', 'git', 'attributes'), '* merge=later\n');
    },
  }))
    it(`has a conflict, and starts nothing, where only ${way} uses a driver that an agent sets`, async () => {
      const one = await scene({ 'a.txt': 'a\n', '.gitattributes': '*.txt text\n' });
      const git = gitOf(one.sample, { environment: { HOME: one.home, PATH: process.env['PATH'] } });
      const path = await worktreeOf(one.sample, git);
      await writeFile(join(path, 'a.txt'), 'ours\n');
      const commit = await git.commit(path, { message: 'x', trailers: {}, paths: ['a.txt'] });
      await one.sample.commit({ 'a.txt': 'theirs\n' });
      await config(one.sample, 'merge.later.driver', one.program);
      await use(one);
      await assert.rejects(git.merge({ base: 'main', commit, message: 'merged' }));
      assert.equal(await one.ran(), '');
    });

  const ways: Readonly<Record<string, (scene: Scene, worktree: string) => Promise<void>>> = {
    'in its configuration': ({ sample, program }) => config(sample, 'filter.f.clean', program),
    'in that of the worktree': async ({ sample, program }, worktree) => {
      await config(sample, 'extensions.worktreeConfig', 'true');
      await asAgent(sample, worktree)('config', '--worktree', 'filter.f.clean', program);
    },
    'in a file that it includes': async ({ sample, program, home }) => {
      await writeFile(join(home, 'included'), `[filter "f"]\n\tclean = ${program}\n`);
      await config(sample, 'include.path', join(home, 'included'));
    },
    'in a file that it includes on a condition': async ({ sample, program, home }) => {
      await writeFile(join(home, 'included'), `[filter "f"]\n\tclean = ${program}\n`);
      await config(sample, 'includeIf.onbranch:ticket/**.path', join(home, 'included'));
    },
    "in a file of the worktree that the person's configuration includes": async (
      { global, program },
      worktree,
    ) => {
      await writeFile(join(worktree, 'included'), `[filter "f"]\n\tclean = ${program}\n`);
      await global(`[include]\n\tpath = ${join(worktree, 'included')}\n`);
    },
  };
  for (const [way, change] of Object.entries(ways)) {
    it(`notices what an agent sets meanwhile ${way}`, async () => {
      const one = await scene();
      const git = gitOf(one.sample);
      const path = await worktreeOf(one.sample, git);
      await writeFile(join(path, 'a.txt'), 'changed\n');
      await git.status(path);
      await change(one, path);
      await git.status(path);
      const commit = git.commit(path, { message: 'x', trailers: {}, paths: ['a.txt'] });
      await assert.rejects(commit, refusal('filter.f.clean', one.program));
      assert.equal(await one.ran(), '');
    });
  }

  it('starts what a person trusts by exactly this name and value, at once', async () => {
    const { sample, program, ran, global } = await scene();
    await config(sample, 'filter.f.clean', `${program} one`);
    const git = gitOf(sample);
    await global(`[beadsmith]\n\ttrusted = filter.f.clean=${program}\n`);
    await config(sample, 'beadsmith.trusted', `filter.f.clean=${program} one`);
    await assert.rejects(worktreeOf(sample, git), refusal('filter.f.clean', `${program} one`));
    await global(`[beadsmith]\n\ttrusted = filter.f.clean=${program} one\n`);
    const path = await worktreeOf(sample, git);
    await writeFile(join(path, 'a.txt'), 'changed\n');
    await git.commit(path, { message: 'x', trailers: {}, paths: ['a.txt'] });
    assert.match(await ran(), /^one /);
  });

  it("starts the person's own filters and those of Git LFS, without their SSH agent", async () => {
    const { sample, program, ran, global, home } = await scene({
      'a.txt': 'a\n',
      '.gitattributes': '*.txt filter=f\n*.bin filter=lfs\n',
    });
    await global(`[filter "f"]\n\tclean = ${program} own\n`);
    await mkdir(join(home, 'bin'));
    await writeFile(join(home, 'bin/git-lfs'), `#!/bin/sh\nexec ${program} lfs "$@"\n`, { mode: 0o755 });
    await config(sample, 'filter.lfs.clean', 'git-lfs clean -- %f');
    await config(sample, 'filter.lfs.smudge', 'git-lfs smudge -- %f');
    await config(sample, 'filter.lfs.required', 'true');
    const environment = {
      HOME: home,
      PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
      SSH_AUTH_SOCK: '/agent',
      SSH_ASKPASS: '/ask',
    };
    const git = gitOf(sample, { environment });
    const path = await worktreeOf(sample, git);
    await writeFile(join(path, 'a.txt'), 'changed\n');
    await writeFile(join(path, 'b.bin'), 'new\n');
    await git.commit(path, { message: 'x', trailers: {}, paths: ['a.txt', 'b.bin'] });
    const trace = await ran();
    assert.match(trace, /^own agent= askpass=$/m);
    assert.match(trace, /^lfs clean -- b.bin agent= askpass=$/m);
  });

  it('reaches no server for a full clone, and in a partial one only by what the person set', async () => {
    const { sample, program, ran, home } = await scene();
    const git = gitOf(sample);
    await worktreeOf(sample, git);
    for (const name of ['core.sshCommand', 'credential.helper', 'remote.origin.uploadpack'])
      await config(sample, name, program);
    await config(sample, 'remote.origin.url', 'ssh://nowhere.invalid/x');
    await git.commits(join(`${sample.root}.worktrees`, 'ABC-1'), 'HEAD', 'HEAD');
    await worktreeOf(sample, git, 'ABC-2');
    await config(sample, 'remote.origin.promisor', 'true');
    const gone = (await sample.git('rev-parse', 'HEAD:a.txt')).trim();
    await rm(join(sample.root, '.git/objects', gone.slice(0, 2), gone.slice(2)));
    const environment = { HOME: home, PATH: process.env['PATH'], SSH_AUTH_SOCK: '/agent' };
    const partial = gitOf(sample, { environment });
    const commit = await sample.git('rev-parse', 'HEAD');
    assert.equal(await partial.blob(commit, 'a.txt').catch(() => undefined), undefined);
    await assert.rejects(worktreeOf(sample, partial, 'ABC-3'), withCode('GIT_SETTING_REFUSED'));
    assert.equal(await ran(), '');
    await appendFile(join(home, '.gitconfig'), `[core]\n\tsshCommand = ${program} ssh\n`);
    for (const name of ['core.sshCommand', 'credential.helper', 'remote.origin.uploadpack'])
      await sample.git('config', '--unset', name);
    await partial.blob(commit, 'a.txt').catch(() => undefined);
    assert.match(await ran(), /^ssh .*nowhere\.invalid .*agent=\/agent/m);
  });

  it('makes worktrees of a partial clone whose own settings name a proxy and headers', async () => {
    const { sample } = await scene();
    const git = gitOf(sample);
    await config(sample, 'remote.origin.url', 'https://nowhere.invalid/x');
    await config(sample, 'remote.origin.promisor', 'true');
    await config(sample, 'http.proxy', 'http://proxy.invalid');
    await config(sample, 'http.https://nowhere.invalid/.extraheader', 'AUTHORIZATION: geheim');
    await worktreeOf(sample, git, 'ABC-4');
  });

  it('starts no program that signs or verifies for the repository', async () => {
    const { sample, program, ran, global } = await scene();
    const git = gitOf(sample);
    const path = await worktreeOf(sample, git);
    await config(sample, 'gpg.program', program);
    await global('[merge]\n\tverifySignatures = true\n');
    await writeFile(join(path, 'a.txt'), 'changed\n');
    const commit = await git.commit(path, { message: 'x', trailers: {}, paths: ['a.txt'] });
    await assert.rejects(git.merge({ base: 'main', commit, message: 'x' }), refusal('gpg.program', program));
    assert.equal(await ran(), '');
  });
});
