import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { l10n } from 'vscode';
import type { Bead } from '../../../../src/domain/beads/bead.ts';
import { failure } from '../../../../src/domain/beads/failure.ts';
import { BeadReview } from '../../../../src/domain/workflow/receipts.ts';
import type { Status } from '../../../../src/domain/workflow/workflow.ts';
import type { ReviewThread } from '../../../../src/domain/findings/reviewThread.ts';
import { completeSettings } from '../../../../src/domain/settings/settings.ts';
import type { ErrorCode } from '../../../../src/domain/core/errors.ts';
import type { Ticket } from '../../../../src/domain/ticket/ticket.ts';
import type { TicketDetail } from '../../../../src/protocol/api.ts';
import type { RunView } from '../../../../src/protocol/history.ts';
import { TicketState } from '../../../../src/protocol/pages/ticket.ts';
import { type TicketFacts, ticketState } from '../../../../src/views/pages/ticketState.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';
import { forgeState } from '../../../support/forge/forgeState.ts';
import { sampleBead, sampleRun, sampleThread, sampleTicket } from '../../../support/samples.ts';

const stored = sampleTicket({
  title: '<b>A ticket</b>',
  description: 'What to do',
  priority: 2,
  status: 'CODING',
  revision: 7,
  baseBranch: 'main',
  branch: 'ticket/TST-1',
  worktree: '/w/TST-1',
  entry: { by: 'start', body: null },
  updatedAt: 2,
  startedAt: 3,
  settings: completeSettings({ mainImplementer: 'a/one', councilMembers: ['b/two'] }),
});
const run = (changes: Partial<RunView>): RunView => sampleRun({ exit: 'ready', ...changes });
const bead = (id: string, changes: Partial<Bead> = {}): Bead => sampleBead({ id, title: id, ...changes });
const artifact = (id: number, type: string, archived = false) => ({
  id,
  type,
  archived,
  sha256: String(id).repeat(64),
});

function state(changes: Partial<TicketFacts> = {}, detail: Partial<TicketDetail> = {}): TicketState {
  const view = ticketView({ status: 'CODING', label: 'Coding' });
  const facts: TicketFacts = {
    detail: { ticket: stored, view, gate: null, requests: [], idle: false, error: null, ...detail },
    isElsewhere: false,
    runs: [],
    beads: [],
    artifacts: [],
    reviews: new Map(),
    threads: [],
    findings: [],
    talk: null,
    context: [],
    failed: null,
    actions: [],
    qa: null,
    unsandboxed: '',
    nearCaps: [],
    cacheMisses: [],
    error: null,
    ...changes,
  };
  return TicketState.parse(ticketState(facts));
}

describe('the state of the ticket page', () => {
  const english = l10n.t;

  before(() => {
    mock.method(l10n, 't', (text: string, ...args: string[]) => `«${english(text, ...args)}»`);
  });

  after(() => mock.restoreAll());

  it('says what the ticket is, with all models of its council, and text as text', () => {
    const { head } = state();
    assert.deepEqual(
      [head.title, head.label, head.models, head.mood],
      ['<b>A ticket</b>', '«Coding»', ['a/one', 'b/two'], 'working'],
    );
  });

  it('shows no path of another machine', () => {
    const shown = (isElsewhere: boolean) => state({ isElsewhere }).head.facts.map(({ text }) => text);
    assert.ok(shown(false).includes('/w/TST-1'));
    assert.ok(!shown(true).includes('/w/TST-1'));
  });

  it('tells what kind of status it is in', () => {
    const mood = (view: Parameters<typeof ticketView>[0]): string =>
      state({}, { view: ticketView(view) }).head.mood;
    assert.equal(mood({ status: 'WAITING_PRD_APPROVAL', needsPerson: true }), 'waiting');
    assert.equal(mood({ status: 'CODING', hold: 'question', needsPerson: true }), 'waiting');
    assert.equal(mood({ status: 'BLOCKED_ERROR', needsPerson: true }), 'blocked');
    assert.deepEqual(
      [mood({ status: 'DRAFT' }), mood({ status: 'COMPLETED' }), mood({ status: 'CANCELED' })],
      ['draft', 'done', 'canceled'],
    );
  });

  it('cautions about what agents may do only while there is something to do', () => {
    const cautions = (status: Status): string =>
      state({ unsandboxed: 'Not in a sandbox.' }, { view: ticketView({ status }) }).head.unsandboxed;
    assert.deepEqual(
      [cautions('DRAFT'), cautions('CODING'), cautions('COMPLETED'), cautions('CANCELED')],
      ['Not in a sandbox.', 'Not in a sandbox.', '', ''],
    );
  });

  it('says beside the decision what is wrong with the pull request, and only while it is due', () => {
    const cause = failure('forge_step', { step: 'Run npm test', check: 'build' });
    const check = {
      name: 'build',
      id: 1,
      attempt: 1,
      onBase: false,
      conclusion: 'failure',
      failure: cause,
    };
    const { location } = forgeState();
    const news = { code: 'FORGE_CLOSED', args: { location }, continuable: false, diagnostics: {} } as const;
    const ticket = { ...stored, forge: { ...forgeState(), failures: [check], news } };
    const of = (status: Status) =>
      state({}, { ticket: { ...ticket, status }, view: ticketView({ status }) }).head.forgeNews;
    assert.deepEqual(of('WAITING_PR_REVIEW'), [
      `«The pull request was closed without merging: ${location}»\n«Reopen it there, or close the ticket without merging.»`,
      '«Failed checks on GitHub: build»',
    ]);
    assert.deepEqual(of('CODING'), []);
    assert.deepEqual(state().head.forgeNews, []);
  });

  it('names the part that matters now, and follows the ticket', () => {
    const gate = { artifact: 'prd', sha256: 'a'.repeat(64) };
    const due = (
      status: Ticket['status'],
      changes: Partial<TicketDetail> = {},
      beads: Bead[] = [],
    ): unknown => state({ beads }, { view: ticketView({ status }), ...changes }).due;
    assert.deepEqual(
      [due('DRAFT'), due('WAITING_INTERVIEW_ANSWERS'), due('VERIFYING_INTERVIEW_COVERAGE')],
      ['plan', 'plan', 'plan'],
      'questions stand in the plan, and stay there while a model reads the answers',
    );
    assert.deepEqual(
      [due('COMPILING_INTERVIEW'), due('WAITING_PRD_APPROVAL', { gate }), due('CODING')],
      ['work', 'plan', 'work'],
    );
    assert.deepEqual(
      [due('WAITING_MANUAL_QA'), due('WAITING_PR_REVIEW'), due('COMPLETED'), due('CANCELED')],
      ['review', 'review', 'review', null],
    );
    assert.deepEqual([due('BLOCKED_ERROR'), due('BLOCKED_ERROR', {}, [bead('one')])], [null, 'work']);
  });

  it('counts what the plan changes, each file and command once', () => {
    const beads = [
      bead('one', { targetFiles: ['a.ts', 'b.ts'], testCommands: ['npm test'] }),
      bead('two', { targetFiles: ['b.ts', 'c.ts'], testCommands: ['npm test', 'npm run lint'] }),
    ];
    assert.deepEqual(state({ beads }).plan, { files: 3, commands: ['npm test', 'npm run lint'] });
  });

  it('says that a limit was the cause, and how it continues once that is raised', () => {
    const raise = (code: ErrorCode, continuable = false): unknown => {
      const words = { message: 'No.', nextStep: 'Raise it.' };
      const ticket: Ticket = {
        ...stored,
        status: 'BLOCKED_ERROR',
        previousStatus: 'CODING',
        error: { code, args: {}, continuable, diagnostics: {} },
      };
      return state({ error: words }, { ticket, error: { code, ...words, continuable } }).error?.raise;
    };
    assert.deepEqual(
      [raise('BEAD_RETRY_BUDGET_EXHAUSTED'), raise('BUDGET_EXHAUSTED', true), raise('PROVIDER_ERROR', true)],
      ['retry', 'continue', null],
    );
  });

  it('shows an error with its diagnostics, and none where there is none', () => {
    const record = { code: 'DISK_FULL', args: {}, continuable: false, diagnostics: { free: 0 } } as const;
    const blocked = state(
      { error: { message: 'The disk is full.', nextStep: 'Make room.' } },
      { ticket: { ...stored, status: 'BLOCKED_ERROR', error: record } },
    );
    assert.deepEqual(blocked.error, {
      code: 'DISK_FULL',
      raise: null,
      isPaused: false,
      message: 'The disk is full.',
      nextStep: 'Make room.',
      tests: [],
      output: '',
      failed: null,
      diagnostics: '{\n  "free": 0\n}',
    });
    assert.equal(state().error, null);
  });

  it('shows the failing tests and the last lines of what failed', () => {
    const diagnostics = {
      failure: failure(
        'checks_failed',
        { command: 'npm test', exit: 1 },
        { tests: ['adds'], about: '1 !== 2' },
      ),
    };
    const error = { code: 'FINAL_TEST_FAILED', args: {}, continuable: false, diagnostics } as const;
    const blocked = state(
      { error: { message: 'No.', nextStep: '' } },
      { ticket: { ...stored, status: 'BLOCKED_ERROR', error } },
    );
    assert.deepEqual([blocked.error?.tests, blocked.error?.output], [['adds'], '1 !== 2']);
  });

  it('says whether any attempt failed', () => {
    const has = (type: string, archived = false) =>
      state({ artifacts: [artifact(1, type, archived)] }).hasFailures;
    assert.deepEqual(
      ['setup_failures', 'bead_failures:greet', 'final_test_failures', 'prd'].map((type) => has(type)),
      [true, true, true, false],
    );
    assert.equal(has('setup_failures', true), false);
  });

  it('puts runs below the part of the work they belong to, in the order of the work', () => {
    const runs = [
      run({ id: 'a', status: 'DRAFTING_PRD', label: 'Drafting' }),
      run({ id: 'b' }),
      run({
        id: 'c',
        status: 'DRAFTING_PRD',
        label: 'Drafting',
        attempt: 2,
        error: { code: 'DISK_FULL', message: 'Full.' },
      }),
    ];
    assert.deepEqual(
      state({ runs }).bands.map(({ label, runs: own }) => [
        label,
        own.map(({ id, attempt, error }) => [id, attempt, error?.code]),
      ]),
      [
        [
          '«PRD»',
          [
            ['a', 1, undefined],
            ['c', 2, 'DISK_FULL'],
          ],
        ],
        ['«Coding»', [['b', 1, undefined]]],
      ],
    );
  });

  it('puts the parts of the work in the order in which they began', () => {
    const runs = [
      run({ id: 'a', status: 'WAITING_INTERVIEW_APPROVAL' }),
      run({ id: 'b', status: 'DRAFTING_PRD' }),
      run({ id: 'c', status: 'DRAFTING_BEADS' }),
      run({ id: 'd', status: 'DRAFTING_PRD', attempt: 2 }),
    ];
    assert.deepEqual(
      state({ runs }).bands.map(({ name }) => name),
      ['interview', 'prd', 'beads'],
    );
  });

  it('says of beads since when they run, what they wait for, and which iterations came to nothing', () => {
    const iteration = (number: number, changes: object): RunView['iterations'][number] => ({
      run: `r1:bead:one:${String(number)}`,
      bead: 'one',
      iteration: number,
      state: 'closed',
      exit: 'rejected',
      stages: [],
      ...changes,
    });
    const common = {
      exit: null,
      interrupted: false,
      open: [],
      error: null,
      startedAt: 1_000,
      endedAt: null,
    } as const;
    const stages = [
      {
        ...common,
        stage: 'kickoff',
        state: 'failed',
        error: { code: 'SESSION_LOST', message: 'The session is gone.' },
        endedAt: 3_000,
      },
      { ...common, stage: 'check', state: 'done', exit: 'problems', endedAt: 2_000 },
      { ...common, stage: 'code', state: 'open' },
    ];
    const runs = [
      run({ iterations: [iteration(1, {}), iteration(2, { state: 'open', exit: null, stages })] }),
    ];
    const beads = [
      bead('one', { status: 'in_progress', iteration: 2, startedAt: '2026-01-02T03:04:05.000Z' }),
      bead('two', { dependencies: { blocked_by: ['one'], blocks: [] } }),
    ];
    const [one, two] = state({ runs, beads }).beads;
    assert.deepEqual(
      state({ runs, beads }).bands[0]?.runs.map(({ outcome, iterations }) => [
        outcome,
        iterations.map((own) => own.outcome),
      ]),
      [['«finished»', ['«rejected»', '«in progress»']]],
    );
    assert.equal(one?.startedAt, Date.parse('2026-01-02T03:04:05.000Z'));
    assert.deepEqual([one.label, two?.label], ['«in progress»', '«pending»']);
    assert.deepEqual(one.ended, [{ iteration: 1, exit: 'rejected' }]);
    assert.equal(one.stage, '«Coding»');
    assert.deepEqual(
      state({ runs, beads }).bands[0]?.runs[0]?.iterations[1]?.stages.map(
        ({ label, state: how, outcome, ms }) => [label, how, outcome, ms],
      ),
      [
        ['«Kickoff»', 'failed', '«failed: The session is gone.»', 2_000],
        ['«Checking»', 'done', '«problems found»', 1_000],
        ['«Coding»', 'open', '', null],
      ],
    );
    assert.deepEqual([two?.blockedBy, two?.startedAt], [['one'], null]);
  });

  it('offers review and councils only once there is something to see', () => {
    const artifacts = [
      artifact(1, 'prd_drafts'),
      artifact(2, 'beads_drafts', true),
      artifact(3, 'pull_request_report'),
    ];
    const shown = state({ artifacts });
    assert.deepEqual([shown.councils, shown.hasReview, state().hasReview], [['prd'], true, false]);
    assert.notEqual(shown.stamp, state({ artifacts: artifacts.slice(0, 2) }).stamp);
  });

  it('says of a bead what it came to, what a person said of that, and how it was checked', () => {
    const artifacts = [
      artifact(1, 'bead_diff:one', true),
      artifact(2, 'bead_diff:one'),
      artifact(3, 'bead_execution:one'),
    ];
    const said = (diff: string) => new Map([['one', review('one', diff)]]);
    const beads = [bead('one', { status: 'done' }), bead('two')];
    const shown = state(
      { artifacts, beads, reviews: said('2'.repeat(64)) },
      { view: ticketView({ status: 'CODING', actions: ['accept_bead'] }) },
    );
    const [one, two] = shown.beads;
    assert.deepEqual([one?.diff, one?.review?.isPresent, one?.hasEvidence], ['2'.repeat(64), true, true]);
    assert.deepEqual([two?.diff, two?.review, two?.hasEvidence], [null, null, false]);
    assert.deepEqual(shown.beadActions, { accept: true, reject: false });
    const [later] = state({ artifacts, beads, reviews: said('1'.repeat(64)) }).beads;
    assert.equal(later?.review?.isPresent, false, 'what was accepted was another diff');
  });

  it('counts the comments beside a bead: still to be sent, sent, and settled', () => {
    const threads = [
      thread('a', null),
      thread('b', 'sent-1'),
      thread('c', null, { resolved: true }),
      thread('d', null, { bead: 'two' }),
    ];
    const [one] = state({ beads: [bead('one')], threads }).beads;
    assert.deepEqual(one?.comments, { drafts: 1, sent: 1, resolved: 1 });
  });

  it('shows what agents ask whole, with what a permission is for', () => {
    const content = {
      kind: 'permission',
      permission: 'bash',
      patterns: ['*'],
      command: 'cat <b>x</b>',
    } as const;
    const request = {
      id: 'r',
      source: 'a/one',
      since: 1,
      until: 2,
      content: { ...content, patterns: ['*'] },
    };
    assert.deepEqual(state({}, { requests: [request] }).requests, [
      { ...request, may: '«run this»', refusal: '' },
    ]);
  });
});

function review(id: string, diff: string): BeadReview {
  return BeadReview.parse({
    schema_version: 1,
    bead_id: id,
    verdict: 'accepted',
    diff_sha256: diff,
    reason: '',
    reviewed_by: 'user',
    reviewed_at: '',
  });
}

function thread(id: string, sent: string | null, changes: Partial<ReviewThread> = {}): ReviewThread {
  return sampleThread({
    id,
    path: 'x.ts',
    line: 1,
    endLine: 1,
    comments: [{ id: '1', text: 'Hm', author: 'me', at: 1, sent }],
    ...changes,
  });
}
