import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import { domainFor } from '../../../../../src/adapters/opencode/sandbox/domains.ts';
import {
  ServerPool,
  Servers,
  type ServersOptions,
} from '../../../../../src/adapters/opencode/server/servers.ts';
import { tempFolder } from '../../../../support/tempFolder.ts';

const tree = '/repo.worktrees/ABC-1';
const otherTree = '/repo.worktrees/ABC-2';

/** No server runs: requests are written down instead. */
describe('the pool of servers', () => {
  const state = tempFolder('pool');
  let stopped: { readonly servers: Servers; readonly keep: boolean }[];
  let living: Servers | undefined;
  let isIdle: boolean;
  beforeEach(() => {
    [stopped, living, isIdle] = [[], undefined, true];
    mock.method(Servers.prototype, 'stop', function (this: Servers, keep: boolean) {
      stopped.push({ servers: this, keep });
      return Promise.resolve();
    });
    mock.method(Servers.prototype, 'isLiving', function (this: Servers) {
      return Promise.resolve(this === living);
    });
    mock.getter(Servers.prototype, 'idle', () => isIdle);
  });
  afterEach(() => mock.restoreAll());
  after(() => state.remove());

  const pool = (more: Partial<ServersOptions> = {}) =>
    new ServerPool({
      stateDir: state.path,
      sandbox: { kind: 'bubblewrap' },
      ...more,
    } as unknown as ServersOptions);

  it('has one for each worktree and kind of work, and one for all plans', () => {
    const sandboxed = pool();
    const coding = sandboxed.for('default', tree);
    assert.equal(sandboxed.for('default', tree), coding);
    assert.notEqual(sandboxed.for('default', otherTree), coding);
    assert.notEqual(sandboxed.for('execution_setup_online', tree), coding);
    assert.equal(sandboxed.for('read_only', tree), sandboxed.for('disabled', otherTree));
  });

  for (const [what, options] of [
    ['no sandbox', { sandbox: undefined }],
    ['a sandbox that is none', { sandbox: { kind: 'none' } }],
    ['a server of the user', { url: { url: 'http://127.0.0.1:1' } }],
  ] as const)
    it(`has one for everything with ${what}, and stops it for nothing`, () => {
      const shared = pool(options as Partial<ServersOptions>);
      const one = shared.for('default', tree);
      assert.deepEqual([shared.for('read_only', otherTree) === one, shared.knowing(tree)], [true, [one]]);
      assert.deepEqual(stopped, []);
    });

  it('stops the server of a worktree once another one works on it', () => {
    const sandboxed = pool();
    const setup = sandboxed.for('execution_setup_online', tree);
    sandboxed.for('execution_setup_online', tree);
    assert.deepEqual(stopped, []);
    sandboxed.for('default', tree);
    assert.deepEqual(stopped, [{ servers: setup, keep: false }]);
  });

  it('keeps the servers of other worktrees, and the one of plans', () => {
    const sandboxed = pool();
    for (const policy of ['read_only', 'default'] as const) sandboxed.for(policy, otherTree);
    sandboxed.for('default', tree);
    assert.deepEqual(stopped, []);
  });

  it('stops the one that shows no worktree once any other is used, and no other one for it', async () => {
    const sandboxed = pool();
    const coding = sandboxed.for('default', tree);
    const bare = await sandboxed.any();
    assert.deepEqual(stopped, []);
    sandboxed.for('default', otherTree);
    assert.deepEqual(stopped, [{ servers: bare, keep: false }]);
    assert.notEqual(coding, bare);
  });

  it('stops none that is busy', () => {
    const sandboxed = pool();
    sandboxed.for('execution_setup_online', tree);
    isIdle = false;
    sandboxed.for('default', tree);
    assert.deepEqual(stopped, []);
  });

  it('lends the next one when another can’t be stopped', async () => {
    const sandboxed = pool();
    sandboxed.for('execution_setup_online', tree);
    const failing = mock.method(Servers.prototype, 'stop', () => Promise.reject(new Error('it lives')));
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    sandboxed.for('default', tree);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    assert.deepEqual([failing.mock.callCount(), unhandled], [1, []]);
  });

  it('notes the sessions of servers where this user alone sees them', async () => {
    await pool().note('default', tree, 'title');
    const folder = join(state.path, 'servers', `${domainFor('default', tree).name}.sessions`);
    assert.deepEqual([readdirSync(folder).length, statSync(folder).mode & 0o777], [1, 0o700]);
  });

  it('asks any that lives, or else the one that is needed next', async () => {
    const sandboxed = pool();
    const coding = sandboxed.for('default', tree);
    sandboxed.for('default', otherTree);
    living = coding;
    assert.equal(await sandboxed.any(), coding);
    assert.equal(await sandboxed.any(otherTree), coding);
    living = undefined;
    assert.equal(await sandboxed.any(tree), sandboxed.for('read_only', tree));
    const bare = await sandboxed.any();
    assert.equal(bare, sandboxed.of({ directory: tree }, 'nobody knows it'));
    assert.notEqual(bare, sandboxed.for('read_only', tree));
  });

  it('knows who may know a worktree, in the order of its work', async () => {
    const sandboxed = pool();
    const bare = await sandboxed.any();
    const planning = sandboxed.for('read_only', tree);
    const coding = sandboxed.for('default', tree);
    sandboxed.for('default', otherTree);
    assert.deepEqual(sandboxed.knowing(tree), [coding, planning, bare]);
  });

  it('leaves a worktree by stopping what shows it alone', async () => {
    const sandboxed = pool();
    const coding = sandboxed.for('default', tree);
    sandboxed.for('read_only', tree);
    sandboxed.for('default', otherTree);
    await sandboxed.leave(tree);
    assert.deepEqual(stopped, [{ servers: coding, keep: false }]);
  });

  it('stops them all, or releases them all', async () => {
    const sandboxed = pool();
    const all = [sandboxed.for('read_only', tree), sandboxed.for('default', tree)];
    for (const keep of [true, false]) {
      await sandboxed.stop(keep);
      assert.deepEqual(
        stopped.splice(0),
        all.map((servers) => ({ servers, keep })),
      );
    }
  });
});

describe('the domain of a worktree', () => {
  it('has a name that is a file name of any system, and short', () => {
    const { name } = domainFor('default', `/repo.worktrees/Ünïcode & spaces.${'x'.repeat(100)}`);
    assert.match(name, /^coding-_n_code___spaces_x{23}-[0-9a-f]{8}$/);
  });

  it('differs between folders of one name, and the one of plans is named after the folder of all worktrees', () => {
    assert.notEqual(
      domainFor('execution_setup_online', '/a/ABC-1').name,
      domainFor('execution_setup_online', '/b/ABC-1').name,
    );
    assert.match(domainFor('read_only', tree).name, /^planning-repo_worktrees-/);
    assert.equal(domainFor('read_only', tree).name, domainFor('disabled', otherTree).name);
  });
});
