import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { domainFor, domainsOf } from '../../../../src/adapters/opencode/sandbox/domains.ts';
import { ServerPool, type ServersOptions } from '../../../../src/adapters/opencode/server/servers.ts';
import { endUnusedServers } from '../../../../src/adapters/opencode/server/endServer.ts';
import {
  removeSessionFolders,
  sessionFolders,
} from '../../../../src/adapters/opencode/server/ownSessions.ts';
import {
  serverDomains,
  ServerFiles,
  type ServerRecord,
} from '../../../../src/adapters/opencode/server/serverFiles.ts';
import { identityOf, ownIdentity } from '../../../../src/adapters/system/processes.ts';
import { folderForEach } from '../../../support/tempFolder.ts';
import { until } from '../../../support/until.ts';

const tree = '/repo.worktrees/ABC-1';

describe('the servers of a repository', () => {
  const state = folderForEach('servers');

  /** The record of a server that has ended, unless one is given. */
  async function record(domain: string, server?: ServerRecord['server']): Promise<ServerFiles> {
    const gone = { ...(await ownIdentity()), started: '1' };
    const files = new ServerFiles(state.path, domain);
    await files.write({
      schema: 2,
      url: 'http://127.0.0.1:1',
      password: 'p'.repeat(32),
      version: '1',
      configHash: 'h',
      nonce: `nonce-${domain}-${String(process.pid)}`,
      guard: gone,
      server: server ?? gone,
      startedAt: 0,
      recycle: false,
    });
    return files;
  }

  it('show a worktree to those who work on it, and all of them, read-only, to those who plan', () => {
    const kinds = (['default', 'execution_setup_online', 'read_only', 'disabled'] as const).map((policy) =>
      domainFor(policy, tree),
    );
    assert.deepEqual(
      kinds.map(({ kind, tree: shown }) => [kind, shown]),
      [
        ['coding', tree],
        ['setup', tree],
        ['planning', '/repo.worktrees'],
        ['planning', '/repo.worktrees'],
      ],
    );
    assert.match(kinds[0]?.name ?? '', /^coding-ABC-1-[0-9a-f]{8}$/);
    assert.notEqual(domainFor('default', '/other.worktrees/ABC-1').name, kinds[0]?.name);
    assert.deepEqual(
      domainsOf(tree).map(({ name }) => name.split('-')[0]),
      ['coding', 'setup', 'planning', 'main'],
    );
  });

  it('know which session is on which of them, also in the next process', async () => {
    const options = { stateDir: state.path, sandbox: { kind: 'bubblewrap' } } as unknown as ServersOptions;
    const pool = new ServerPool(options);
    await pool.note('default', tree, 'title-1');
    await pool.noteId(tree, 'title-1', 'ses_1');
    await pool.note('read_only', tree, 'title-2');
    await pool.noteId(tree, 'nobody', 'ses_9');
    for (const one of [pool, new ServerPool(options)]) {
      for (const name of ['title-1', 'ses_1']) {
        assert.equal(one.isOwn({ directory: tree }, name), true, name);
        assert.equal(one.of({ directory: tree }, name), one.for('default', tree));
      }
      for (const name of ['title-2', 'ses_9'])
        assert.equal(one.isOwn({ directory: tree }, name), false, name);
      assert.equal(one.of({ directory: tree }, 'title-2'), one.for('read_only', tree));
      assert.notEqual(one.for('default', tree), one.for('read_only', tree));
    }
    assert.equal(pool.knowing(tree).length, 2);
    assert.deepEqual(new ServerPool(options).knowing(tree), []);
  });

  it('are one for everything where there is no sandbox', async () => {
    const pool = new ServerPool({
      stateDir: state.path,
      sandbox: { kind: 'none' },
    } as unknown as ServersOptions);
    await pool.note('default', tree, 'title-1');
    assert.equal(pool.for('default', tree), pool.for('read_only', '/another/ABC-2'));
    assert.deepEqual(
      [pool.isOwn({ directory: tree }, 'title-1'), existsSync(join(state.path, 'servers'))],
      [false, false],
    );
  });

  it('leave nothing of a ticket, unless a process uses one of them', async () => {
    const folders = sessionFolders(state.path, tree);
    assert.equal(folders.length, 2);
    for (const folder of folders) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'session'), 'x');
    }
    const files = await record(domainFor('default', tree).name);
    await files.own();
    assert.equal(await removeSessionFolders(state.path, tree), false);
    assert.deepEqual(
      folders.map((folder) => existsSync(folder)),
      [true, true],
    );
    await files.disown();
    await record(domainFor('default', tree).name, await ownIdentity());
    assert.equal(await removeSessionFolders(state.path, tree), false);
    await record(domainFor('default', tree).name);
    assert.equal(await removeSessionFolders(state.path, tree), true);
    assert.deepEqual(
      [folders.map((folder) => existsSync(folder)), await serverDomains(state.path)],
      [[false, false], []],
    );
  });

  it('are ended before their time when nobody uses any, with what they started', async function () {
    if (process.platform !== 'linux') {
      console.log('skipped: processes are found by their environment on Linux only');
      this.skip();
    }
    const child = spawn('sleep', ['600'], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    try {
      const server = await until(async () => identityOf(child.pid ?? 0), 'it runs');
      const used = await record('main', server);
      const other = await record('other');
      await other.own();
      assert.equal(await endUnusedServers(state.path), false);
      assert.deepEqual(
        [child.signalCode, (await used.read())?.nonce],
        [null, `nonce-main-${String(process.pid)}`],
      );
      await other.disown();
      assert.equal(await endUnusedServers(state.path), true);
      await ended;
      assert.deepEqual(await serverDomains(state.path), []);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
