import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findSandbox } from '../../../../src/adapters/sandbox/findSandbox.ts';
import type { SandboxPolicy } from '../../../../src/engine/ports/sandboxPort.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';
import { until } from '../../../support/until.ts';
import { canTrySandbox } from '../../../support/sandbox.ts';

describe('the sandbox of bubblewrap', () => {
  const makeFolder = tempFolders();
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/' };

  before(async function () {
    if (!(await canTrySandbox())) this.skip();
  });

  /** With another worktree beside it, and our folder in the git folder. */
  const makePlace = async () => {
    const root = await makeFolder();
    const at = (name: string) => join(root, name);
    for (const name of [
      'repo/.git/beadsmith',
      'repo/.git/hooks',
      'trees/A-1',
      'trees/A-2',
      'box',
      'home',
      'tools',
    ])
      await mkdir(at(name), { recursive: true });
    await writeFile(at('repo/.git/beadsmith/state.db'), 'approvals');
    await writeFile(at('repo/.git/HEAD'), 'ref: refs/heads/main');
    await writeFile(at('trees/A-2/other.txt'), 'other');
    await writeFile(at('home/secret.txt'), 'secret');
    const sandbox = await findSandbox('require', { commonDir: at('repo/.git') });
    const policy: SandboxPolicy = {
      domain: 'commands',
      tree: at('trees/A-1'),
      treeAccess: 'rw',
      readWrite: [],
      readOnly: [],
      folder: at('box'),
      network: 'none',
    };
    const run = async (
      script: string,
      changes: Partial<SandboxPolicy> = {},
      more: Readonly<Record<string, string>> = {},
    ) => {
      const started = {
        program: '/bin/sh',
        args: ['-c', script],
        env: { ...env, HOME: at('home'), ...more },
      };
      const wrapped = await sandbox.wrap(started, { ...policy, ...changes });
      try {
        const { stdout } = await promisify(execFile)(wrapped.program, [...wrapped.args], {
          env: { ...wrapped.env },
          timeout: 20_000,
        });
        return stdout.trim();
      } catch (error) {
        const { code, stderr } = error as { readonly code: unknown; readonly stderr: string };
        return `failed ${String(code)} ${stderr}`;
      }
    };
    return { at, run, policy, sandbox };
  };

  it('knows its own name, and the names that the machine has for hosts', async () => {
    const { run } = await makePlace();
    for (const name of ['$(uname -n)', 'localhost'])
      assert.match(await run(`getent hosts ${name}`), /^(?:127\.0\.0\.1|::1)\s/, name);
    for (const line of (await readFile('/etc/hosts', 'utf8')).split('\n').filter(Boolean))
      assert.ok((await run('cat /etc/hosts')).includes(line));
    assert.match(await run('echo 6.6.6.6 evil >> /etc/hosts'), /^failed/);
  });

  it('writes to the worktree and to its own places, and to nothing else', async () => {
    const { at, run } = await makePlace();
    assert.equal(await run('echo new > file.txt && pwd'), at('trees/A-1'));
    assert.equal(await readFile(at('trees/A-1/file.txt'), 'utf8'), 'new\n');
    for (const path of ['repo/.git/hooks/pre-commit', 'repo/.git/HEAD', 'trees/A-2/other.txt', 'home/x'])
      assert.match(await run(`echo x > '${at(path)}'`), /^failed/, path);
    for (const path of ['/usr/x', '/etc/x', '/x', '/home/x'])
      assert.match(await run(`echo x > ${path}`), /^failed/, path);
    // Below `/tmp` is a folder of the sandbox's own.
    await run(`echo x > '${at('trees/new.txt')}'`);
    assert.ok(!existsSync(at('trees/new.txt')));
    assert.equal(
      await run('echo x > "$HOME/kept" && echo x > /tmp/kept && cat "$HOME/kept" /tmp/kept'),
      'x\nx',
    );
    assert.ok(existsSync(at('box/home/kept')) && existsSync(at('box/tmp/kept')));
    assert.match(await run('echo x > file2.txt', { treeAccess: 'ro' }), /^failed/);
  });

  it('shows neither homes, nor other tickets, nor what is ours, nor what only administrators read', async () => {
    const { at, run } = await makePlace();
    for (const path of [
      at('home/secret.txt'),
      at('trees/A-2/other.txt'),
      at('repo/.git/beadsmith/state.db'),
      '/etc/shadow',
      '/root/.profile',
    ])
      assert.match(await run(`cat '${path}'`), /^failed 1/, path);
    assert.equal(await run(`cat '${at('repo/.git/HEAD')}'`), 'ref: refs/heads/main');
    assert.equal(await run(`ls -A '${at('repo/.git/beadsmith')}' | wc -l`), '0');
  });

  it('has no network but a loopback of its own', async () => {
    const { run } = await makePlace();
    const server = createServer((_request, response) => response.end('outside'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    assert.ok(address && typeof address === 'object');
    const ask = `require('http').get('http://127.0.0.1:${String(address.port)}', (r) => r.on('data', (d) => console.log(String(d)))).on('error', (e) => console.log(e.code))`;
    const serve = `const s = require('http').createServer((q, r) => r.end('inside')).listen(0, '127.0.0.1', () => require('http').get({ port: s.address().port, host: '127.0.0.1' }, (r) => r.on('data', (d) => { console.log(String(d)); process.exit(); })))`;
    try {
      assert.equal(await run(`'${process.execPath}' -e "${ask}"`), 'ECONNREFUSED');
      assert.equal(await run(`'${process.execPath}' -e "${ask}"`, { network: 'host' }), 'outside');
      assert.equal(await run(`'${process.execPath}' -e "${serve}"`), 'inside');
    } finally {
      server.close();
    }
  });

  it('sees its own processes and no variable but its own', async () => {
    const { at, run } = await makePlace();
    process.env['BEADSMITH_TEST_SECRET'] = 'hunter2';
    try {
      assert.equal(await run('cat /proc/*/environ | tr "\\0" "\\n" | grep -c hunter2 || true'), '0');
    } finally {
      delete process.env['BEADSMITH_TEST_SECRET'];
    }
    assert.equal(await run(`[ -e /proc/${String(process.pid)}/cwd ] && echo seen || echo unseen`), 'unseen');
    assert.equal(
      await run(
        'echo $XDG_CACHE_HOME $XDG_RUNTIME_DIR $HOME',
        {},
        { XDG_CACHE_HOME: '/x', XDG_RUNTIME_DIR: '/y' },
      ),
      at('box/home'),
    );
  });

  it('ends what its program leaves behind, also in a session of its own', async () => {
    const { at, run } = await makePlace();
    const mark = `LEFT=${at('box')}`;
    await run(
      `${mark} setsid sh -c 'echo > ready.txt; while :; do sleep 0.05; done' & while [ ! -e ready.txt ]; do sleep 0.01; done`,
    );
    const isLeft = () =>
      readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(mark));
    await until(() => !isLeft(), 'nothing is left of the sandbox', 10_000);
  });

  it('leaves no set-user-id bit, and neither lists nor reads keys', async () => {
    const { at, run } = await makePlace();
    assert.match(await run('cp /bin/sh tool && chmod u+x,g+s tool && chmod u+s tool'), /^failed 1/);
    assert.equal(statSync(at('trees/A-1/tool')).mode & 0o4000, 0);
    assert.match(await run('cat /proc/keys'), /^failed 1/);
    assert.ok(existsSync(at('repo/.git/beadsmith/sandbox.filter')), 'where no sandbox sees it');
  });

  it('holds sandboxes that see less, reach nothing outside of them, and look into no process around them', async function () {
    const { at, run, sandbox } = await makePlace();
    if (!sandbox.inner)
      return void (console.log('    Not run: no sandbox can be made in a sandbox here.'), this.skip());
    for (const name of ['server/data', 'server/kept']) await mkdir(at(name), { recursive: true });
    await writeFile(at('server/data/login'), 'secret');
    const inner = sandbox.inner({
      readOnly: [at('server')],
      hidden: [at('server/data')],
      readWrite: [at('server/kept')],
    });
    const attack = [
      `ls '${at('server/data')}'; cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -a SECRET=`,
      `echo x 2>/dev/null > '${at('server/shell')}' && echo written`,
      `node -e "require('net').connect(24118, '127.0.0.1').on('connect', () => console.log('reached')).on('error', () => {})"`,
      `echo x > '${at('server/kept/file')}' && echo x > file && echo works`,
    ].join('\n');
    const server = `require('net').createServer().listen(24118, '127.0.0.1', () => console.log('up'))`;
    const script = [
      `SECRET=password node -e "${server}" > up & until test -s up; do sleep 0.02; done`,
      `${inner.map((arg) => `'${arg}'`).join(' ')} sh -c '${attack.replaceAll("'", `'\\''`)}'`,
      'kill $!',
    ].join('\n');
    assert.equal(await run(script, { readWrite: [at('server')], holdsSandboxes: true }), 'works');
  });

  it('is entered by a path that leads through a link', async () => {
    const { at, run } = await makePlace();
    await symlink(at('trees'), at('short'));
    assert.equal(await run('echo x > here.txt; cd -P .; pwd', { tree: at('short/A-1') }), at('trees/A-1'));
    assert.ok(existsSync(at('trees/A-1/here.txt')));
    assert.match(await run(`cat '${at('short/A-2/other.txt')}'`, { tree: at('short/A-1') }), /^failed/);
  });

  it('shows further places as it is told, and toolchains without what lies beside them', async () => {
    const { at, run } = await makePlace();
    await writeFile(at('tools/data'), 'data');
    assert.equal(
      await run(
        `cat '${at('tools/data')}'; (echo x > '${at('tools/data')}') 2> /dev/null || echo ' refused'`,
        {
          readOnly: [at('tools'), at('gone')],
        },
      ),
      'data refused',
    );
    await mkdir(at('home/.cargo/bin'), { recursive: true });
    await writeFile(at('home/.cargo/credentials.toml'), 'token');
    await writeFile(at('home/.cargo/bin/tool'), '#!/bin/sh\necho tool\n', { mode: 0o755 });
    const path = { PATH: `${at('home/.cargo/bin')}:${env.PATH}` };
    assert.equal(await run('tool', {}, path), 'tool');
    assert.match(await run(`cat '${at('home/.cargo/credentials.toml')}'`, {}, path), /^failed/);
  });
});

describe('finding the sandbox of a machine', () => {
  const makeFolder = tempFolders();

  it('tries whether it holds another one', async () => {
    const program = join(await makeFolder(), 'bwrap');
    await writeFile(program, '#!/bin/sh\ncase "$*" in *--dev-bind*) exit 1 ;; esac\n', { mode: 0o755 });
    const [holds, alone] = await Promise.all(
      ['/bin/true', program].map((path) =>
        findSandbox('auto', { commonDir: '/', platform: 'linux', candidates: [path] }),
      ),
    );
    assert.deepEqual([alone?.kind, alone?.gap, alone?.inner], ['bubblewrap', undefined, undefined]);
    const places = { readOnly: ['/a'], hidden: ['/a/b'], readWrite: ['/a/c'] };
    assert.match(
      holds?.inner?.(places).join(' ') ?? '',
      /^\/bin\/true .*--unshare-net .*--ro-bind \/a \/a --tmpfs \/a\/b --bind-try \/a\/c \/a\/c --$/,
    );
  });

  it('says why there is none', async () => {
    const places = { commonDir: '/' };
    const found = [
      await findSandbox('off', places),
      await findSandbox('auto', { ...places, platform: 'win32' }),
      await findSandbox('auto', { ...places, candidates: ['/nowhere/bwrap'] }),
      await findSandbox('auto', { ...places, platform: 'linux', candidates: ['/bin/false'] }),
    ];
    assert.deepEqual(
      found.map(({ kind, gap }) => [kind, gap]),
      [
        ['none', 'off'],
        ['none', 'unsupported'],
        ['none', 'missing'],
        ['none', 'blocked'],
      ],
    );
    const works = { ...places, platform: 'linux', candidates: ['/bin/true'] } as const;
    const { kind, gap } = await findSandbox('auto', works);
    assert.deepEqual([kind, gap], ['bubblewrap', undefined]);
    const own = await findSandbox('auto', { ...works, ownServer: true });
    assert.deepEqual(
      [own.kind, own.gap],
      ['bubblewrap', 'ownServer'],
      'agents on a server of the person have none, commands do',
    );
    const started = { program: '/bin/true', args: ['a'], env: { A: '1' } };
    const policy: SandboxPolicy = {
      domain: 'commands',
      tree: '/',
      treeAccess: 'rw',
      readWrite: [],
      readOnly: [],
      folder: '/nowhere',
      network: 'none',
    };
    assert.deepEqual(await found[0]?.wrap(started, policy), started);
  });
});

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return ''; // gone
  }
}
