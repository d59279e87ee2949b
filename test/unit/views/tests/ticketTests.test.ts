import assert from 'node:assert/strict';
import type { Evidence } from '../../../../src/domain/core/evidence.ts';
import type { CommandGroup, CommandRun, TicketCommands } from '../../../../src/protocol/ticketCommands.ts';
import { TicketTests } from '../../../../src/views/tests/ticketTests.ts';
import { Board } from '../../../../src/views/tickets/board.ts';
import { FakeClient, ticketView } from '../../../support/fakes/fakeClient.ts';
import {
  debug,
  editor,
  person,
  testController,
  type TestItem,
  TestRunRequest,
  tests,
} from '../../../support/fakes/fakeEditor.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';
import { ticketDetail } from '../../../support/fakes/ticketPlace.ts';
import { until } from '../../../support/until.ts';
import { sampleArtifact } from '../../../support/samples.ts';

const seen = (command: string, over: Partial<Evidence> = {}): Evidence => ({
  command,
  cwd: '/sample.worktrees/TST-1',
  exitCode: 0,
  signal: null,
  timedOut: false,
  durationMs: 5,
  outputBytes: 3,
  head: 'ok\n',
  tail: 'ok\n',
  ...over,
});

describe('tickets in the Test Explorer', () => {
  let client: FakeClient;
  let repositories: FakeRepositories;
  let board: Board;
  let explorer: TicketTests;
  let groups: readonly CommandGroup[];
  let lists: number;
  let ran: string[];
  let idle: boolean;
  let run: TicketCommands['run'];
  const errors: unknown[] = [];

  beforeEach(() => {
    debug.reset();
    idle = true;
    client = new FakeClient();
    client.ticket = () => Promise.resolve(ticketDetail({ idle }));
    client.views = [ticketView({ title: 'Greet people', status: 'WAITING_PR_REVIEW' })];
    groups = [
      { bead: null, commands: ['npm test', 'npm run lint'] },
      { bead: { id: 'greet', title: 'Greet them' }, commands: ['npm test -- greet'] },
    ];
    [lists, ran, errors.length] = [0, [], 0];
    run = (_ticket, command) =>
      Promise.resolve({ kind: 'ran', evidence: seen(command), restored: [], changed: [] });
    repositories = new FakeRepositories();
    board = new Board(repositories);
    const logError = (_what: string, error: unknown): void => void errors.push(error);
    explorer = new TicketTests({ board, repositories, logError }, tests.createTestController() as never, 1);
  });
  afterEach(() => {
    explorer.dispose();
    board.dispose();
    assert.deepEqual(errors, []);
  });

  async function open(): Promise<TestItem> {
    const commands: TicketCommands = {
      list: () => {
        lists += 1;
        return Promise.resolve(groups);
      },
      run: (ticket, command, signal) => {
        ran.push(`${ticket}: ${command}`);
        return run(ticket, command, signal);
      },
      prepare: (_ticket, command) =>
        Promise.resolve(
          idle
            ? { kind: 'ready', folder: '/sample.worktrees/TST-1', command: `run ${command}` }
            : { kind: 'refused', reason: 'working' },
        ),
    };
    repositories.over = { commands };
    repositories.show(client);
    await board.refresh();
    const [ticket] = testController.items.all;
    assert.ok(ticket);
    return ticket;
  }

  const below = (item: TestItem): unknown =>
    item.children.all.map(({ label, children }) => [label, children.all.map((one) => one.label)]);
  const told = (): readonly string[] => testController.runs.at(-1)?.told ?? [];

  it('are there when a worktree has something to run, and read when a person unfolds them', async () => {
    client.views = [
      ...client.views,
      ticketView({ id: 'TST-2' }),
      ticketView({ id: 'TST-3', status: 'COMPLETED' }),
    ];
    const ticket = await open();
    assert.deepEqual(
      testController.items.all.map(({ label }) => label),
      ['TST-1 Greet people'],
    );
    assert.deepEqual([ticket.canResolveChildren, lists], [true, 0]);
    await testController.resolveHandler?.(ticket);
    assert.deepEqual(below(ticket), [
      ['Project Checks', ['npm test', 'npm run lint']],
      ['Greet them', ['npm test -- greet']],
    ]);
    groups = groups.slice(1);
    client.change('TST-1');
    await until(() => ticket.children.all.length === 1, 'the plan is read again');
    client.views = [ticketView({ title: 'Greet people', status: 'COMPLETED' })];
    client.change('TST-1');
    await until(() => testController.items.all.length === 0, 'the ticket is over');
  });

  it('open the repositories when the view is shown first', async () => {
    await testController.resolveHandler?.(undefined);
    assert.equal(repositories.opened.length, 1);
  });

  it('show what the engine saw, once, without taking the focus', async () => {
    const info = sampleArtifact({ id: 7, type: 'bead_execution:greet' });
    client.artifacts = () => Promise.resolve([info]);
    const failed = seen('npm test', { exitCode: 1, tail: '\u001B[31mno\u001B[0m\n', outputBytes: 900 });
    const checkpoint = {
      beadId: 'greet',
      iteration: 1,
      startedAt: '',
      updatedAt: '',
      beadStartCommit: 'a'.repeat(40),
    };
    client.documents.set(
      'bead_execution:greet',
      JSON.stringify({
        schema_version: 1,
        checkpoint,
        outcome: 'rejected',
        marker: null,
        devRecord: null,
        evidence: [seen('npm test -- greet'), failed, seen('npm ci', { bootstrap: true })],
        tree: null,
        reason: '',
      }),
    );
    const ticket = await open();
    await testController.resolveHandler?.(ticket);
    await testController.resolveHandler?.(ticket);
    assert.equal(testController.runs.length, 1);
    const [shown] = testController.runs;
    assert.deepEqual(shown?.told, [
      'started npm test -- greet',
      'passed npm test -- greet 5',
      'started npm test',
      'failed npm test 5: The command exited with 1.',
    ]);
    assert.equal(shown.output, 'ok\r\n[…]\r\nno\r\n');
    assert.deepEqual([shown.request.preserveFocus, shown.persist, shown.isEnded], [true, false, true]);
    assert.deepEqual(ran, [], 'nothing runs because it is shown');
  });

  it('run one command, a group or the whole ticket in its worktree, and say what that is not', async () => {
    const ticket = await open();
    await testController.resolveHandler?.(ticket);
    const [project, greet] = ticket.children.all;
    assert.ok(project && greet);
    await testController.run(new TestRunRequest([greet.children.all[0]!]));
    assert.deepEqual(ran, ['TST-1: npm test -- greet']);
    assert.deepEqual(told(), ['started npm test -- greet', 'passed npm test -- greet 5']);
    assert.match(testController.runs[0]?.output ?? '', /no evidence and changes nothing in TST-1[^]*ok\r\n$/);
    await testController.run(new TestRunRequest([project], [project.children.all[0]!]));
    await testController.run(new TestRunRequest([ticket]));
    assert.deepEqual(ran.slice(1), [
      'TST-1: npm run lint',
      'TST-1: npm test',
      'TST-1: npm run lint',
      'TST-1: npm test -- greet',
    ]);
    assert.equal(testController.isDefault, false, 'all tests of the window are not the ticket’s');
  });

  it('read a folded ticket before they run it', async () => {
    const ticket = await open();
    await testController.run(new TestRunRequest([ticket]));
    assert.equal(ran.length, 3);
  });

  it('say why nothing ran, and which files a command changed', async () => {
    const ticket = await open();
    const results: CommandRun[] = [
      { kind: 'refused', reason: 'working' },
      { kind: 'refused', reason: 'continued' },
      { kind: 'ran', evidence: seen('x', { exitCode: 2 }), restored: ['a.snap'], changed: ['b.ts'] },
    ];
    run = () => Promise.resolve(results.shift()!);
    await testController.run(new TestRunRequest([ticket]));
    assert.deepEqual(
      told().filter((line) => !line.startsWith('started')),
      [
        'errored npm test: TST-1 is in work, and the command would disturb it. Pause the ticket, or wait until it needs you.',
        'errored npm run lint: TST-1 continued, so the command was stopped.',
        'failed npm test -- greet 5: The command exited with 2.',
      ],
    );
    assert.match(testController.runs[0]?.output ?? '', /put back: a\.snap[^]*uncommitted changes: b\.ts/);
  });

  it('stop when the person cancels, and run nothing after that', async () => {
    const ticket = await open();
    run = (_ticket, _command, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        testController.runs[0]?.cancel();
      });
    await testController.run(new TestRunRequest([ticket]));
    assert.equal(ran.length, 1);
    assert.deepEqual(told(), [
      'started npm test',
      'skipped npm test',
      'skipped npm run lint',
      'skipped npm test -- greet',
    ]);
    assert.equal(testController.runs[0]?.isEnded, true);
  });

  describe('debugged', () => {
    /** Below the ticket; the first command of its project. */
    async function debugged(): Promise<{ readonly end: Promise<void>; readonly item: TestItem }> {
      const ticket = await open();
      await testController.resolveHandler?.(ticket);
      const item = ticket.children.all[0]!.children.all[0]!;
      return { end: testController.debug(new TestRunRequest([item])), item };
    }
    const terminal = () => until(() => debug.terminals.length === 1, 'the terminal is open');

    it('is offered for what runs in Node, and for no other text of a shell', async () => {
      const node = ['npm test', 'npx mocha "a b.js"', 'node --test', './node_modules/.bin/jest -t x'];
      const others = [
        'cargo test',
        'npm test; rm -rf .',
        'npm test && make',
        'npm run ${command:x}',
        'node `x`',
        'npmx test',
        'CI=1 npm test',
        'npm test\nmake',
      ];
      groups = [{ bead: null, commands: [...node, ...others] }];
      const ticket = await open();
      await testController.resolveHandler?.(ticket);
      const offered = ticket.children.all
        .flatMap(({ children }) => children.all)
        .filter(({ tags }) => tags.some(({ id }) => id === testController.debugTag))
        .map(({ label }) => label);
      assert.deepEqual(offered, node);
    });

    it('runs in a debug terminal in the worktree, after a question about the sandbox, and is no result', async () => {
      editor.will(person.presses(0));
      const { end } = await debugged();
      await terminal();
      const { type, request, command, cwd, name } = debug.terminals[0]?.configuration ?? {};
      assert.deepEqual(
        { type, request, command, cwd, name },
        {
          type: 'node-terminal',
          request: 'launch',
          command: 'run npm test',
          cwd: '/sample.worktrees/TST-1',
          name: 'TST-1: npm test',
        },
      );
      assert.match(editor.shown[0]?.detail ?? '', /npm test[^]*outside of the sandbox/);
      const [npm, script] = [debug.starts('npm'), debug.starts('script')];
      debug.ends(script);
      const [shown] = testController.runs;
      assert.equal(shown?.isEnded, false, 'npm still runs');
      debug.ends(npm);
      await end;
      assert.deepEqual(told(), ['started npm test']);
      assert.deepEqual([shown.isEnded, debug.stopped, ran], [true, [], []]);
      assert.match(shown.output, /no evidence/);
    });

    it('asks once for a ticket', async () => {
      editor.will(person.presses(0));
      const { end, item } = await debugged();
      await terminal();
      debug.ends(debug.terminals[0]!);
      await end;
      const again = testController.debug(new TestRunRequest([item]));
      await until(() => debug.terminals.length === 2, 'it is debugged again');
      debug.ends(debug.terminals[1]!);
      await again;
      assert.equal(editor.shown.length, 1);
    });

    it('starts nothing when the person says no, or the ticket is in work', async () => {
      editor.will('leave');
      await (
        await debugged()
      ).end;
      assert.deepEqual(told(), ['started npm test', 'skipped npm test']);
      idle = false;
      editor.will(person.presses(0));
      const item = testController.items.all[0]!.children.all[0]!.children.all[0]!;
      await testController.debug(new TestRunRequest([item]));
      assert.match(told()[1] ?? '', /errored npm test: TST-1 is in work/);
      assert.deepEqual(debug.terminals, []);
    });

    it('leaves out other commands of a row, and says why', async () => {
      groups = [{ bead: null, commands: ['npm test; make'] }];
      await testController.debug(new TestRunRequest([await open()]));
      assert.match(told()[1] ?? '', /errored npm test; make: Only a single call of Node/);
      assert.deepEqual(debug.terminals, []);
    });

    it('is stopped when the ticket continues, and when the person cancels', async () => {
      editor.will(person.presses(0));
      const { end, item } = await debugged();
      await terminal();
      idle = false;
      client.change('TST-1');
      await end;
      assert.deepEqual(told(), [
        'started npm test',
        'errored npm test: TST-1 continued, so the command was stopped.',
      ]);
      idle = true;
      const again = testController.debug(new TestRunRequest([item]));
      await until(() => debug.terminals.length === 2, 'it is debugged again');
      testController.runs.at(-1)?.cancel();
      await again;
      assert.deepEqual(told(), ['started npm test', 'skipped npm test']);
      assert.deepEqual(debug.stopped, debug.terminals);
    });

    it('says when VS Code’s debugger is not there', async () => {
      debug.isThere = false;
      await (
        await debugged()
      ).end;
      assert.match(told()[1] ?? '', /errored npm test: .*JavaScript debugger/);
      assert.deepEqual([editor.shown, debug.terminals], [[], []]);
    });
  });

  it('are not there in Restricted Mode', async () => {
    repositories.trusted = false;
    await assert.rejects(open());
    assert.deepEqual(testController.items.all, []);
  });
});
