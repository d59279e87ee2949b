import assert from 'node:assert/strict';
import { sha256 } from '../../../../src/base/sha256.ts';
import { ticketLimitsDocument } from '../../../../src/domain/documents/ticketLimits.ts';
import { exitCodes } from '../../../../src/cli/base/exitCodes.ts';
import type { ErrorCode, ErrorRecord } from '../../../../src/domain/core/errors.ts';
import type { Ticket } from '../../../../src/domain/ticket/ticket.ts';
import { CommandBench, itRefuses, itSends } from '../../../support/commandBench.ts';
import { FakeApp } from '../../../support/fakes/fakeApp.ts';
import type {
  AgentQuestion,
  PendingRequest,
  RequestContent,
} from '../../../../src/domain/ticket/agentRequest.ts';
import { limitNames, limitsHash, limitsOf, writtenLimit } from '../../../../src/domain/settings/limits.ts';
import { limitOption } from '../../../../src/cli/options/settingsOptions.ts';
import { ticketDetail } from '../../../support/fakes/ticketPlace.ts';

describe('commands that steer a ticket', () => {
  itSends([
    ['retry TST-1', 'retry', { note: '' }],
    [['retry TST-1 --note', 'Do less.'], 'retry', { note: 'Do less.' }],
    [
      'follow TST-1 greet split --reason large',
      'follow_analysis',
      { bead: 'greet', choice: 'split', reason: 'large' },
    ],
    ['continue TST-1', 'continue', {}],
    ['cancel TST-1', 'cancel', { reason: '', deleteWorktree: false }],
    ['cancel TST-1 --reason done --delete-worktree', 'cancel', { reason: 'done', deleteWorktree: true }],
    ['merge TST-1', 'merge', {}],
    ['merge TST-1 --delete-worktree', 'merge', { deleteWorktree: true }],
    ['merge TST-1 --keep-worktree', 'merge', { deleteWorktree: false }],
    ['update-base TST-1', 'update_base', { keep: false }],
    ['update-base TST-1 --base origin/next', 'update_base', { baseBranch: 'origin/next', keep: false }],
    ['update-base TST-1 --keep', 'update_base', { keep: true }],
    ['close TST-1', 'close', { reason: '' }],
    ['close TST-1 --reason later --delete-worktree', 'close', { reason: 'later', deleteWorktree: true }],
    ['close TST-1 --keep-worktree', 'close', { reason: '', deleteWorktree: false }],
    [
      ['changes TST-1', 'Say hello.', 'Say goodbye.'],
      'changes',
      { items: [{ text: 'Say hello.' }, { text: 'Say goodbye.' }] },
    ],
    [
      'changes TST-1 Rename --bead greet --file src/greet.ts --line 12',
      'changes',
      { items: [{ text: 'Rename', bead: 'greet', file: 'src/greet.ts', line: 12 }] },
    ],
    ['pause TST-1', 'pause', {}],
    ['resume tst-1', 'resume', {}],
    ['resume TST-1 --at 2026-11-28T09:00:00Z', 'resume', { at: Date.UTC(2026, 10, 28, 9) }],
    ['rewind-setup TST-1', 'rewind_setup', {}],
  ]);

  itRefuses([
    [
      'close TST-1 --delete-worktree --keep-worktree',
      2,
      /Use either --delete-worktree or --keep-worktree, not both\./,
    ],
    [
      'merge TST-1 --delete-worktree --keep-worktree',
      2,
      /Use either --delete-worktree or --keep-worktree, not both\./,
    ],
    ['update-base TST-1 --base next --keep', 2, /Use either --base or --keep, not both\./],
    [
      'follow TST-1 greet dance',
      2,
      /Specify a bead and one of: retry, skip, escalate, split, replan, approve\./,
    ],
    ['follow TST-1 greet approve', 2, /Specify a bead and one of/],
    ['follow TST-1 greet', 2, /An argument is missing.*\n.*Usage: beadsmith follow ABC-12 BEAD/],
    ['changes TST-1', 2, /An argument is missing/],
    ['changes TST-1 Rename --line twelve', 2, /--line takes a whole number, not "twelve"\./],
    ['resume TST-1 --at later', 2, /"later" is not a valid time\. Use 14:30 or "2026-11-28 09:00"\./],
    ['pause TST-1 now', 2, /"now" is an unexpected argument\./],
    ['pause TST-9', 2, /The ticket TST-9 doesn't exist\./],
    ['pause ../../x', 2, /"\.\.\/\.\.\/x" is not a valid ticket ID\. Use the form ABC-12\./],
  ]);

  it('approves exactly the proposed beads: those that the ticket blocks with, or those that are named', async () => {
    const proposed = 'c'.repeat(64);
    const bench = new CommandBench({
      ticket: {
        status: 'BLOCKED_ERROR',
        error: errorOf('PLAN_CHANGE_PROPOSED', { bead: 'greet', sha256: proposed }),
      },
    });
    await bench.run('follow TST-1 greet approve');
    await bench.run(`follow TST-1 greet approve --sha256 ${'d'.repeat(64)}`);
    const approval = { bead: 'greet', choice: 'approve', reason: '' };
    assert.deepEqual(bench.sent, [
      ['follow_analysis', { ...approval, sha256: proposed }],
      ['follow_analysis', { ...approval, sha256: 'd'.repeat(64) }],
    ]);
  });

  it('continues a ticket that a budget paused by resuming it', async () => {
    const bench = new CommandBench({
      ticket: { status: 'CODING', hold: { kind: 'budget', since: 0, detail: '' } },
    });
    await bench.run('continue TST-1');
    assert.deepEqual(bench.sent, [['resume', {}]]);
  });
});

describe('a command that sends an action', () => {
  it('files it without driving with --no-wait', async () => {
    const bench = new CommandBench();
    const { exit, events } = await bench.json('pause TST-1 --no-wait');
    assert.deepEqual(events, [
      { type: 'posted', ticket: 'TST-1', action: 'pause', id: 'entry-1' },
      { type: 'end', exit, ticket: 'TST-1', status: 'WAITING_PRD_APPROVAL' },
    ]);
    assert.equal(exit, exitCodes.done);
    assert.deepEqual(
      [bench.app.started, bench.opened.map(({ drive }) => drive), bench.app.disposed],
      [[], [false], 1],
    );
  });

  it('says where the ticket stands then, and how a person answers', async () => {
    const { out, exit } = await new CommandBench({ actions: ['approve', 'cancel'] }).run('pause TST-1');
    assert.match(out, /TST-1.*Greet people[^]*Approve the PRD/);
    assert.match(out, /beadsmith approve TST-1/);
    assert.equal(exit, exitCodes.gate);
  });

  const stops: readonly (readonly [what: string, ticket: Partial<Ticket>, exit: number])[] = [
    ['a gate', { status: 'WAITING_PR_REVIEW' }, exitCodes.gate],
    ['the end', { status: 'COMPLETED' }, exitCodes.done],
    ['its cancellation', { status: 'CANCELED' }, exitCodes.canceled],
    ['an error', { status: 'BLOCKED_ERROR', error: errorOf('GIT_FAILED') }, exitCodes.blocked],
    ['a cap of tokens', { status: 'BLOCKED_ERROR', error: errorOf('BUDGET_EXHAUSTED') }, exitCodes.tokenCap],
    [
      'a pause by a cap of cost',
      {
        status: 'CODING',
        hold: { kind: 'budget', since: 0, detail: '' },
        error: errorOf('COST_CAP_REACHED'),
      },
      exitCodes.costCap,
    ],
  ];
  for (const [what, ticket, code] of stops)
    it(`ends with ${String(code)} at ${what}`, async () => {
      const { exit, end } = await new CommandBench({ ticket }).json('pause TST-1');
      assert.deepEqual([exit, end?.exit], [code, code]);
    });

  it('ends with a code of its own where beads are missing at the end', async () => {
    const bench = new CommandBench({ ticket: { status: 'COMPLETED' }, view: { beadsSkipped: 1 } });
    assert.equal((await bench.json('pause TST-1')).exit, exitCodes.incomplete);
  });

  it('is bad input when it was refused, with the reason', async () => {
    const bench = new CommandBench();
    bench.app.client.becomes = { state: 'refused', code: 'NOT_HELD', message: "This ticket isn't paused." };
    const { exit, all } = await bench.json('resume TST-1');
    assert.equal(exit, exitCodes.usage);
    assert.deepEqual(all('outcome')[0], {
      type: 'outcome',
      ticket: 'TST-1',
      action: 'resume',
      id: 'entry-1',
      ...bench.app.client.becomes,
    });
    assert.match((await bench.run('resume TST-1')).out, /This ticket isn't paused\./);
  });

  it('ends with the signal that stopped it, and says how to continue', async () => {
    for (const [signal, code] of [
      ['SIGINT', exitCodes.interrupted],
      ['SIGTERM', exitCodes.terminated],
    ] as const) {
      const bench = new CommandBench({ idle: false });
      bench.stop.abort(signal);
      const { exit, out } = await bench.run('pause TST-1');
      assert.equal(exit, code);
      assert.match(out, /^Stopped\. Nothing is lost\. To continue, run: beadsmith run TST-1$/m);
    }
  });

  it('names the repository in what a person types next, unless they are in it', async () => {
    const bench = new CommandBench({ idle: false });
    bench.stop.abort('SIGINT');
    bench.cwd = '/elsewhere';
    assert.match(
      (await bench.run('pause TST-1 --repo ../sample')).out,
      /beadsmith run TST-1 --repo \/sample$/m,
    );
    assert.equal(bench.opened[0]?.folder, '/sample');
  });

  it('is refused in a process that an agent started, and where the tickets can only be read', async () => {
    const agent = new CommandBench();
    agent.isByAgent = true;
    const byAgent = await agent.json('pause TST-1');
    assert.deepEqual(
      [byAgent.exit, byAgent.all('error')[0]?.code],
      [exitCodes.undecided, 'DECISION_BY_AGENT'],
    );
    const app = new FakeApp(
      {},
      { repository: { mode: 'readOnly', reason: 'It is of another installation.' } },
    );
    const readOnly = await new CommandBench({}, { app }).json('pause TST-1');
    assert.deepEqual(
      [readOnly.exit, readOnly.all('error')[0]?.code],
      [exitCodes.failed, 'DATABASE_READ_ONLY'],
    );
    assert.deepEqual(readOnly.all('note'), [{ type: 'note', message: 'It is of another installation.' }]);
  });

  it('says that it waits for another process', async () => {
    const app = new FakeApp({}, { repository: { mode: 'follower', reason: 'Process 7 drives.' } });
    const bench = new CommandBench({}, { app });
    assert.match(
      (await bench.run('pause TST-1')).out,
      /Another process is working on the tickets of this repository; waiting for it\. Process 7 drives\./,
    );
    assert.doesNotMatch((await bench.run('pause TST-1 --no-wait')).out, /Another process/);
  });

  itRefuses(
    [
      [
        'pause TST-1 --approve all',
        2,
        /--approve all is refused without a sandbox.*it is turned off.*--unattended-without-sandbox/s,
      ],
      ['pause TST-1 --end merge', 2, /--end merge is refused without a sandbox/],
      ['merge TST-1', 2, /Merging from the command line is refused without a sandbox/],
    ],
    unsandboxed,
  );

  it('leaves people out without a sandbox where they accepted it', async () => {
    for (const words of ['merge TST-1', 'pause TST-1 --approve all', 'pause TST-1 --end merge']) {
      const bench = unsandboxed();
      await bench.run(`${words} --unattended-without-sandbox`);
      assert.equal(bench.opened[0]?.isUnattended, true, words);
      assert.notEqual(bench.sent.length, 0, words);
    }
    const bench = unsandboxed();
    bench.env = { BEADSMITH_UNATTENDED_WITHOUT_SANDBOX: '1' };
    await bench.run('merge TST-1');
    assert.deepEqual(bench.sent, [['merge', {}]]);
  });
});

function unsandboxed(): CommandBench {
  return new CommandBench({}, { app: new FakeApp({}, { repository: { unsandboxed: 'off' } }) });
}

function errorOf(code: ErrorCode, diagnostics: ErrorRecord['diagnostics'] = {}): ErrorRecord {
  return { code, args: {}, continuable: false, diagnostics };
}

const colour: AgentQuestion = {
  header: 'Colour',
  text: 'Which colour?',
  multiple: false,
  custom: true,
  options: ['Red', 'Blue'].map((label) => ({ label, description: '' })),
};
const langs: AgentQuestion = { ...colour, header: 'Languages', text: 'Which languages?', multiple: true };
const permission: RequestContent = {
  kind: 'permission',
  permission: 'bash',
  patterns: [],
  command: 'npm install',
};

/** A ticket whose agent waits for an answer to this, which a person can give. */
function asked(content: RequestContent): () => CommandBench {
  const request: PendingRequest = { id: 'req-1', source: 'demo/main', since: 0, until: 1, content };
  const kind = content.kind;
  return () =>
    new CommandBench({
      ticket: { status: 'CODING', hold: { kind, since: 0, detail: '', request } },
      actions: ['question_reply', 'permission_reply', 'cancel'],
      requests: [request],
    });
}
const one = asked({ kind: 'question', questions: [colour] });
const two = asked({ kind: 'question', questions: [colour, langs] });

describe('commands that answer an agent', () => {
  itSends([['reply TST-1 Red', 'question_reply', { request: 'req-1', answers: [['Red']] }]], one);
  itSends(
    [
      [
        ['reply TST-1', 'Neither | nor'],
        'question_reply',
        { request: 'req-1', answers: [['Neither | nor']] },
      ],
    ],
    one,
  );
  itSends([['reply TST-1 --decide', 'question_reply', { request: 'req-1', answers: null }]], two);
  itSends(
    [
      [
        ['reply TST-1', 'Red', ' French | German |'],
        'question_reply',
        { request: 'req-1', answers: [['Red'], ['French', 'German']] },
      ],
    ],
    two,
  );
  itSends(
    [
      ['allow TST-1', 'permission_reply', { request: 'req-1', allow: true }],
      ['deny TST-1', 'permission_reply', { request: 'req-1', allow: false }],
    ],
    asked(permission),
  );

  itRefuses(
    [
      ['reply TST-1 Red', 2, /TST-1 waits for 2 answers; specify one TEXT for each, or --decide\./],
      ['reply TST-1', 2, /waits for 2 answers/],
      ['reply TST-1 Red French German', 2, /waits for 2 answers/],
      [
        'allow TST-1',
        2,
        /The agent no longer waits for this request\..*\n.*Check whether it has another request\./,
      ],
      ['deny TST-1', 2, /no longer waits/],
      ['allow TST-1 it', 2, /"it" is an unexpected argument\./],
    ],
    two,
  );
  itRefuses([['reply TST-1 Red', 2, /no longer waits/]], asked(permission));
  itRefuses([
    ['reply TST-1 Red', 2, /no longer waits/],
    ['allow TST-1', 2, /no longer waits/],
    ['reply', 2, /An argument is missing/],
  ]);

  it('says which options there are, so that one can be copied', async () => {
    const { out } = await one().run('pause TST-1');
    for (const words of [
      'reply TST-1 Red',
      'reply TST-1 Blue',
      'reply TST-1 "your answer"',
      'reply TST-1 --decide',
    ])
      assert.ok(out.includes(`beadsmith ${words}\n`), words);
    assert.match(out, /Which colour\?/);
  });
});

describe('limits', () => {
  const present = limitsOf(ticketDetail().ticket);
  const baseSha256 = present ? limitsHash(present) : '';

  itSends([
    ['limits TST-1 --iterations 7', 'limits', { baseSha256, limits: { maxIterations: 7 }, reason: '' }],
    [
      'limits TST-1 --command-timeout 60 --token-cap 5000 --reason slow',
      'limits',
      { baseSha256, limits: { commandTimeout: 60_000, tokenCap: 5_000 }, reason: 'slow' },
    ],
  ]);

  it('prints each as the option that changes it, and as a document with its hash', async () => {
    const bench = new CommandBench();
    const { out, exit } = await bench.run('limits TST-1');
    assert.equal(exit, 0);
    for (const name of limitNames)
      assert.match(
        out,
        new RegExp(
          `^ {2}--${limitOption(name)} ${String(present && writtenLimit(name, present[name]))}  `,
          'm',
        ),
      );
    const { all, end } = await bench.json('limits TST-1');
    const [shown] = all('document');
    assert.deepEqual([shown?.name, shown?.sha256], ['ticket_limits', sha256(shown?.content ?? '')]);
    assert.match(shown?.content ?? '', /^maxIterations: 5$[^]*^commandTimeout: 600 # seconds$/m);
    assert.deepEqual([end?.exit, end?.status], [0, 'WAITING_PRD_APPROVAL']);
    assert.deepEqual([bench.sent, bench.opened[0]?.drive], [[], false]);
  });

  itSends(
    [
      [
        'limits TST-1 --file - --reason slow',
        'edit_document',
        {
          artifact: 'ticket_limits',
          baseSha256: sha256(ticketLimitsDocument.ungated.text(undefined, ticketDetail().ticket) ?? ''),
          content: 'maxIterations: 7\n',
          reason: 'slow',
        },
      ],
    ],
    () => Object.assign(new CommandBench(), { input: 'maxIterations: 7\n' }),
  );
  itRefuses([
    ['limits TST-1 --file - --iterations 3', 2, /Use either single limits, or --file with --base\./],
    ['limits TST-1 --base a --iterations 3', 2, /Use either single limits, or --file with --base\./],
    ['limits TST-1 --iterations many', 2, /--iterations takes a whole number, not "many"\./],
    ['limits TST-1 --iterations 100000', 2, /A limit can't be used: .*maxIterations/s],
    ['limits TST-9', 2, /The ticket TST-9 doesn't exist\./],
  ]);
  itRefuses(
    [
      [
        'limits TST-1',
        2,
        /The action change limits isn't available for a ticket in Draft\..*\n.*start \(sets the limits\)/,
      ],
      ['limits TST-1 --iterations 3', 2, /change limits isn't available/],
    ],
    () => new CommandBench({ ticket: { status: 'DRAFT', settings: null, limits: null } }),
  );
});
