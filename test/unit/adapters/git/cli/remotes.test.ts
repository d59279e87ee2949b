import assert from 'node:assert/strict';
import { Remotes } from '../../../../../src/adapters/git/cli/remotes.ts';
import type { GitOutput } from '../../../../../src/adapters/git/start/runGit.ts';
import { withCode } from '../../../../support/git/gitBench.ts';

const place = { cwd: '/sample' };
const commit = 'c'.repeat(40);
const both = 'origin\thttps://github.com/octo/sample (fetch)\norigin\thttps://github.com/octo/sample (push)';

describe('remotes', () => {
  let calls: (readonly string[])[] = [];
  let config: readonly string[] | undefined;
  let addresses = both;
  let output: Partial<GitOutput> = {};
  let rewritten: string | undefined;
  let pushInstead = '';
  const sample = {
    remote: 'origin',
    host: 'github.com',
    api: 'https://api.github.com',
    owner: 'octo',
    name: 'sample',
  };
  const remotes = new Remotes({
    settings: () =>
      Promise.resolve([
        { scope: 'local', origin: '', name: 'url.ssh://x/.pushinsteadof', value: pushInstead },
        { scope: 'local', origin: '', name: 'remote.pushdefault', value: 'many' },
        { scope: 'local', origin: '', name: 'remote.pushdefault', value: 'origin' },
      ]),
    text: (_place, ...args) =>
      Promise.resolve(args[0] === 'remote' ? addresses : (rewritten ?? args.at(-1) ?? '')),
    run: (_place, { args, ...call }) => {
      calls.push(args);
      ({ config } = call);
      return Promise.resolve({ code: 0, stdout: '', stderr: '', ...output });
    },
  });
  const push = () =>
    remotes.push(place, { remote: 'origin', branch: 'ticket/TST-1', commit, expected: undefined });
  const tip = () => remotes.tip(place, 'origin', 'ticket/TST-1');

  beforeEach(() => {
    calls = [];
    addresses = both;
    pushInstead = '';
    output = {};
    rewritten = undefined;
  });

  it('are known by the addresses that git pushes to', async () => {
    addresses = [
      'many\thttps://github.com/octo/a (fetch)',
      'many\thttps://github.com/octo/b (push)',
      'many\thttps://github.com/octo/c (push)',
      'origin\thttps://github.com/octo/read (fetch) [blob:none]',
      'origin\tgit@github.com:octo/sample.git (push)',
    ].join('\n');
    assert.deepEqual(await remotes.all(place), [
      { name: 'many', url: 'https://github.com/octo/b', hasMore: true },
      { name: 'origin', url: 'git@github.com:octo/sample.git', isPushDefault: true },
    ]);
  });

  it('get one branch, without hooks, tags, submodules or signatures, and only where it is expected', async () => {
    await push();
    const [args = []] = calls;
    const lease = '--force-with-lease=refs/heads/ticket/TST-1:';
    for (const one of [lease, '--no-verify', '--no-follow-tags', '--no-signed', '--recurse-submodules=no'])
      assert.ok(args.includes(one), one);
    assert.equal(config?.[0], 'push.negotiate=false');
    assert.deepEqual(args.slice(-3), [
      '--',
      'https://github.com/octo/sample',
      `${commit}:refs/heads/ticket/TST-1`,
    ]);
    await assert.rejects(
      remotes.push(place, { remote: 'origin', branch: 'main', commit, expected: undefined }),
      withCode('OUTSIDE_WORKTREE'),
    );
  });

  it('are asked where they push to', async () => {
    addresses = both.replace(/sample \(push\)/, 'other (push)');
    output = { stdout: `${commit}\trefs/heads/ticket/TST-1\n` };
    assert.equal(await tip(), commit);
    assert.deepEqual(calls, [
      ['ls-remote', '--', 'https://github.com/octo/other', 'refs/heads/ticket/TST-1'],
    ]);
    rewritten = 'https://evil.example/octo/other';
    await assert.rejects(tip(), withCode('PUSH_REFUSED'));
    addresses = `${both}\norigin\thttps://evil.example/x (push)`;
    await assert.rejects(tip(), withCode('PUSH_REFUSED'));
  });

  it('get nothing at an address that is no longer that of the repository', async () => {
    const request = { remote: 'origin', branch: 'ticket/TST-1', commit, expected: undefined };
    await remotes.push(place, { ...request, to: sample });
    assert.ok(calls[0]?.includes('https://github.com/octo/sample'));
    for (const address of ['https://github.com/octo/other', 'https://evil.example/octo/sample', '/tmp/x']) {
      addresses = `origin\t${address} (push)`;
      calls = [];
      for (const asked of [
        remotes.push(place, { ...request, to: sample }),
        remotes.tip(place, 'origin', 'ticket/TST-1', { to: sample }),
      ])
        await assert.rejects(asked, ({ code, message }: { code: string; message: string }) => {
          assert.match(message, /it no longer leads to octo\/sample/);
          return code === 'PUSH_REFUSED';
        });
      assert.deepEqual(calls, []);
    }
    addresses = both;
    pushInstead = 'https://github.com/';
    await assert.rejects(remotes.push(place, request), withCode('PUSH_REFUSED'));
  });

  for (const [code, why, stderr] of [
    [
      'PUSH_REFUSED',
      'Repository not found.',
      'ERROR: Repository not found.\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n',
    ],
    [
      'PUSH_REFUSED',
      'Repository not found.',
      "remote: Repository not found.\nfatal: repository 'https://github.com/octo/sample/' not found\n",
    ],
    [
      'PUSH_REFUSED',
      'git@github.com: Permission denied (publickey).',
      "Warning: Permanently added 'github.com' to the list of known hosts.\ngit@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n",
    ],
    [
      'PUSH_REFUSED',
      "could not read Password for 'https://github.com': terminal prompts disabled",
      "fatal: could not read Password for 'https://ghp_geheim@github.com': terminal prompts disabled\n",
    ],
    [
      'PUSH_REFUSED',
      'Permission to octo/sample.git denied to ada.',
      'ERROR: Permission to octo/sample.git denied to ada.\nfatal: Could not read from remote repository.\n',
    ],
    [
      'PUSH_REFUSED',
      "--mirror can't be combined with refspecs",
      "fatal: --mirror can't be combined with refspecs\n",
    ],
    [
      'FORGE_UNREACHABLE',
      'ssh: Could not resolve hostname github.com: Name or service not known',
      'ssh: Could not resolve hostname github.com: Name or service not known\r\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n',
    ],
    [
      'FORGE_UNREACHABLE',
      "unable to access 'https://github.com/octo/sample/': The requested URL returned error: 503",
      "fatal: unable to access 'https://github.com/octo/sample/': The requested URL returned error: 503\n",
    ],
  ] as const)
    it(`say why they don't answer: ${why} (${code})`, async () => {
      output = { code: 128, stderr };
      for (const asked of [tip, push])
        await assert.rejects(asked(), (error: unknown) => {
          assert.ok(withCode(code)(error));
          assert.equal((error as { readonly args: { readonly reason: string } }).args.reason, why);
          return true;
        });
    });

  it('say what the remote refused, without the sign-in of an address', async () => {
    output = {
      code: 1,
      stdout: '!\tx:y\t[remote rejected] (see https://ada:geheim@github.com/octo/sample)\n',
      stderr: 'remote: moved to https://ghp_geheim@github.com/octo/other\n',
    };
    await assert.rejects(push(), ({ args }: { readonly args: { readonly reason: string } }) => {
      assert.equal(
        args.reason,
        '[remote rejected] (see https://github.com/octo/sample)\nmoved to https://github.com/octo/other',
      );
      return true;
    });
  });
});
