import assert from 'node:assert/strict';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';
import { FakeApp } from '../../../support/fakes/fakeApp.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';

describe('list', () => {
  it('says how to create a ticket where there is none', async () => {
    assert.equal(
      (await new CommandBench().run('list')).out,
      'No tickets yet. To create one, run: beadsmith create --title TEXT\n',
    );
  });

  it('groups the tickets by column, those that need input first', async () => {
    const bench = new CommandBench();
    bench.app.client.views = [
      ticketView({
        id: 'TST-1',
        title: 'Greet\u001B[31m',
        label: 'Completed',
        column: 'Done',
        beadsTotal: 3,
        beadsDone: 2,
        beadsSkipped: 1,
      }),
      ticketView({
        id: 'TST-2',
        title: 'Wave',
        label: 'Coding',
        column: 'In Progress',
        hold: 'queue',
        waitsFor: 'TST-3',
      }),
      ticketView({ id: 'TST-10', title: 'Sing', label: 'Coding', column: 'Needs Input', hold: 'question' }),
    ];
    const { out } = await bench.run('list');
    assert.deepEqual(
      out.split('\n').map((line) => line.replace(/Greet.*? {2}/, 'Greet  ')),
      [
        'Needs Input',
        '  TST-10  Sing  (Coding, pausing: question)',
        'In Progress',
        '  TST-2   Wave  (Coding, pausing: waiting for TST-3 to finish coding)',
        'Done',
        '  TST-1   Greet  (Completed, 2 of 3 beads, 1 skipped)',
        '',
      ],
    );
    assert.doesNotMatch(out, /\u001B/);
    const { all, end } = await bench.json('list');
    assert.deepEqual(
      all('ticket'),
      bench.app.client.views.map((view) => ({ type: 'ticket', ...view })),
    );
    assert.deepEqual([end?.exit, end?.ticket], [0, null]);
    assert.deepEqual([bench.opened[0]?.drive, bench.app.disposed], [false, 2]);
  });

  it('says of one that can’t be read what helps', async () => {
    const bench = new CommandBench();
    bench.app.client.views = [
      ticketView({
        id: 'TST-1',
        title: '',
        label: 'Damaged',
        column: 'Needs Input',
        damaged: 'it is no JSON',
      }),
    ];
    assert.match(
      (await bench.run('list')).out,
      /TST-1 .*Damaged: TST-1 can't be read: it is no JSON\. .*"beadsmith restore"/,
    );
  });

  itRefuses([
    ['list TST-1', 2, /"TST-1" is an unexpected argument\./],
    ['list --prefix ABC', 2, /--prefix/],
  ]);
});

describe('show', () => {
  it('says where a ticket stands, and how to answer', async () => {
    const bench = new CommandBench({
      gate: { artifact: 'prd', sha256: 'c'.repeat(64) },
      actions: ['approve', 'edit', 'cancel'],
    });
    const { out } = await bench.run('show tst-1');
    assert.match(out, /TST-1[^]*Greet people[^]*Approve the PRD/);
    const next = [
      'beadsmith show TST-1 prd',
      'beadsmith approve TST-1',
      'beadsmith edit TST-1 prd --file FILE',
    ];
    for (const line of next) assert.ok(out.includes(line), line);
    const { all, end } = await bench.json('show TST-1');
    const [report] = all('report');
    assert.deepEqual(
      [report?.['ticket'], report?.['status'], report?.['gate'], report?.['next']],
      ['TST-1', 'WAITING_PRD_APPROVAL', 'prd', next],
    );
    assert.deepEqual([end?.exit, end?.status], [0, 'WAITING_PRD_APPROVAL']);
  });

  it('names the sandbox that is missing', async () => {
    const bench = new CommandBench({}, { app: new FakeApp({}, { repository: { unboxed: 'off' } }) });
    assert.match(
      (await bench.run('show TST-1')).out,
      /sandbox: Agents and commands run without a sandbox: it is turned off\./,
    );
  });

  it('prints a document, and warns of what can’t be seen', async () => {
    const bench = new CommandBench();
    bench.app.client.documents.set('prd', 'Greet\u202E people.\n');
    const { out } = await bench.run('show TST-1 prd');
    assert.match(out, /^Greet.* people\.\n/);
    assert.doesNotMatch(out, /\u202E/);
    assert.equal(out.trim().split('\n').length, 2, 'a warning');
    const { all } = await bench.json('show TST-1 prd');
    assert.deepEqual(all('document'), [
      {
        type: 'document',
        ticket: 'TST-1',
        name: 'prd',
        sha256: 'a'.repeat(64),
        content: 'Greet\u202E people.\n',
      },
    ]);
  });

  it('prints the version that is asked for', async () => {
    const bench = new CommandBench();
    const asked: unknown[] = [];
    bench.app.client.artifact = (...args) => {
      asked.push(args);
      return Promise.resolve(undefined);
    };
    await bench.run('show TST-1 prd --version 2');
    assert.deepEqual(asked, [['TST-1', 'prd', 2]]);
  });

  it('shows how everything is linked, and what is missing', async () => {
    const bench = new CommandBench();
    const { out } = await bench.run('show TST-1 --matrix');
    assert.match(out, /TST-1/);
    const { all } = await bench.json('show TST-1 --matrix');
    assert.equal(all('matrix')[0]?.ticket, 'TST-1');
  });

  itRefuses([
    ['show TST-1 poem', 2, /TST-1 has no such document "poem"\. It has: none yet\./],
    ['show TST-1 prd --matrix', 2, /--matrix shows a ticket, not one of its documents\./],
    ['show TST-1 prd --version old', 2, /--version takes a whole number, not "old"\./],
    ['show TST-9', 2, /The ticket TST-9 doesn't exist\..*\n.*List the tickets/],
    ['show', 2, /An argument is missing/],
    ['show TST-1 --sandbox maybe', 2, /sandbox/],
  ]);

  it('names the documents there are', async () => {
    const bench = new CommandBench();
    const info = {
      id: 1,
      ticket: 'TST-1',
      status: 'CODING',
      attempt: 1,
      createdAt: 0,
      archived: false,
      version: 1,
      sha256: '',
      bytes: 1,
    } as const;
    bench.app.client.artifacts = () =>
      Promise.resolve(['prd', 'interview', 'prd'].map((type) => ({ ...info, type })));
    assert.match((await bench.run('show TST-1 poem')).err, /It has: prd, interview\./);
  });
});
