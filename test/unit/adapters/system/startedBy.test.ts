import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { isBelowMarked, startedByAgent, startMarked } from '../../../../src/adapters/system/startedBy.ts';
import { until } from '../../../support/until.ts';

/** Its pid, and that of a child that left it in every way a child can. */
const leaving = `env -i setsid sh -c 'echo $$; exec sleep 60' &`;

describe('what agents start', () => {
  const children: ChildProcess[] = [];
  before(function () {
    if (process.platform === 'linux') return;
    console.log('skipped: processes are marked on Linux only');
    this.skip();
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  const start = (...how: readonly [string, readonly string[]]): ChildProcess => {
    const child = spawn(...how, { stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    return child;
  };

  it('is told from what a person starts', async () => {
    const own = start('sleep', ['60']);
    const marked = start(...startMarked('sleep', ['60']));
    await once(marked, 'spawn');
    assert.equal(startedByAgent(own.pid), false);
    await until(() => startedByAgent(marked.pid) === true, 'the mark is on it');
    assert.equal(startedByAgent(process.pid), false);
    assert.equal(startedByAgent(2 ** 30), undefined);
  });

  it('is known after it left its session, its parent and its environment', async () => {
    const shell = start(...startMarked('/bin/sh', ['-c', leaving]));
    let out = '';
    shell.stdout?.on('data', (text: Buffer) => (out += text.toString()));
    await once(shell, 'exit');
    await until(() => out.includes('\n'), 'the child runs');
    const pid = Number(out.split('\n')[0]);
    assert.ok(pid > 1, out);
    try {
      assert.equal(startedByAgent(pid), true);
    } finally {
      process.kill(pid, 'SIGKILL');
    }
  });

  it('gets its arguments as they were given', async () => {
    const echo = start(...startMarked('/bin/echo', ['a b', '$HOME', "it's", '']));
    let out = '';
    echo.stdout?.on('data', (text: Buffer) => (out += text.toString()));
    await once(echo, 'close');
    assert.equal(out, "a b $HOME it's \n");
  });

  it('counts descendants of the driver', async () => {
    const child = start('sleep', ['60']);
    await once(child, 'spawn');
    assert.equal(startedByAgent(child.pid, process.pid), true);
    assert.equal(startedByAgent(process.pid, process.pid), false);
  });
});

describe('a list of processes with their environments', () => {
  const list = [
    '    1     0 /sbin/launchd',
    '   20     1 /Applications/Terminal TERM=xterm',
    '   21    20 -zsh HOME=/Users/ada',
    '   30     1 opencode serve BEADSMITH_SERVER=7 HOME=/tmp/home',
    '   31    30 /bin/sh -c npm test PATH=/usr/bin',
    '   32    31 node main.ts restore state-1.db --yes',
    '   33     1 node main.ts NOT_BEADSMITH_SERVER=7',
    '   40    41 a PATH=/usr/bin',
    '   41    40 b PATH=/usr/bin',
  ].join('\n');

  it('shows an agent above a process that set its own environment aside', () => {
    assert.deepEqual(
      [32, 31, 30].map((pid) => isBelowMarked(list, pid)),
      [true, true, true],
    );
  });

  it('shows none above a person’s shell, a process that isn’t listed, and parents in a circle', () => {
    assert.deepEqual(
      [21, 33, 99, 40].map((pid) => isBelowMarked(list, pid)),
      [false, false, false, false],
    );
    assert.equal(isBelowMarked('', 21), false);
  });
});
