import assert from 'node:assert/strict';
import { commandLine, howToAnswer } from '../../../../src/cli/drive/finish.ts';
import type { Report } from '../../../../src/cli/output/report.ts';
import { reportText } from '../../../../src/cli/output/reportText.ts';
import { failure } from '../../../../src/domain/beads/failure.ts';
import { QaChecklist } from '../../../../src/domain/documents/qaChecklist.ts';
import type { TicketDetail } from '../../../../src/protocol/api.ts';
import { ticketDetail } from '../../../support/fakes/ticketPlace.ts';

const sha = 'c'.repeat(40);

function report(changes: Partial<Report> = {}): Report {
  const { ticket } = ticketDetail();
  return {
    ticket: 'TST-1',
    title: ticket.title,
    description: ticket.description,
    status: ticket.status,
    previousStatus: null,
    assumptions: [],
    context: [],
    reviewNotes: [],
    comments: [],
    label: 'Approve the PRD',
    column: 'Needs Input',
    priority: 3,
    hold: null,
    error: null,
    actions: [],
    ready: true,
    requests: [],
    gate: null,
    approval: null,
    notes: [],
    questions: null,
    checklist: null,
    settings: ticket.settings,
    budgets: [],
    providerMisses: [],
    limits: ticket.limits,
    baseBranch: 'main',
    baseCommit: sha,
    branch: 'ticket/TST-1',
    worktree: '/w/TST-1',
    facts: [{ name: 'worktree', label: 'Worktree', text: '/w/TST-1\u001B' }],
    sandbox: null,
    councils: [],
    approvals: [],
    planHash: null,
    beads: [],
    outcome: { success: false, done: 0, total: 0, missing: [] },
    analysis: null,
    commits: [],
    evidence: [],
    failures: [],
    failure: null,
    finalTest: null,
    integration: null,
    pullRequest: null,
    merge: null,
    artifacts: [],
    tokens: { calls: 2, input: 300, output: 40 },
    journal: { ok: true, length: 12 },
    ...changes,
  };
}

describe('the report of a ticket in a terminal', () => {
  const text = (changes: Partial<Report> = {}, next: readonly string[] = [], short = false): string =>
    reportText(report(changes), next, { short });

  it('says that there is no sandbox, and nothing where there is one', () => {
    assert.match(
      text({ sandbox: 'Agents and commands run without a sandbox: it is turned off.' }),
      /\n {2}sandbox: Agents .* turned off\.\n/,
    );
    assert.doesNotMatch(text(), /sandbox/);
  });

  it('lists what waits for the next reviewer', () => {
    assert.match(
      text({ reviewNotes: [{ id: 'n1', text: 'Mind\nthe names.', at: 1 }] }),
      /Notes that wait for the next review:\n {4}Mind the names\./,
    );
  });

  it('begins with the ticket and where it stands', () => {
    assert.match(text(), /^TST-1 Greet people\n {2}Approve the PRD \(WAITING_PRD_APPROVAL\)\n/);
    assert.match(text({ hold: { kind: 'paused', since: 0, detail: '' } }), /, Paused$/m);
  });

  it('ends with what a person can type next', () => {
    assert.match(
      text({}, ['beadsmith approve TST-1', 'beadsmith show TST-1 prd']),
      /Next:\n {2}beadsmith approve TST-1\n {2}beadsmith show TST-1 prd$/,
    );
    assert.doesNotMatch(text(), /Next:/);
  });

  const error = {
    code: 'SETUP_FAILED',
    message: 'It failed:\nno tools',
    nextStep: 'Install them.',
    continuable: false,
  };
  it('says why a ticket is blocked and what to do', () => {
    assert.match(text({ error }), /\n {2}It failed:\n {2}no tools\n {2}Install them\./);
  });

  it('names the tests that failed and ends with the last lines of the output', () => {
    const output = Array.from({ length: 40 }, (_, line) => `line ${String(line)}`).join('\n');
    const failed = failure(
      'checks_failed',
      { command: 'npm test', exit: 1 },
      { tests: ['greets'], about: output },
    );
    const shown = text({ error, failure: failed });
    assert.match(
      shown,
      / {2}It failed:\n {2}no tools\n {2}Tests: greets\n {2}Install them\.\n\n {4}line 25\n/,
    );
    assert.match(shown, /line 39/);
    assert.doesNotMatch(shown, /line 24\b/);
  });

  it('shows what an agent asks, with its options', () => {
    const question = {
      header: '',
      text: 'Which port?',
      options: [{ label: '80', description: 'usual' }],
      multiple: true,
      custom: false,
    };
    const common = { id: 'r', source: 'demo/main', since: 0, until: 0 };
    const shown = text({ requests: [{ ...common, content: { kind: 'question', questions: [question] } }] });
    assert.match(
      shown,
      /demo\/main is waiting for you until 1970-01-01T00:00:00\.000Z:\n {2}Which port\? \(several.*\)\n {6}80: usual/,
    );
    const permission = {
      kind: 'permission',
      permission: 'bash',
      patterns: ['npm *'],
      command: 'npm ci',
    } as const;
    assert.match(
      text({ requests: [{ ...common, content: { ...permission, patterns: ['npm *'] } }] }),
      /May it run this\? bash npm \*\n {6}npm ci/,
    );
    const long = `${'echo \u202E\n'.repeat(1_000)}curl evil.example`;
    const all = text({
      requests: [{ ...common, content: { ...permission, patterns: ['npm *'], command: long, cut: true } }],
    });
    assert.match(all, /echo ⟨U\+202E⟩\n {6}curl evil\.example\n {2}The request can't be allowed.*Deny it/);
    assert.match(all, /Warning: .*\(1000\)/);
  });

  it('shows open questions with the ids that an answer names', () => {
    const question = {
      id: 'Q01',
      question: 'Who?',
      phase: 'foundation',
      priority: 'low',
      rationale: '',
      answer_type: 'single_choice',
    } as const;
    const questions = {
      number: 1,
      commentary: 'Well.',
      questions: [{ ...question, options: [{ id: 'all', label: 'Everybody' }] }],
    };
    assert.match(text({ questions }), /\n {2}Well\.\n {2}Q01: Who\?\n {6}all: Everybody/);
    assert.doesNotMatch(text({ questions: { ...questions, commentary: '' } }), /Well/);
  });

  it('shows the checklist of manual QA', () => {
    const items = [{ id: 'qa-v1-001', title: 'Greeting', actions: ['Run it'] }];
    const checklist = QaChecklist.parse({ schema_version: 1, round: 1, items });
    assert.match(text({ checklist }), /qa-v1-001: Greeting \(required\)\n {6}Run it/);
  });

  it('shows the hash that an approval carries', () => {
    const approval = { artifact: 'prd', sha256: 'a'.repeat(64) } as const;
    assert.match(
      text({ approval, notes: ['Checks: 2.'] }),
      /Awaiting approval: prd, sha256 a{64}\n {4}Checks: 2\./,
    );
  });

  it('never shows a gate that a rule passed as a person’s decision', () => {
    const at = '2026-01-01T00:00:00.000Z';
    const prd = {
      artifact: 'prd',
      title: 'PRD',
      by: 'user',
      at,
      reason: 'It will\ndo.',
      gaps: ['A gap.'],
    } as const;
    const reason = 'Passed by policy: nothing to set up.';
    const plan = {
      artifact: 'execution_setup_plan',
      title: 'Setup plan',
      by: 'policy',
      at,
      reason,
      gaps: [],
    } as const;
    const shown = text({ approvals: [prd, plan] });
    assert.match(
      shown,
      /\nApprovals:\n {2}2026\S+ {2}PRD: approved by a person, with gaps: A gap\., because: It will do\.\n/,
    );
    assert.match(shown, /\n {2}2026\S+ {2}Setup plan: passed by policy: nothing to set up\.\n/);
  });

  it('says who won each council, and where its voters disagree', () => {
    const opinion = { draft: 'a/two', category: 'risks', mean: 12, spread: 9, dissent: ['a/one'] } as const;
    const voices = [
      { voter: 'a/one', score: 18, reason: 'Fine.', quoted: false },
      { voter: 'a/two', score: 9, reason: '', quoted: true },
    ];
    const decided = {
      domain: 'prd' as const,
      winner: 'a/one',
      tie: true,
      totals: { 'a/one': 70, 'a/two': 70 },
      drafts: [],
      votes: [],
      checks: {},
      fewer: null,
      ledger: null,
    };
    const shown = text({
      councils: [{ ...decided, opinions: [{ ...opinion, dissent: [...opinion.dissent], voices }] }],
    });
    assert.match(shown, /Councils:\n {2}PRD: a\/one \(a\/one 70, a\/two 70; a tie\)\n/);
    assert.match(shown, /disagreement on risks of a\/two \(spread 9 of 20\): a\/one gave 18\n/);
    assert.match(text({ councils: [{ ...decided, opinions: [] }] }), /PRD: a\/one \(the only draft\)/);
  });

  it('says what was found in drafts, and what a council cost and gave', () => {
    const used = {
      calls: 3,
      ms: 2_500,
      input: 100,
      output: 20,
      cost: 0,
      isShared: false,
      texts: 8,
      examples: [],
    };
    const members = [
      { ...used, member: 'a/one', survived: 7 },
      { ...used, member: 'a/two', survived: 0, isShared: true },
    ];
    const ledger = { schema_version: 1, winner: 'a/one', members, soloWouldDo: true } as const;
    const fewer = { decided: 1, wanted: 2 };
    const council = {
      domain: 'beads' as const,
      winner: 'a/one',
      tie: false,
      totals: {},
      drafts: [],
      votes: [],
      checks: { 'a/two': ['No file.'] },
      fewer,
    };
    const shown = text({ councils: [{ ...council, opinions: [], ledger: { ...ledger, members } }] });
    for (const line of [
      'only 1 decided, although the quorum is 2',
      'found in a/two: No file.',
      'a/one: 3 calls, 2.5 s, 100 tokens in, 20 out; 7 of 8 texts are in the result',
      'a/two: 3 calls, 2.5 s, about 100 tokens in, about 20 out; 0 of 8 texts are in the result',
      'Nothing from the other drafts is in the result: a/one alone would have been enough.',
    ])
      assert.ok(shown.includes(`\n      ${line}`), line);
  });

  it('lists beads with their commits, and what the engine ran', () => {
    const beads = [
      { id: 'greet', title: 'Greet', status: 'done', iteration: 2, commit: sha },
      { id: 'leave', title: 'Leave', status: 'pending', iteration: 1, commit: null },
    ] as const;
    const common = {
      cwd: '/w',
      startedAt: 0,
      durationMs: 1_500,
      headSha256: '',
      outputSha256: '',
      outputBytes: 0,
      truncated: false,
      output: '',
    };
    const evidence = [
      { ...common, of: 'bead greet', command: 'npm test', exitCode: 0, signal: null, timedOut: false },
      {
        ...common,
        of: 'final test',
        command: 'npm run all',
        exitCode: null,
        signal: 'SIGKILL',
        timedOut: true,
      },
      {
        ...common,
        of: 'final test',
        command: 'npm run all',
        exitCode: null,
        signal: 'SIGSEGV',
        timedOut: false,
      },
    ] as unknown as Report['evidence'];
    const shown = text({ beads: [...beads], evidence });
    assert.match(
      shown,
      /greet: done, iteration 2, commit cccccccccc {2}Greet\n {2}leave: pending, iteration 1 {2}Leave/,
    );
    assert.match(shown, /bead greet: npm test → exit 0 \(1\.5 s\)/);
    assert.match(shown, /npm run all → timed out/);
    assert.match(shown, /npm run all → exit SIGSEGV/);
  });

  it('says of each iteration that failed why, in which tests, and where its work is', () => {
    const failed = {
      of: 'bead' as const,
      bead: 'greet',
      interrupted: false,
      advice: '',
      output: '',
      note: '',
    };
    const failures: Report['failures'] = [
      {
        ...failed,
        iteration: 1,
        reason: '`npm test` failed with exit code 1.',
        tests: ['greets', 'leaves'],
        ref: 'refs/beadsmith/TST-1/greet/1',
      },
      {
        ...failed,
        iteration: 2,
        interrupted: true,
        reason: '',
        tests: [],
        ref: 'refs/beadsmith/TST-1/greet/2',
      },
    ];
    const shown = text({ failures });
    assert.match(
      shown,
      /greet, iteration 1: `npm test` failed with exit code 1\.\n {6}tests: greets, leaves\n {6}kept: refs\S+\/1\n/,
    );
    assert.match(shown, /greet, iteration 2: interrupted\n {6}kept: refs\S+\/2/);
    assert.doesNotMatch(text(), /Failed attempts/);
  });

  it('says the same of the setup and the final test, with the note for the next attempt', () => {
    const failed = {
      bead: null,
      iteration: 2,
      interrupted: false,
      advice: '',
      output: '',
      tests: [],
      reason: 'No.',
      ref: '',
    };
    const shown = text({
      failures: [
        { ...failed, of: 'setup', note: 'Install\nmake.' },
        { ...failed, of: 'final_test', note: '' },
      ],
    });
    assert.match(
      shown,
      /Failed attempts:\n {2}setup, attempt 2: No\.\n {6}note: Install make\.\n {2}final test, attempt 2: No\.\n/,
    );
  });

  it('says no output twice', () => {
    const shown = text({
      error,
      failure: failure('checks_failed', { command: 'x', exit: 1 }, { about: 'no tools' }),
    });
    assert.equal(shown.split('no tools').length, 2);
  });

  it('tells what was delivered, also in short at the review', () => {
    const delivered: Partial<Report> = {
      finalTest: { passed: false, attempts: 2, commit: null },
      integration: {
        schema_version: 1,
        strategy: 'squash',
        mergeBase: sha,
        candidate: sha,
        presquashRef: 'r',
        commitCount: 3,
        files: [],
      },
      pullRequest: { title: 't', location: '/pr.md', branch: 'b', base: 'main' },
      merge: { schema_version: 1, disposition: 'closed_unmerged', mergeCommit: null, reason: '' },
    };
    const expected =
      /final test: failed\n {2}integrated: cccccccccc \(3 commits, squash\)\n {2}pull request: \/pr\.md\n {2}closed unmerged/;
    assert.match(text(delivered), expected);
    assert.match(text({ ...delivered, gate: 'review' }, [], true), expected);
    assert.doesNotMatch(text(delivered, [], true), /Delivery/);
  });

  it('says in short at the review what GitHub says of the pull request', () => {
    const facts: Report['facts'] = [
      { name: 'base', label: 'Base branch', text: 'main' },
      { name: 'pullRequest', label: 'Pull request', text: '#7 open, 1 failed' },
      { name: 'failedChecks', label: 'Failed checks', text: 'test failed\nhello is missing' },
      { name: 'pullRequestNews', label: 'Action required', text: 'It was merged elsewhere.' },
    ];
    const shown = text({ facts, gate: 'review' }, [], true);
    assert.match(
      shown,
      / {2}pull request: #7 open, 1 failed\n {2}failed checks: test failed\n {4}hello is missing\n {2}action required: It was/,
    );
    assert.doesNotMatch(shown, /base branch/);
    const location = 'https://github.com/octo/sample/pull/7';
    const pullRequest = { title: 't', location, branch: 'b', base: 'main' };
    const linked = facts.map((fact) => (fact.name === 'pullRequest' ? { ...fact, href: location } : fact));
    assert.equal(text({ facts: linked, gate: 'review', pullRequest }, [], true).split(location).length, 2);
    assert.doesNotMatch(text({ facts }, [], true), /pull request/);
  });

  it('says whether the journal is whole', () => {
    assert.match(text(), /journal: 12 entries, chain valid\n {2}models: 2 messages, 300 tokens in, 40 out/);
    assert.match(text({ journal: { ok: false, seq: 7 } as Report['journal'] }), /BROKEN at entry 7/);
  });

  it('says which limits are near', () => {
    const budgets: Report['budgets'] = [
      { scope: 'ticket', unit: 'tokens', limit: 'tokenCap', used: 699, cap: 1_000 },
      { scope: 'day', unit: 'minutes', limit: 'dayTimeCap', used: 8, cap: 10 },
    ];
    assert.match(text({ budgets }), /40 out\n {2}80% of today’s limit is used: 8 of 10 minutes\.$/);
  });

  it('lets no text of others reach the terminal as an order', () => {
    const shown = text({
      title: '\u001B[2Jgone',
      error: { code: 'X', message: 'a\u001B]0;b\u0007', nextStep: '\u202E', continuable: false },
    });
    assert.doesNotMatch(shown, /[\u001B\u0007\u202E]/);
  });
});

describe('what a person can type next', () => {
  const place = { cwd: '/repo/src', root: '/repo' };
  const next = (detail: TicketDetail): readonly string[] =>
    howToAnswer(detail, place).map((command) => command.replace('beadsmith ', ''));
  const words = (detail: TicketDetail): string[] =>
    next(detail).map((command) => command.split(' ')[0] ?? '');

  it('fits where the ticket stands', () => {
    for (const [status, expected] of [
      ['DRAFT', ['start']],
      ['WAITING_INTERVIEW_ANSWERS', ['answer', 'skip']],
      ['WAITING_PRD_APPROVAL', ['show', 'approve', 'edit', 'check-again', 'regenerate']],
      ['WAITING_BEADS_APPROVAL', ['beads', 'approve', 'edit', 'check-again', 'regenerate']],
      ['WAITING_MANUAL_QA', ['qa', 'skip']],
      ['WAITING_PR_REVIEW', ['merge', 'update-base', 'close', 'changes']],
      ['CODING', []],
    ] as const)
      assert.deepEqual(words(ticketDetail({ ticket: { status } })), expected, status);
  });

  it('names the document of the gate, and fixes gaps or checks again where that is allowed', () => {
    const detail = ticketDetail({
      gate: { artifact: 'prd', sha256: 'a'.repeat(64) },
      actions: ['approve', 'edit', 'fix_gaps', 'check_again'],
    });
    assert.deepEqual(next(detail).slice(0, 5), [
      'show TST-1 prd',
      'approve TST-1 --reason "why the gaps may stay"',
      'edit TST-1 prd --file FILE',
      'fix-gaps TST-1',
      'check-again TST-1',
    ]);
  });

  it('offers the choices of a question, as a shell takes them, and leaves only those of an agent to the agent', () => {
    const options = [
      { label: 'Accept', description: '' },
      { label: "Don't $(run)", description: '' },
    ];
    const questions = [{ header: 'h', text: 't', options, multiple: false, custom: true }];
    const asked = (source: string): readonly string[] => {
      const request = { id: 'r', source, since: 0, until: 1, content: { kind: 'question', questions } };
      const detail = ticketDetail({
        ticket: { status: 'CODING', hold: { kind: 'question', since: 0, detail: '', request } as never },
      });
      return next({ ...detail, view: { ...detail.view, actions: ['question_reply'] } });
    };
    const replies = [
      'reply TST-1 Accept',
      String.raw`reply TST-1 'Don'\''t $(run)'`,
      'reply TST-1 "your answer"',
    ];
    assert.deepEqual(asked('Beadsmith'), replies);
    assert.deepEqual(asked('scripted/alpha'), [...replies, 'reply TST-1 --decide']);
  });

  it('answers an agent, or resumes', () => {
    const request = { id: 'r', source: 'm', since: 0, until: 1 };
    const question = {
      kind: 'question',
      questions: [{ header: '', text: 'x', options: [], multiple: false, custom: true }],
    } as const;
    const permission = { kind: 'permission', permission: 'bash', patterns: [], command: 'ls' } as const;
    const held = (hold: object): TicketDetail =>
      ticketDetail({ ticket: { status: 'CODING', hold: hold as never } });
    assert.deepEqual(
      words(held({ kind: 'permission', since: 0, detail: '', request: { ...request, content: permission } })),
      ['allow', 'deny'],
    );
    const cut = { ...permission, cut: true } as const;
    assert.deepEqual(
      words(held({ kind: 'permission', since: 0, detail: '', request: { ...request, content: cut } })),
      ['deny'],
    );
    assert.deepEqual(
      words(held({ kind: 'question', since: 0, detail: '', request: { ...request, content: question } })),
      ['reply', 'reply'],
    );
    assert.deepEqual(words(held({ kind: 'paused', since: 0, detail: '' })), ['resume', 'cancel']);
  });

  it('raises the limit that blocked, and continues where that loses nothing', () => {
    const error = { code: 'BUDGET_EXHAUSTED', args: {}, continuable: true, diagnostics: {} } as never;
    const shown = { code: 'BUDGET_EXHAUSTED', message: '', nextStep: '', continuable: true };
    const detail = ticketDetail({
      ticket: { status: 'BLOCKED_ERROR', previousStatus: 'CODING', error },
      error: shown,
    });
    assert.deepEqual(words(detail), ['continue', 'limits', 'retry', 'cancel']);
    assert.deepEqual(
      words(ticketDetail({ ticket: { status: 'BLOCKED_ERROR' }, error: { ...shown, continuable: false } })),
      ['retry', 'cancel'],
    );
  });

  it('names the repository unless the person is in it', () => {
    for (const [cwd, expected] of [
      ['/repo', 'beadsmith list'],
      ['/repo/src', 'beadsmith list'],
      ['/', 'beadsmith list --repo /repo'],
      ['/repository', 'beadsmith list --repo /repo'],
    ] as const)
      assert.equal(commandLine('list', { cwd, root: '/repo' }), expected, cwd);
    assert.equal(
      commandLine('list', { cwd: '/', root: "/it's here" }),
      "beadsmith list --repo '/it'\\''s here'",
    );
  });
});
