import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';
import { FakeApp } from '../../../support/fakes/fakeApp.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';
import { matrixText } from '../../../../src/cli/commands/tickets.ts';
import { linksOf } from '../../../../src/domain/links/links.ts';
import { beads, prd } from '../../../support/models/planningAnswers.ts';
import { prdBody } from '../../../../src/domain/requirements/prd.ts';
import type { JournalEntry, JournalRow } from '../../../../src/engine/ports/storePort.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';
import { sampleArtifact } from '../../../support/samples.ts';

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
        '  TST-10  Sing  (Coding, Agent question)',
        'In Progress',
        '  TST-2   Wave  (Coding, Waiting for TST-3 to finish coding)',
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
    const bench = new CommandBench({}, { app: new FakeApp({}, { repository: { unsandboxed: 'off' } }) });
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
    bench.app.client.artifacts = () =>
      Promise.resolve(['prd', 'interview', 'prd'].map((type) => sampleArtifact({ type })));
    assert.match((await bench.run('show TST-1 poem')).err, /It has: prd, interview\./);
  });
});

describe('the matrix of a ticket in a terminal', () => {
  const questions = ['Q01', 'Q02', 'Q03'].map((id) => ({ id, prompt: `What about ${id}?` }));
  const ticket = { id: 'TST-1', title: 'Greet people' };

  it('lists each criterion with what it comes from, its beads and their commits, and ends with the holes', () => {
    const links = linksOf({
      questions,
      prd: prdBody(prd),
      beads: [
        ...beads,
        {
          id: 'polish',
          title: 'Polish\u001B[31m',
          prdRefs: [],
          testCommands: [],
          unprovedReason: 'Only words change.',
        },
      ],
      audited: [{ id: 'Q03', met_by: [], note: 'Says who asked.' }],
      evidence: { 'greet-by-name': { commit: 'a'.repeat(40), tests: ['greets Ada'] } },
    });
    assert.equal(
      matrixText(ticket, links),
      `TST-1 Greet people
  3 questions, 1 criterion, 3 beads, 1 hole

  From      Criterion   Beads                        Commands  Commits
  Q01, Q02  US-1-1.AC1  greet-by-name, greet-nobody  1         aaaaaaaaaa  greet("Ada") answers "Hello, Ada"

Answers without a story:
  Q03: Says who asked.

Beads:
  greet-by-name: US-1-1.AC1  Do greet-by-name
      node --test
      commit aaaaaaaaaa
      tests: greets Ada
  greet-nobody: US-1-1.AC1  Do greet-nobody
      node --test
  polish: no criterion  Polish⟨U+001B⟩[31m
      not proved by a command: Only words change.

Holes:
  The bead polish has no criterion: its prdRefs name nothing of the PRD.`,
    );
  });

  it('says what is not there yet', () => {
    assert.match(
      matrixText(ticket, linksOf({ questions: [] })),
      /0 holes\n\n {2}No interview and no PRD yet\.$/,
    );
    assert.match(matrixText(ticket, linksOf({ questions })), /No PRD yet\.$/);
  });
});

describe('logs', () => {
  const entries: readonly (readonly [at: number, entry: JournalEntry, words: string])[] = [
    [1_000, { kind: 'ticket.created' }, '#1 ticket created'],
    [
      2_000,
      { kind: 'run.opened', run: { id: 'r1', attempt: 2 } } as JournalEntry,
      '#2 run r1 starts (attempt 2)',
    ],
    [3_000, { kind: 'step.intent', run: 'r1', key: 'draft' }, '#3 draft: started'],
    [
      4_000,
      { kind: 'step.note', run: 'r1', key: 'draft', note: { session: 's' } },
      '#4 draft: noted {"session":"s"}',
    ],
    [5_000, { kind: 'step.done', run: 'r1', key: 'draft', result: null }, '#5 draft: done'],
    [
      6_000,
      {
        kind: 'step.failed',
        run: 'r1',
        key: 'ask',
        error: { code: 'GIT_FAILED', args: {}, continuable: false, diagnostics: {} },
      },
      '#6 ask: failed with GIT_FAILED',
    ],
    [
      7_000,
      { kind: 'run.closed', run: 'r1', state: 'closed', exit: 'ready' },
      '#7 run r1 closed with "ready"',
    ],
    [8_000, { kind: 'run.continued', run: 'r1' }, '#8 run r1 continues'],
    [
      9_000,
      { kind: 'status', from: 'DRAFT', to: 'SCANNING_RELEVANT_FILES', by: 'ready' },
      '#9 DRAFT → SCANNING_RELEVANT_FILES (ready)',
    ],
    [10_000, { kind: 'inbox', id: 'e', outcome: 'consumed', reason: 'start' }, '#10 inbox: start consumed'],
    [
      11_000,
      { kind: 'attempts', archivedFrom: 'DRAFTING_PRD', statuses: [] },
      '#11 new attempts from DRAFTING_PRD on',
    ],
  ];

  const makeFolder = tempFolders();
  async function logged(): Promise<CommandBench> {
    const root = await makeFolder();
    const app = new FakeApp({}, { repository: { root } });
    app.journal = entries.map(([at, entry], index): JournalRow => {
      return { ticket: 'TST-1', seq: index + 1, prevHash: '', hash: '', at, epoch: 1, entry };
    });
    const folder = join(root, '.git/beadsmith/logs');
    await mkdir(folder, { recursive: true });
    const lines = [
      { type: 'status', ticket: 'TST-1', at: 9_000, from: 'DRAFT', to: 'CODING', by: 'ready' },
      { type: 'hold', ticket: 'TST-1', at: 5_500, hold: 'question', detail: 'Which colour?' },
    ];
    await writeFile(
      join(folder, 'TST-1.jsonl'),
      `${lines.map((line) => JSON.stringify(line)).join('\n')}\nbroken\n`,
    );
    return new CommandBench({}, { app });
  }

  it('prints the journal with the log between its entries', async () => {
    const { out, exit } = await (await logged()).run('logs TST-1');
    assert.equal(exit, 0);
    const printed = out.trimEnd().split('\n');
    const words = entries.map(([at, , text]) => `${new Date(at).toISOString()}  ${text}`);
    const hold = `${new Date(5_500).toISOString()}  pauses (question): Which colour?`;
    assert.deepEqual(printed, [...words.slice(0, 5), hold, ...words.slice(5)]);
  });

  it('prints the journal alone, and the last lines', async () => {
    const bench = await logged();
    const { all, end } = await bench.json('logs TST-1 --journal');
    assert.deepEqual(
      all('log').map(({ source, seq }) => [source, seq]),
      entries.map((_, index) => ['journal', index + 1]),
    );
    assert.deepEqual([end?.exit, end?.status], [0, 'WAITING_PRD_APPROVAL']);
    assert.deepEqual(
      (await bench.json('logs TST-1 --last 2')).all('log').map(({ text }) => text),
      entries.slice(-2).map(([, , text]) => text),
    );
  });

  itRefuses([
    ['logs TST-9', 2, /The ticket TST-9 doesn't exist\./],
    ['logs TST-1 --last all', 2, /--last takes a whole number, not "all"\./],
    ['logs', 2, /An argument is missing/],
  ]);
});
