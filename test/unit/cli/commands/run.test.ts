import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitCodes } from '../../../../src/cli/base/exitCodes.ts';
import type { InboxBody } from '../../../../src/domain/ticket/inbox.ts';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';
import { agentOf, FakeApp, gitOf, promptsOf } from '../../../support/fakes/fakeApp.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';
import { tempFolders, tempRepositories } from '../../../support/git/tempRepository.ts';
import {
  BeadsmithError,
  type ErrorRecord,
  errorRecord,
  fromRecord,
} from '../../../../src/domain/core/errors.ts';
import type { Change, JournalEntry } from '../../../../src/engine/ports/storePort.ts';
import { completeSettings } from '../../../../src/domain/settings/settings.ts';
import { tempStore } from '../../../support/engine/tempStore.ts';
import { call, runOpened } from '../../../support/storeContract/samples.ts';
import { sampleArtifact } from '../../../support/samples.ts';

type Behind = ConstructorParameters<typeof FakeApp>[1];

function draft(behind: Behind = {}): CommandBench {
  const ticket = { status: 'DRAFT', settings: null, limits: null, startedAt: null } as const;
  return new CommandBench({}, { app: new FakeApp({ ticket, actions: ['start', 'cancel'] }, behind) });
}

function started({ sent }: CommandBench): InboxBody<'start'> {
  const [[kind, body] = []] = sent;
  assert.equal(kind, 'start');
  return body as InboxBody<'start'>;
}

describe('create', () => {
  it('files a ticket, suggests a depth, and says how to start it', async () => {
    const bench = draft();
    const { exit, out } = await bench.run('create --priority 1 --key k --prefix ABC --title', 'Fix a typo');
    assert.equal(exit, exitCodes.done);
    assert.match(
      out,
      /^TST-1 Fix a typo\nSuggested depth: quick\. .*\nStart it with: beadsmith start TST-1 --model PROVIDER\/MODEL\n$/,
    );
    assert.deepEqual(bench.created, [{ title: 'Fix a typo', description: '', priority: 1, key: 'k' }]);
    assert.deepEqual([bench.opened[0]?.settings, bench.opened[0]?.drive], [{ ticketPrefix: 'ABC' }, false]);
    const { events } = await draft().json('create --title Wave');
    assert.deepEqual(events, [
      { type: 'created', ticket: 'TST-1', title: 'Wave', status: 'DRAFT' },
      { type: 'end', exit: 0, ticket: 'TST-1', status: 'DRAFT' },
    ]);
  });

  it('takes the first line of the description as the title', async () => {
    const bench = draft();
    bench.input = '\n## Greet people\n\nBy name.\n';
    await bench.run('create --description-file -');
    assert.deepEqual(bench.created, [{ title: 'Greet people', description: bench.input, priority: 3 }]);
  });

  it('takes words that look like options, paths or commands as text', async () => {
    for (const text of ['--upload-pack=x', '../../x', '$(touch pwned)']) {
      const bench = draft();
      assert.equal((await bench.run('create', `--title=${text}`, `--description=${text}`)).exit, 0);
      assert.deepEqual(bench.created, [{ title: text, description: text, priority: 3 }]);
    }
  });

  itRefuses([
    [
      'create',
      2,
      /A ticket requires --title TEXT, or a description whose first line can be used as the title\./,
    ],
    [
      'create --description x --description-file -',
      2,
      /Use either --description or --description-file, not both\./,
    ],
    ['create --title x --priority high', 2, /--priority takes a whole number, not "high"\./],
    [
      'create --title x --prefix a',
      2,
      /--prefix takes 2 to 5 capital letters or digits, starting with a letter\./,
    ],
    ['create --title x --description-file missing.md', 2, /missing\.md can't be used: no such file/],
    ['create --title', 2, /--title/],
  ]);

  const makeFolder = tempFolders();
  it('refuses a description that is no text', async () => {
    const bench = draft();
    bench.cwd = await makeFolder();
    await writeFile(join(bench.cwd, 'binary.md'), Buffer.from([0xff, 0xfe, 0x00]));
    const { exit, err } = await bench.run('create --title x --description-file binary.md');
    assert.match(err, /binary\.md can't be used: it is not UTF-8 text/);
    assert.deepEqual([exit, bench.created], [2, []]);
  });
});

describe('start', () => {
  it('freezes the settings of the options, and runs the ticket to its first stop', async () => {
    const bench = draft();
    const { exit, all, end } = await bench.json(
      'start TST-1 --model a/b --council c/d --qa --iterations 7 --base main',
    );
    const { settings, limits, baseBranch, loop, handoff } = started(bench);
    assert.deepEqual(
      [
        settings.mainImplementer,
        settings.councilMembers,
        settings.depth,
        settings.manualQaEnabled,
        limits.maxIterations,
        baseBranch,
        loop,
        handoff,
      ],
      ['a/b', ['c/d'], 'full', true, 7, 'main', undefined, undefined],
    );
    assert.equal(settings.agentQuestions, 'deny', 'nobody is there to answer an agent');
    assert.deepEqual(bench.app.started, [['TST-1']]);
    const notes = all('note').map(({ message }) => message);
    assert.match(notes[0] ?? '', /^Planned at depth full: .*no finished tickets here yet\)\.$/);
    assert.match(notes[1] ?? '', /^Review of each bead adds /);
    assert.equal(notes[2], `The ticket starts from main (${'a'.repeat(12)}).`);
    assert.deepEqual(
      all('posted').map(({ action }) => action),
      ['start'],
    );
    assert.deepEqual(
      all('outcome').map(({ state }) => state),
      ['consumed'],
    );
    assert.deepEqual([exit, end?.exit, end?.status], [exitCodes.gate, exitCodes.gate, 'DRAFT']);
  });

  it('queues it with --no-wait', async () => {
    const bench = draft();
    const { exit, types } = await bench.json('start TST-1 --model a/b --depth quick --no-wait');
    assert.deepEqual([exit, types.at(-1), bench.app.started], [0, 'end', []]);
    assert.equal(started(bench).settings.depth, 'quick');
  });

  it('is bad input when the start was refused', async () => {
    const bench = draft();
    bench.app.client.becomes = { state: 'refused', code: 'ACTION_NOT_ALLOWED', message: 'It was started.' };
    assert.equal((await bench.run('start TST-1 --model a/b')).exit, exitCodes.usage);
  });

  it('says what the checkout holds that the ticket does not see', async () => {
    for (const [dirty, said] of [
      [1, 'Your checkout has 1 uncommitted change. They stay as they are'],
      [2, 'Your checkout has 2 uncommitted changes. They stay as they are'],
    ] as const) {
      const bench = draft();
      Object.assign(bench.app.repository, { dirty });
      assert.ok((await bench.run('start TST-1 --model a/b --no-wait')).out.includes(said));
    }
  });

  it('says how the base differs from the one of origin', async () => {
    const git = gitOf({ bases: { main: { ahead: 1 }, next: { side: 'origin', branch: 'next', behind: 2 } } });
    const main = await draft({ ports: { git } }).run('start TST-1 --model a/b --no-wait');
    assert.match(
      main.out,
      /starts from main .* main is 1 ahead of origin\/main and 0 behind it\. To start from origin\/main instead, use --base origin\/main\./,
    );
    const next = await draft({ ports: { git } }).run('start TST-1 --model a/b --no-wait --base next');
    assert.match(
      next.out,
      /starts from origin\/next .* next is 0 ahead of origin\/next and 2 behind it\. To start from next instead, use --base next\./,
    );
  });

  it('takes the handoff that is named, if that ticket has left one', async () => {
    const bench = draft();
    const { client } = bench.app;
    const patterns = [{ text: 'Names come first.', evidence: ['src/greet.ts'] }];
    const left = { schema_version: 1, ticket_id: 'TST-7', artifact: 'handoff_report', patterns };
    client.artifact = (ticket, type) => {
      const info = sampleArtifact({ ticket, type, status: 'COMPLETED' });
      return Promise.resolve(
        ticket === 'TST-7' && type === 'handoff_report' ? { info, content: JSON.stringify(left) } : undefined,
      );
    };
    const refused = await bench.run('start TST-1 --model a/b --no-wait --handoff TST-7');
    assert.match(refused.err, /TST-7 is no completed ticket that has left one; no ticket has left one/);
    assert.equal(refused.exit, exitCodes.usage);
    client.tickets = () => Promise.resolve([ticketView({ id: 'TST-7', status: 'COMPLETED' })]);
    const { ticket } = client;
    client.ticket = () => ticket('TST-1');
    const words = ['TST-7', 'tst-7', 'latest', 'none'];
    for (const word of words)
      assert.equal((await bench.run(`start TST-1 --model a/b --no-wait --handoff ${word}`)).exit, 0, word);
    assert.deepEqual(
      bench.sent.map(([, body]) => (body as InboxBody<'start'>).handoff),
      ['TST-7', 'TST-7', 'latest', undefined],
    );
    assert.match(
      (await bench.run('start TST-1 --model a/b --handoff TST-8')).err,
      /there are handoffs of TST-7/,
    );
  });

  itRefuses(
    [
      [
        'start TST-1',
        2,
        /A ticket needs --model PROVIDER\/MODEL to start\. "beadsmith doctor" lists the models\./,
      ],
      ['start TST-1 --model nothing', 2, /A setting can't be used: .*provider\/model/is],
      ['start TST-1 --model a/b --depth deep', 2, /--depth is one of full, solo, quick, not "deep"\./],
      ['start TST-1 --model a/b --handoff yesterday', 2, /"yesterday" is not a valid ticket ID/],
      ['start TST-1 --model a/b --base nope', 2, /The branch "nope" doesn't exist\..*\n.*main/],
      ['start TST-1 --model a/b --base=--upload-pack=x', 2, /The branch "--upload-pack=x" doesn't exist\./],
      ['start TST-1 --model a/b --coding-tickets 99', 2, /--coding-tickets takes a number from 1 to 20\./],
      [
        'start TST-1 --model a/b --opencode-config x --opencode-url http://x',
        2,
        /Use either --opencode-config or --opencode-url, not both\./,
      ],
      [
        'start TST-1 --model a/b --opencode-url ftp://x',
        2,
        /--opencode-url takes an http or https address without a login in it\./,
      ],
      ['start TST-1 --model a/b --opencode-url http://me:secret@x', 2, /--opencode-url takes/],
      ['start TST-1 --model a/b --opencode-url http://me@x', 2, /--opencode-url takes/],
      ['start TST-1 --model a/b --opencode-config missing.json', 2, /missing\.json can't be used/],
      ['start TST-9 --model a/b', 2, /The ticket TST-9 doesn't exist\./],
      ['start --model a/b', 2, /An argument is missing/],
    ],
    draft,
  );
  const model = 'start TST-1 --model a/b';
  itRefuses([[model, 2, /The repository has no commits yet\./]], () =>
    draft({ ports: { git: gitOf({ hasCommits: false }) } }),
  );
  itRefuses([[model, 2, /detached HEAD.*\n.*main, next.*--base/]], () =>
    draft({ ports: { git: gitOf({ current: null, bases: { main: {}, next: {} } }) } }),
  );
  itRefuses(
    [[model, 2, /"main" is behind "origin\/main" \(commits: 2\).*\n.*"main" or "origin\/main".*--base/]],
    () => draft({ ports: { git: gitOf({ bases: { main: { behind: 2 } } }) } }),
  );
  const own = { name: 'coding', path: '/own/coding.md', sha256: '', problem: 'it has no front matter' };
  itRefuses([[model, 1, /Your own prompt \/own\/coding\.md can't be used: it has no front matter/]], () =>
    draft({ ports: { prompts: promptsOf([own]) } }),
  );

  it('asks OpenCode for its models where it drives, and names them', async () => {
    const known = () => draft({ drives: true, ports: { agent: agentOf('a/b', 'c/d') } });
    assert.equal((await known().run('start TST-1 --model a/b --no-wait')).exit, 0);
    for (const words of ['--model x/y', '--model a/b --council x/y']) {
      const bench = known();
      const { exit, err } = await bench.run(`start TST-1 ${words}`);
      assert.match(err, /x\/y[^]*a\/b, c\/d/, words);
      assert.deepEqual([exit, bench.sent], [exitCodes.usage, []]);
    }
    assert.match(
      (await known().run('start TST-1')).err,
      /needs --model PROVIDER\/MODEL to start\. OpenCode offers: a\/b, c\/d/,
    );
    const many = agentOf(...Array.from({ length: 32 }, (_, at) => `a/${String(at)}`));
    assert.match(
      (await draft({ drives: true, ports: { agent: many } }).run('start TST-1 --model x/y')).err,
      /a\/29 and 2 more/,
    );
    assert.match(
      (await draft({ drives: true, ports: { agent: agentOf() } }).run('start TST-1 --model x/y')).err,
      /none; sign in with "opencode auth login"/,
    );
  });

  it('gives the app what the options say of OpenCode and the sandbox', async () => {
    const bench = draft();
    bench.env = { ...bench.env, OPENCODE_SERVER_PASSWORD: 'secret' };
    const url =
      '--opencode-url http://127.0.0.1:4096 --coding-tickets 2 --sandbox off --sandbox-host npm.example --prompts own';
    await bench.run(`start TST-1 --model a/b --no-wait --take-over --adopt ${url}`);
    const [options] = bench.opened;
    assert.ok(options);
    assert.deepEqual(options.opencode, { url: 'http://127.0.0.1:4096/', password: 'secret', config: {} });
    assert.deepEqual(
      [
        options.settings,
        options.sandbox,
        options.sandboxHosts,
        options.promptFolder,
        options.drive,
        options.takeOver,
        options.adopt,
      ],
      [{ codingTickets: 2 }, 'off', ['npm.example'], '/sample/own', true, true, true],
    );
    const file = draft();
    file.input = '{"provider":{}}';
    await file.run('start TST-1 --model a/b --no-wait --opencode bin/opencode --opencode-config -');
    assert.deepEqual(file.opened[0]?.opencode, { binary: '/sample/bin/opencode', config: { provider: {} } });
    for (const input of ['[]', 'no JSON']) {
      file.input = input;
      assert.equal(
        (await file.run('start TST-1 --model a/b --opencode-config -')).exit,
        exitCodes.usage,
        input,
      );
    }
  });

  it('decides in advance where the options say so, and else asks a person about each decision', async () => {
    const asks = async (words: string): Promise<boolean> => {
      const bench = draft();
      await bench.run(`start TST-1 --model a/b --no-wait ${words}`);
      const decide = bench.opened[0]?.decisions.decide({ id: 'e', ticket: 'TST-1', kind: 'start', body: {} });
      return (
        decide?.then(
          () => false,
          () => true,
        ) ?? false
      );
    };
    assert.equal(await asks(''), true);
    for (const words of ['--approve none', '--skip-interview']) assert.equal(await asks(words), false, words);
  });
});

describe('run', () => {
  it('files a ticket, starts it, and runs it', async () => {
    const bench = draft();
    const { types, end } = await bench.json('run --title Wave --model a/b');
    assert.deepEqual(bench.created, [{ title: 'Wave', description: '', priority: 3 }]);
    assert.equal(started(bench).settings.mainImplementer, 'a/b');
    assert.deepEqual(bench.app.started, [['TST-1']]);
    assert.deepEqual(
      types.filter((type) => type !== 'note'),
      ['created', 'posted', 'outcome', 'end'],
    );
    assert.equal(end?.exit, exitCodes.gate);
  });

  it('continues a ticket that was started, and starts none twice', async () => {
    const bench = new CommandBench();
    assert.equal((await bench.run('run TST-1')).exit, exitCodes.gate);
    assert.deepEqual([bench.sent, bench.app.started], [[], [['TST-1']]]);
    const waiting = draft();
    waiting.app.inbox = [
      { id: 'e', ticket: 'TST-1', kind: 'start', body: {}, state: 'pending', postedAt: 0, outcome: null },
    ] as never;
    await waiting.run('run TST-1 --model a/b');
    assert.deepEqual(waiting.sent, []);
  });

  it('starts a draft that nobody has started', async () => {
    const bench = draft();
    await bench.run('run TST-1 --model a/b --no-wait');
    assert.equal(started(bench).settings.mainImplementer, 'a/b');
  });

  it('files nothing that could not start', async () => {
    const bench = draft({ ports: { git: gitOf({ hasCommits: false }) } });
    assert.equal((await bench.run('run --title Wave --model a/b')).exit, exitCodes.usage);
    assert.deepEqual(bench.created, []);
  });

  itRefuses(
    [
      ['run', 2, /A ticket requires --title TEXT/],
      ['run TST-9', 2, /The ticket TST-9 doesn't exist\./],
      ['run TST-1 --approve everything', 2, /--approve knows no gate "everything"/],
      ['run --title x', 2, /needs --model/],
    ],
    draft,
  );

  describe('--dry-run', () => {
    const makeRepository = tempRepositories();
    const makeFolder = tempFolders();
    async function planning(): Promise<CommandBench> {
      const bench = draft();
      bench.cwd = (await makeRepository()).root;
      bench.env = { ...process.env, XDG_CONFIG_HOME: await makeFolder() };
      return bench;
    }

    it('AT-16: says phases, calls with their slices, and the cost, without an app', async () => {
      const bench = await planning();
      const words = 'run --title Greet --model no/such --depth quick --retrospective --dry-run';
      const { exit, out } = await bench.run(words);
      assert.equal(exit, exitCodes.done);
      assert.match(out, /^Plan for “Greet”\. Nothing was written, and no model was called\.\n/);
      assert.match(out, /Planning quickly\n {4}call quick_plan: .*relevant_files.*\+ticket_handoff/);
      assert.match(out, /Approve the plan \(needs you\)/);
      assert.match(out, /Estimate: 5–40 calls, .*no finished tickets here yet/);
      assert.match(out, /add to the ticket: 1 call, /);
      const { all } = await bench.json(words);
      const [plan] = all('plan');
      assert.ok(plan?.phases.some(({ status }) => status === 'WRITING_RETROSPECTIVE'));
      assert.deepEqual([plan?.estimate.basis, bench.opened], ['prior', []]);
    });

    it('AT-16: counts every session of a party, its second round and its most reviews', async () => {
      const party =
        '--review party --reviewer b/c --kickoff --failure-analysis inform --retrospective --min-passes 2';
      const { out } = await (
        await planning()
      ).run(`run --title x --model a/b --depth quick ${party} --dry-run`);
      for (const line of [
        /each bead: .*, 8–25 calls if nothing fails/,
        /call kickoff × 3, each bead: /,
        /call coding × 2, each bead: /,
        /call review × 3–18 \(3 members, 1–6 rounds\), each bead: /,
        /call fix × 0–2, each bead: /,
        /call failure_analysis × 3, after each failed iteration: /,
        /call retrospective × 4: /,
        /discussions and reviews add to each bead: 6–23 calls, 60k–1\.8M tokens/,
        /discussions and reviews add to the ticket: 4 calls, 40k–308k tokens/,
      ])
        assert.match(out, line);
    });

    it('estimates from what was completed here, without the time that a ticket was blocked', async () => {
      const bench = await planning();
      let now = 0;
      const { store, folder } = tempStore({ folder: join(bench.cwd, '.git'), now: () => now });
      const filed = { prefix: 'TST', atLeast: 1, title: '', description: '', priority: 3 };
      const ticket = await store.createTicket(filed);
      const commit = (journal: readonly JournalEntry[], changes: readonly Change[] = []) =>
        store.commit({ ticket: ticket.id, journal, changes });
      for (const run of ['run-1', 'run-2']) {
        await commit([runOpened({ ...ticket, status: 'CODING' }, run)]);
        now += 60_000;
        await commit([{ kind: 'run.closed', run, state: 'closed', exit: null }]);
        now += 36_000_000;
      }
      const settings = completeSettings({ mainImplementer: 'a/b' });
      await commit(
        [{ kind: 'status', from: 'DRAFT', to: 'COMPLETED', by: 'done' }],
        [
          { type: 'ticket', set: { status: 'COMPLETED', settings } },
          { type: 'call', call: call(ticket.id, 'c') },
        ],
      );
      await store.close();
      const before = await readdir(folder);
      const { all } = await bench.json('run --title x --model a/b --dry-run');
      const { basis, tickets, minutes } = all('plan')[0]?.estimate ?? assert.fail();
      assert.deepEqual([basis, tickets, minutes], ['history', 1, { low: 1, high: 4 }]);
      assert.deepEqual([await readdir(folder), bench.opened], [before, []]);
    });

    itRefuses(
      [
        ['run TST-1 --model a/b --dry-run', 2, /--dry-run plans a new ticket; omit the ID\./],
        ['run --title x --dry-run', 2, /To start a ticket, specify --model PROVIDER\/MODEL\./],
      ],
      draft,
    );
  });
});

describe('run, of a ticket that blocked because its processes died', () => {
  const looped = errorRecord(new BeadsmithError('CRASH_LOOP', { what: 'Coding (TST-1)', count: 3 }));
  const held = (error: ErrorRecord = looped): CommandBench =>
    new CommandBench({
      ticket: { status: 'BLOCKED_ERROR', previousStatus: 'CODING', error },
      actions: ['retry', 'cancel'],
    });

  for (const words of ['run TST-1', 'run --key k --title Wave'])
    it(`${words} retries it, and asks nobody: who names it has decided`, async () => {
      const bench = held();
      // The key is one of a ticket that is there.
      bench.app.client.create = () => Promise.resolve(bench.app.place.detail.ticket);
      const { act } = bench.app.client;
      bench.app.client.act = async (ticket, kind, body) => {
        await bench.opened[0]?.decisions.decide({ id: 'e', ticket, kind, body });
        bench.app.place.become({ ticket: { status: 'WAITING_PR_REVIEW' } });
        return act(ticket, kind, body);
      };
      const { exit, all } = await bench.json(words);
      assert.deepEqual([bench.sent, bench.app.started], [[['retry', { note: '' }]], [['TST-1']]]);
      assert.deepEqual(
        [all('posted'), all('outcome')].flat().map(({ type, action }) => `${type} ${action}`),
        ['posted retry', 'outcome retry'],
      );
      assert.equal(exit, exitCodes.gate);
    });

  it('is queued with --no-wait', async () => {
    const bench = held();
    assert.equal((await bench.run('run TST-1 --no-wait')).exit, exitCodes.done);
    assert.deepEqual([bench.sent, bench.app.started], [[['retry', { note: '' }]], []]);
  });

  it('is told when it was refused', async () => {
    const bench = held();
    bench.app.client.becomes = { state: 'refused', code: 'ACTION_NOT_ALLOWED', message: 'It was retried.' };
    assert.equal((await bench.run('run TST-1')).exit, exitCodes.usage);
  });

  it('is left alone when that was decided before, and where it blocked for another reason', async () => {
    for (const kind of ['retry', 'cancel']) {
      const bench = held();
      bench.app.inbox = [
        { id: 'e', ticket: 'TST-1', kind, body: {}, state: 'pending', postedAt: 0, outcome: null },
      ] as never;
      await bench.run('run TST-1');
      assert.deepEqual(bench.sent, [], kind);
    }
    const failed = held(errorRecord(new BeadsmithError('BEAD_DEADLOCK', { beads: 'core-a' })));
    assert.equal((await failed.run('run TST-1')).exit, exitCodes.blocked);
    assert.deepEqual(failed.sent, []);
  });

  it('says that it can be named again', async () => {
    const { out } = await held().run('show TST-1');
    assert.match(out, /Next:\n {2}beadsmith run TST-1\n {2}beadsmith retry TST-1 /);
    assert.match(
      fromRecord(looped).nextStep,
      /^Find the cause, then retry, or run the ticket again with "beadsmith run"\.$/,
    );
  });
});
