import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SharedGuard } from '../../../../../src/adapters/git/guard/sharedGuard.ts';
import {
  mayChangeRef,
  mayChangeSetting,
  toldGitFolder,
} from '../../../../../src/adapters/git/guard/observed.ts';
import { type TempRepository, tempRepository } from '../../../../support/git/tempRepository.ts';

const shell = promisify(execFile);

/** Settings that a library for git refuses to name. */
const dangerous = [
  ['core.sshCommand', 'evil'],
  ['core.gitProxy', 'evil'],
  ['core.pager', 'evil'],
  ['core.editor', 'evil'],
  ['core.hooksPath', '/evil'],
  ['core.fsmonitor', 'evil'],
  ['alias.status', '!evil'],
  ['credential.helper', '!evil'],
  ['diff.external', 'evil'],
  ['diff.x.textconv', 'evil'],
  ['filter.x.clean', 'evil'],
  ['merge.x.driver', 'evil'],
  ['gpg.program', 'evil'],
  ['include.path', '/evil'],
  ['init.templateDir', '/evil'],
  ['remote.origin.uploadpack', 'evil'],
  ['url.https://evil.example/.insteadOf', 'https://'],
  ['submodule.x.update', '!evil'],
] as const;

describe('git: the settings and files that all worktrees share', function () {
  this.timeout(60_000);
  let sample: TempRepository;
  let said: string[];
  let guard: SharedGuard;
  let commonDir: string;

  before(async () => (sample = await tempRepository()));
  after(() => sample.remove());
  beforeEach(() => {
    said = [];
    commonDir = join(sample.root, '.git');
    guard = new SharedGuard({ root: sample.root, commonDir, environment: process.env, isOurs: () => false });
  });

  const around = (text: string, person: () => Promise<unknown> = () => Promise.resolve()): Promise<void> =>
    guard.around(
      async () => {
        const env = { ...process.env, ...(await SharedGuard.environment(commonDir)) };
        await shell('/bin/sh', ['-c', text], { cwd: sample.root, env });
        await person();
      },
      (line) => said.push(line),
    );

  it('are as they were after a command that set what starts programs, whatever its name is', async () => {
    const config = join(commonDir, 'config');
    await writeFile(
      config,
      `${await readFile(config, 'utf8')}[credential]\n\thelper = store\n\thelper = cache\n`,
    );
    const settings = (): Promise<string> => sample.git('config', '--file', config, '--list');
    const before = await settings();
    await around(
      dangerous.map(([name, value]) => `git config --replace-all '${name}' '${value}'`).join('; '),
    );
    assert.equal(await settings(), before);
    for (const [name] of dangerous)
      assert.ok(
        said.some((line) => line.toLowerCase().startsWith(name.toLowerCase())),
        `${name} is not told:\n${said.join('\n')}`,
      );
    assert.match(
      said.find((line) => line.startsWith('credential.helper')) ?? '',
      /was set to !evil .* is store, cache again/,
    );
  });

  it('keep what a person sets meanwhile, and say what changed without a command of the session', async () => {
    await around('git config user.nick x', async () => {
      await sample.git('config', 'pull.rebase', 'true');
      await writeFile(join(commonDir, 'description'), 'mine\n');
      await writeFile(join(commonDir, 'hooks/pre-commit'), '#!/bin/sh\n');
    });
    assert.equal(await sample.git('config', 'pull.rebase'), 'true');
    await assert.rejects(sample.git('config', 'user.nick'));
    assert.match(said.join('\n'), /\.git\/hooks\/pre-commit changed while .* Review it/);
    assert.equal(await readFile(join(commonDir, 'hooks/pre-commit'), 'utf8'), '#!/bin/sh\n');
  });

  it('lose a hook that a command put where git said, which is kept elsewhere', async () => {
    await around('echo evil > "$(git rev-parse --git-path hooks/pre-push)"');
    await assert.rejects(readFile(join(commonDir, 'hooks/pre-push')));
    const aside = /kept in (.+)\.$/.exec(said.join('\n'))?.[1] ?? '';
    assert.equal(await readFile(aside, 'utf8'), 'evil\n');
  });

  it('have their branches again, and what those became is kept under a ref', async () => {
    await sample.git('branch', 'mine');
    const before = await sample.git('rev-parse', 'mine');
    await around(
      'git -c user.name=a -c user.email=a@b commit --quiet --allow-empty -m x; git branch -f mine HEAD; git branch extra',
    );
    assert.equal(await sample.git('rev-parse', 'mine'), before);
    await assert.rejects(sample.git('rev-parse', '--verify', 'extra'));
    assert.match(
      said.join('\n'),
      /refs\/heads\/mine .*put back to [0-9a-f]{12}\. What it was is kept under refs\/beadsmith\/shared/,
    );
    assert.match(said.join('\n'), /refs\/heads\/extra .*removed again/);
    assert.equal(await sample.git('log', '-1', '--format=%s', 'main'), 'First commit');
  });

  it('are left alone when a git of the session only reads them', async () => {
    await around('git config --get remote.origin.url; git remote -v', () =>
      sample.git('remote', 'add', 'origin', 'https://example.com/mine.git'),
    );
    assert.deepEqual(
      [said, await sample.git('remote', 'get-url', 'origin')],
      [[], 'https://example.com/mine.git'],
    );
  });

  it('are left alone when no git of the session ran', async () => {
    await around('true', () => sample.git('config', 'pull.rebase', 'false'));
    assert.deepEqual([said, await sample.git('config', 'pull.rebase')], [[], 'false']);
  });
});

describe('what a command of git may have changed', () => {
  const command = (line: string, worktree = '/ours') => {
    const [name = '', ...args] = line.split(' ');
    return { name, args: [name, ...args], worktree };
  };
  const isOurs = (worktree: string): boolean => worktree === '/ours';

  it('is a ref that it moves in its checkout, names, or fetches', () => {
    const may: readonly [string, string, string, boolean][] = [
      ['commit -m x', '/ours', 'refs/heads/main', false],
      ['commit -m x', '/theirs', 'refs/heads/main', true],
      ['branch -f main x', '/ours', 'refs/heads/main', true],
      ['branch -f other x', '/ours', 'refs/heads/main', false],
      ['log main', '/ours', 'refs/heads/main', false],
      ['update-ref --stdin', '/ours', 'refs/heads/main', true],
      ['update-ref refs/heads/x', '/ours', 'refs/heads/main', false],
      ['fetch', '/ours', 'refs/remotes/origin/main', true],
      ['remote update', '/ours', 'refs/remotes/origin/main', true],
      ['remote -v update', '/ours', 'refs/remotes/origin/main', true],
      ['remote get-url origin', '/ours', 'refs/remotes/origin/main', false],
      ['remote -v', '/ours', 'refs/remotes/origin/main', false],
      ['commit', '/ours', 'refs/remotes/origin/main', false],
      ['pull', '/ours', 'refs/tags/v1', true],
      ['push', '/ours', 'refs/tags/v1', false],
      ['stash', '/ours', 'refs/stash', true],
      ['update-ref refs/stash x', '/ours', 'refs/stash', true],
      ['branch x', '/ours', 'refs/stash', false],
    ];
    for (const [line, worktree, ref, expected] of may)
      assert.equal(
        mayChangeRef(command(line, worktree), ref, isOurs),
        expected,
        `${line} in ${worktree}: ${ref}`,
      );
  });

  it('is a setting that it names, or writes by itself', () => {
    const may: readonly [string, string, boolean][] = [
      ['config core.hookspath x', 'core.hookspath', true],
      ['config --remove-section core', 'core.hookspath', true],
      ['config user.name x', 'core.hookspath', false],
      ['config --get remote.origin.url', 'remote.origin.url', false],
      ['config --local --null --get-regexp ^remote', 'remote.origin.url', false],
      ['config --list', 'remote.origin.url', false],
      ['config --comment --get remote.origin.url x', 'remote.origin.url', true],
      ['config --local --unset remote.origin.url', 'remote.origin.url', true],
      ['remote get-url origin', 'remote.origin.url', false],
      ['remote set-url origin x', 'remote.origin.url', true],
      ['remote add origin x', 'remote.origin.url', true],
      ['remote add other x', 'remote.origin.url', false],
      ['branch --set-upstream-to=x main', 'branch.main.merge', true],
      ['branch main', 'remote.origin.url', false],
      ['submodule init lib', 'submodule.lib.url', true],
      ['sparse-checkout set x', 'core.sparsecheckout', true],
      ['init', 'core.bare', true],
      ['log', 'core.bare', false],
    ];
    for (const [line, setting, expected] of may)
      assert.equal(mayChangeSetting(command(line), setting), expected, `${line}: ${setting}`);
  });

  it('is anything in the folder of git, once that was told', () => {
    for (const line of [
      'init',
      'rev-parse --git-dir',
      'rev-parse --git-path hooks',
      'rev-parse --git-common-dir',
      'rev-parse --absolute-git-dir',
    ])
      assert.equal(toldGitFolder(command(line)), true, line);
    for (const line of ['rev-parse HEAD', 'status --git-dir'])
      assert.equal(toldGitFolder(command(line)), false, line);
  });
});
