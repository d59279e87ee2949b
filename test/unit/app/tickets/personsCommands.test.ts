import assert from 'node:assert/strict';
import { PersonsCommands, type PersonsPorts } from '../../../../src/app/tickets/personsCommands.ts';
import type { Evidence } from '../../../../src/domain/core/evidence.ts';
import type { CommandRunner, ComparedFile } from '../../../../src/engine/ports/ports.ts';
import { testBead } from '../../../support/engine/executionWorld.ts';
import { FakeClient } from '../../../support/fakes/fakeClient.ts';
import { FakeClock } from '../../../support/fakes/fakeClock.ts';
import { type TicketChanges, ticketDetail } from '../../../support/fakes/ticketPlace.ts';
import { until } from '../../../support/until.ts';

const worktree = '/sample.worktrees/TST-1';
type RunOptions = Parameters<CommandRunner['run']>[1];

describe('the commands of a ticket that a person runs', () => {
  let client: FakeClient;
  let idle: boolean;
  let ran: { readonly command: string; readonly options: RunOptions }[];
  /** By its name, what differs from it. */
  let trees: string[];
  let differs: Readonly<Record<string, readonly string[]>>;
  let done: string[];
  let written: Map<string, string>;
  let answer: (options: RunOptions) => Promise<Partial<Evidence>>;
  let commands: PersonsCommands;

  beforeEach(() => {
    client = new FakeClient();
    become({});
    idle = true;
    ran = [];
    done = [];
    trees = ['before'];
    differs = {};
    written = new Map();
    answer = () => Promise.resolve({});
    client.beads = () =>
      Promise.resolve({
        beads: [
          testBead({ testCommands: ['npm test', 'npm test'] }),
          testBead({ id: 'gone', status: 'skipped', testCommands: ['true'] }),
        ],
        sha256: '',
      });
    const compared = (path: string): ComparedFile => ({
      path,
      oldPath: null,
      change: 'modified',
      binary: false,
    });
    const ports: PersonsPorts = {
      clock: new FakeClock(),
      process: {
        run: async (command, options) => {
          ran.push({ command, options });
          const seen = { command, cwd: options.cwd, exitCode: 0, signal: null, timedOut: false };
          return { ...seen, durationMs: 1, outputBytes: 0, head: '', tail: '', ...(await answer(options)) };
        },
      },
      files: { write: (folder, path, text) => Promise.resolve(void written.set(`${folder}/${path}`, text)) },
      workplace: { provide: () => Promise.resolve([]), reserve: () => Promise.resolve(undefined) },
      git: {
        head: () => Promise.resolve('head'),
        writeTree: () => Promise.resolve(trees.length > 1 ? trees.shift()! : trees[0]!),
        compare: (from, to) => Promise.resolve((differs[`${from} ${to}`] ?? []).map(compared)),
        keep: (_worktree, ref) => Promise.resolve(String(done.push(`keep ${ref}`))),
        restore: (_worktree, paths) => Promise.resolve(void done.push(`restore ${paths.join()}`)),
      },
    };
    commands = new PersonsCommands(client, ports);
  });

  function become(ticket: NonNullable<TicketChanges['ticket']>): void {
    client.ticket = () => Promise.resolve(ticketDetail({ ticket: { worktree, ...ticket }, idle }));
  }

  const run = (command = 'npm test', signal = new AbortController().signal) =>
    commands.run('TST-1', command, signal);

  it('are those of its beads that count, each once', async () => {
    assert.deepEqual(await commands.list('TST-1'), [
      { bead: { id: 'greet', title: testBead({}).title }, commands: ['npm test'] },
    ]);
  });

  it('run as the engine runs them: with its wrapper, written again, in the sandbox of the ticket', async () => {
    const result = await run();
    assert.deepEqual([result.kind, ran.map(({ command }) => command)], ['ran', ['npm test']]);
    const { cwd, wrapper, sandbox } = ran[0]!.options;
    assert.equal(cwd, worktree);
    assert.ok(wrapper !== undefined && written.has(wrapper));
    assert.deepEqual(sandbox, { ticket: 'TST-1', worktree, network: 'none' });
    assert.deepEqual([client.sent, done], [[], []], 'the ticket knows nothing of it');
  });

  it('run nothing else, nothing without a worktree, and nothing while the ticket is in work', async () => {
    assert.deepEqual(await run('rm -rf /'), { kind: 'refused', reason: 'unknown' });
    assert.deepEqual(await run('true'), { kind: 'refused', reason: 'unknown' });
    become({ worktree: null });
    assert.deepEqual(await run(), { kind: 'refused', reason: 'unknown' });
    idle = false;
    become({});
    assert.deepEqual(await run(), { kind: 'refused', reason: 'working' });
    assert.deepEqual(ran, []);
  });

  it('are prepared for a terminal, with the wrapper written again, and under the same rules', async () => {
    const wrapper = '.ticket/runtime/execution-setup/run';
    assert.deepEqual(await commands.prepare('TST-1', 'npm test'), {
      kind: 'ready',
      folder: worktree,
      command: `${wrapper} npm test`,
    });
    assert.ok(written.has(`${worktree}/${wrapper}`));
    assert.deepEqual(await commands.prepare('TST-1', 'rm -rf /'), { kind: 'refused', reason: 'unknown' });
    idle = false;
    become({});
    assert.deepEqual(await commands.prepare('TST-1', 'npm test'), { kind: 'refused', reason: 'working' });
    assert.deepEqual([ran, client.sent], [[], []]);
  });

  it('are stopped when the ticket continues, and what they left is no longer touched', async () => {
    trees = ['before', 'after'];
    differs = { 'before after': ['a.ts'] };
    answer = ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('ended')));
        idle = false;
        become({});
        client.change('TST-1');
      });
    assert.deepEqual(await run(), { kind: 'refused', reason: 'continued' });
    assert.deepEqual(done, []);
  });

  it('leave the files as they were, kept under a ref; what was uncommitted before is only named', async () => {
    trees = ['before', 'after'];
    differs = { 'head before': ['mine.ts'], 'before after': ['mine.ts', 'new.snap'] };
    const result = await run();
    assert.ok(result.kind === 'ran');
    assert.deepEqual([result.restored, result.changed], [['new.snap'], ['mine.ts']]);
    assert.deepEqual(done, ['keep refs/beadsmith/TST-1/worktree/commands', 'restore new.snap']);
  });

  it('end with the reason of a person who cancels, and put the files back', async () => {
    const aborting = new AbortController();
    trees = ['before', 'after'];
    differs = { 'before after': ['half.txt'] };
    answer = ({ signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('ended'))));
    const running = run('npm test', aborting.signal);
    await until(() => ran.length === 1, 'it runs');
    aborting.abort(new Error('enough'));
    await assert.rejects(running, /enough/);
    assert.deepEqual(done, ['keep refs/beadsmith/TST-1/worktree/commands', 'restore half.txt']);
  });
});
