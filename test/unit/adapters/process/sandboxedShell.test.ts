import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../../src/adapters/clock/systemClock.ts';
import { Shell } from '../../../../src/adapters/process/shell.ts';
import { findSandbox } from '../../../../src/adapters/sandbox/findSandbox.ts';
import { TicketSandboxes } from '../../../../src/app/localPorts.ts';
import type { SandboxPolicy, Sandbox } from '../../../../src/engine/ports/sandboxPort.ts';
import { sandboxProblem } from '../../../../src/domain/environment/sandbox.ts';
import { passed } from '../../../../src/domain/core/evidence.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';
import { canTrySandbox } from '../../../support/sandbox.ts';
import { until } from '../../../support/until.ts';

describe('the shell, in the sandbox of a ticket,', () => {
  const makeFolder = tempFolders();

  before(async function () {
    if (!(await canTrySandbox())) this.skip();
  });

  const makePlace = async () => {
    const folder = await makeFolder();
    const at = (name: string) => join(folder, name);
    for (const name of ['repo/.git', 'trees/A-1', 'trees/.scratch/A-1'])
      await mkdir(at(name), { recursive: true });
    const sandboxes = new TicketSandboxes({
      repository: { root: at('repo'), commonDir: at('repo/.git') },
      reserve: (ticket) =>
        Promise.resolve({
          portBase: 1,
          ports: 1,
          temporary: at(`${ticket}.tmp`),
          sandbox: at(`${ticket}.box`),
          proof: { temporary: at(`${ticket}.proof.tmp`), sandbox: at(`${ticket}.proof.box`) },
        }),
    });
    const shell = new Shell({
      clock: systemClock,
      environment: { PATH: process.env['PATH'], HOME: at('home') },
      graceMs: 2_000,
      sandbox: await findSandbox('auto', { commonDir: at('repo/.git') }),
      policyFor: (command) => sandboxes.forCommand(command),
    });
    const run = (command: string, more: Partial<Parameters<Shell['run']>[1]> = {}) =>
      shell.run(command, { cwd: at('trees/A-1'), timeoutMs: 20_000, ...more });
    return { at, run };
  };

  it('runs a command where it is told, with its result and output', async () => {
    const { at, run } = await makePlace();
    const seen = await run('pwd; echo said >&2; echo x > made.txt; exit 3');
    assert.deepEqual([seen.exitCode, seen.signal, seen.head], [3, null, `${at('trees/A-1')}\nsaid\n`]);
    assert.ok(existsSync(at('trees/A-1/made.txt')));
    assert.ok(!passed(await run(`echo x > '${at('repo/.git/config')}'`)));
  });

  it('keeps HOME and /tmp from one command of a ticket to the next, and for no other ticket', async () => {
    const { at, run } = await makePlace();
    const sandbox = (ticket: string) =>
      ({ sandbox: { ticket, worktree: at('trees/A-1'), network: 'none' } }) as const;
    assert.ok(passed(await run('echo x > ~/cache; echo x > /tmp/socket', sandbox('A-1'))));
    assert.ok(passed(await run('cat ~/cache /tmp/socket', sandbox('A-1'))));
    assert.ok(passed(await run('[ ! -e ~/cache ] && [ ! -e /tmp/socket ]', sandbox('A-2'))));
  });

  it('reads the worktree from where it proves a commit, and does not write to it', async () => {
    const { at, run } = await makePlace();
    await writeFile(at('trees/A-1/tool'), 'tool');
    const place = {
      cwd: at('trees/.scratch/A-1'),
      sandbox: { ticket: 'A-1', worktree: at('trees/A-1'), network: 'none' },
    } as const;
    assert.ok(passed(await run(`cat '${at('trees/A-1/tool')}' && echo x > here`, place)));
    assert.ok(!passed(await run(`echo x > '${at('trees/A-1/tool')}'`, place)));
  });

  it('reads what a person approved as an input, also where a link leads to it', async () => {
    const { at, run } = await makePlace();
    await writeFile(at('repo/data.txt'), 'data');
    await writeFile(at('repo/other.txt'), 'other');
    const allowed = { variables: [], files: ['data.txt'] };
    assert.ok(passed(await run(`cat '${at('repo/data.txt')}'`, { allowed })));
    assert.ok(!passed(await run(`cat '${at('repo/other.txt')}'`, { allowed })));
  });

  it('asks a command to end before it is ended, and reports a timeout', async () => {
    const { at, run } = await makePlace();
    const stop = new AbortController();
    const running = run(
      `trap 'echo closed > closed.txt; exit' TERM; echo > ready.txt; while :; do sleep 0.05; done`,
      {
        signal: stop.signal,
      },
    );
    await until(() => existsSync(at('trees/A-1/ready.txt')), 'it runs');
    stop.abort();
    assert.equal((await running).exitCode, null);
    assert.equal(await readFile(at('trees/A-1/closed.txt'), 'utf8'), 'closed\n');
    assert.ok((await run('sleep 60', { timeoutMs: 300 })).timedOut);
  });

  it('has a loopback of its own without a network, and shares the one of the machine with services', async () => {
    const { at, run } = await makePlace();
    const sandbox = (network: 'none' | 'services') =>
      ({ sandbox: { ticket: 'A-1', worktree: at('trees/A-1'), network } }) as const;
    const stop = new AbortController();
    const script = `require('http').createServer((q, r) => r.end('hello')).listen(0, '127.0.0.1', function () { require('fs').writeFileSync('port', String(this.address().port)) })`;
    const serving = run(`'${process.execPath}' -e "${script}"`, {
      ...sandbox('services'),
      signal: stop.signal,
    });
    const ask = `'${process.execPath}' -e "fetch('http://127.0.0.1:' + require('fs').readFileSync('port', 'utf8')).then((r) => r.text()).then(console.log)"`;
    await until(() => existsSync(at('trees/A-1/port')), 'it listens');
    assert.equal((await run(ask, sandbox('services'))).head, 'hello\n');
    assert.ok(!passed(await run(ask, sandbox('none'))));
    stop.abort();
    await serving;
  });

  it('says which host a command did not reach, because there is no network', async () => {
    const { run } = await makePlace();
    const node = `'${process.execPath}' -e 'require("node:net").connect(5432, "127.0.0.1")'`;
    const seen = await run(node);
    assert.deepEqual([seen.exitCode, seen.unreachable], [1, ['localhost:5432']]);
    assert.equal((await run('exit 1')).unreachable, undefined);
  });

  it('throws what bubblewrap says if it fails before it starts the command', async () => {
    const { at, run } = await makePlace();
    const place = { sandbox: { ticket: 'A-1', worktree: at('trees/A-1'), network: 'none' } } as const;
    await mkdir(at('A-1.box'), { recursive: true });
    await writeFile(at('A-1.box/home'), 'a file where a folder has to be');
    await assert.rejects(run('true', place), { code: 'SANDBOX_FAILED' });
    const { program, args } = await (
      await findSandbox('auto', { commonDir: at('repo/.git') })
    ).wrap(
      { program: 'true', args: [], env: {} },
      {
        domain: 'commands',
        tree: at('trees/A-1'),
        treeAccess: 'rw',
        readWrite: [],
        readOnly: [],
        folder: at('box'),
        network: 'none',
      },
    );
    const broken: Sandbox = {
      kind: 'bubblewrap',
      // A folder of the system is in the way of the link.
      wrap: () =>
        Promise.resolve({
          program,
          args: args.flatMap((arg) => (arg === '--chdir' ? ['--symlink', 'a', '/proc', arg] : [arg])),
          env: {},
        }),
    };
    const policyFor = () => Promise.resolve({ domain: 'commands', network: 'none' } as SandboxPolicy);
    const shell = new Shell({ clock: systemClock, environment: {}, sandbox: broken, policyFor });
    await assert.rejects(shell.run('true', { cwd: at('trees/A-1'), timeoutMs: 20_000 }), {
      code: 'SANDBOX_FAILED',
      message: /did not start.*bwrap: Can't make symlink at \/proc/,
    });
  });

  it('is in the words of bubblewrap, and of nothing that a command prints', () => {
    assert.equal(
      sandboxProblem("bwrap: Can't make symlink at /x: existing file\n"),
      "bwrap: Can't make symlink at /x: existing file",
    );
    assert.equal(sandboxProblem('bwrap: a\nmore of a command'), undefined);
    assert.equal(sandboxProblem(''), undefined);
  });
});
