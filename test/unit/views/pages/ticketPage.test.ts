import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import type { ArtifactInfo } from '../../../../src/domain/ticket/artifacts.ts';
import type { Bead } from '../../../../src/domain/beads/bead.ts';
import { failure } from '../../../../src/domain/beads/failure.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { holeText } from '../../../../src/domain/links/holes.ts';
import { normalPrd } from '../../../../src/domain/requirements/prd.ts';
import { ticketPage as ticketPageContract, TicketState } from '../../../../src/protocol/pages/ticket.ts';
import type { CallTexts, LogPage } from '../../../../src/protocol/history.ts';
import { definePage } from '../../../../src/views/pages/pageKind.ts';
import { ticketPage } from '../../../../src/views/pages/ticketPage.ts';
import type { Workbench } from '../../../../src/views/shared/workbench.ts';
import { editor } from '../../../support/fakes/fakeEditor.ts';
import { reviewedPlace } from '../../../support/fakes/reviewedPlace.ts';
import { FakePlace, type TicketChanges } from '../../../support/fakes/ticketPlace.ts';
import { interviewDocument, prd } from '../../../support/models/planningAnswers.ts';
import { viewedFiles } from '../../../support/fakes/viewedFiles.ts';
import { until } from '../../../support/until.ts';
import { sampleCall, sampleProof, sampleProposal, sampleRun } from '../../../support/samples.ts';

const page = definePage(ticketPage);
const sha256 = 'a'.repeat(64);
const run = sampleRun({
  id: 'TST-1/1/CODING',
  iterations: [
    {
      run: 'TST-1/1/CODING/greet',
      bead: 'greet',
      iteration: 1,
      state: 'closed',
      exit: 'accepted',
      stages: [],
    },
  ],
});
const call = (id: string, changes: Partial<CallTexts> = {}): CallTexts => ({
  ...sampleCall({ id, run: run.id, member: 'demo/main' }),
  input: 'What to do',
  output: 'Done',
  plan: '{"prompt":"coding"}',
  ...changes,
});

function evidenceOf(work: string, commit: string, command: string): unknown {
  const isLast = work === 'final_test';
  return sampleProof({
    of: isLast ? work : 'bead',
    bead: isLast ? null : work,
    commit,
    tree: commit,
    commands: [{ command, exitCode: 0, signal: null, timedOut: false, durationMs: 1 }],
  });
}

describe('the requests of a ticket’s page', () => {
  const errors: unknown[] = [];
  const workbench = {
    logError: (_what: string, error: unknown) => errors.push(error),
    viewed: viewedFiles(),
    repositories: { trusted: true },
  } as unknown as Workbench;
  let place: FakePlace;

  beforeEach(() => {
    editor.reset();
    errors.length = 0;
    place = of({ ticket: { status: 'WAITING_PRD_APPROVAL' }, actions: ['approve', 'edit'] });
  });

  function of(changes: TicketChanges): FakePlace {
    const made = new FakePlace(changes);
    made.client.history.pastRuns = [run];
    return made;
  }
  const serve = (method: string, params: unknown = {}): Promise<unknown> =>
    page.serve(method, params, place, workbench);
  const ran = (): readonly unknown[] => editor.ran[0] ?? [];

  it('refuses methods and parameters that the contract doesn’t know', async () => {
    await assert.rejects(serve('deleteEverything'), { code: 'INVALID_INPUT' });
    await assert.rejects(serve('toString'), { code: 'INVALID_INPUT' });
    await assert.rejects(serve('call', { id: 7 }), { code: 'INVALID_INPUT' });
    await assert.rejects(serve('act', { kind: 'accept_bead', body: { bead: 'greet', sha256: 'short' } }), {
      code: 'INVALID_INPUT',
    });
    assert.deepEqual(place.sent, []);
  });

  it('lists what is linked, and what is missing as sentences', async () => {
    place.client.documents.set('interview', stringify(interviewDocument()));
    const lost = {
      ...prd,
      epics: prd.epics.map((epic) => ({
        ...epic,
        user_stories: epic.user_stories.map((story) => ({ ...story, interview_refs: ['Q01', 'Q09'] })),
      })),
    };
    place.client.documents.set(
      'prd',
      stringify(normalPrd(lost, { ticketId: 'TST-1', interviewSha256: sha256 })),
    );
    const { criteria, holes } = ticketPageContract.requests.links.result.parse(await serve('links'));
    assert.deepEqual([criteria[0]?.id, criteria[0]?.questions], ['US-1-1.AC1', ['Q01']]);
    assert.deepEqual(holes.map(holeText), [
      'No story names Q02 in interview_refs, and no audit says why nothing follows from its answer.',
      'The story US-1-1 names Q09 in interview_refs, which is no question of the interview.',
    ]);
  });

  it('run a command that is offered, about this ticket', async () => {
    assert.deepEqual(await serve('run', { command: 'approve' }), {});
    assert.deepEqual(ran(), ['beadsmith.approve', { root: '/sample', ticket: 'TST-1' }]);
  });

  it('run nothing that isn’t offered now, whatever a page asks for', async () => {
    for (const command of ['merge', 'retry', 'workbench.action.closeWindow', 'acceptBead'])
      await assert.rejects(serve('run', { command }), { code: 'STATUS_CONFLICT' }, command);
    assert.deepEqual(editor.ran, []);
  });

  it('tell of each file of a bead whether it was viewed, its comments, and what ran on it', async () => {
    const diff = { from: sha256.slice(0, 40), to: 'b'.repeat(40), sha256 };
    const file = (path: string, blob: string) =>
      ({ path, oldPath: null, change: 'modified', binary: false, blob }) as const;
    const files = [file('a.ts', 'one'), file('b.ts', 'two')];
    place.client.diffs.set({ ...diff, scope: { kind: 'bead', bead: 'greet' }, files });
    const later = [file('a.ts', 'one'), file('b.ts', 'three')];
    place.client.diffs.set({ ...diff, scope: { kind: 'ticket' }, to: 'c'.repeat(40), files: later });
    for (const [work, commit, command] of [
      ['greet', 'b', 'npm test'],
      ['final_test', 'c', 'npm run all'],
    ] as const)
      place.client.documents.set(
        `commit_evidence:${work}`,
        JSON.stringify(evidenceOf(work, commit.repeat(40), command)),
      );
    await serve('viewed', { bead: 'greet', path: 'b.ts', blob: 'two', viewed: true });
    const told = ticketPageContract.requests.beadFiles.result.parse(
      await serve('beadFiles', { bead: 'greet' }),
    );
    assert.deepEqual(
      told.files.map(({ path, viewed, comments, commands }) => [
        path,
        viewed,
        comments,
        commands.map(({ command }) => command),
      ]),
      [
        ['a.ts', false, 0, ['npm test', 'npm run all']],
        ['b.ts', true, 0, ['npm test']],
      ],
    );
  });

  it('offer the changes before the merge until each bead has a verdict', async () => {
    for (const [beads, first] of [
      [{ a: 'accepted', b: 'none' }, 'reviewChanges'],
      [{ a: 'accepted', b: 'empty' }, 'merge'],
    ] as const) {
      const { actions } = await ticketPage.build(reviewedPlace(beads), workbench);
      assert.equal(actions.find(({ name }) => ['reviewChanges', 'merge'].includes(name))?.name, first);
    }
  });

  for (const [kind, body] of [
    ['retry', { note: '' }],
    ['question_reply', { request: 'req-1', answers: [['80']] }],
    ['permission_reply', { request: 'req-1', allow: false }],
    ['accept_bead', { bead: 'greet', sha256, reason: '' }],
    ['changes', { items: [{ text: 'Too loud.', bead: 'greet', rejects: sha256 }] }],
    ['qa', { results: { 'qa-v1-001': { result: 'pass', observation: '' } } }],
  ] as const)
    it(`send ${kind}, and report the result`, async () => {
      assert.deepEqual(await serve('act', { kind, body }), { state: 'consumed' });
      assert.deepEqual(place.sent, [[kind, body]]);
    });

  it('ask for a pairing code where the device isn’t one of the team’s', async () => {
    place.client.act = () => Promise.reject(new BeadsmithError('DEVICE_UNKNOWN'));
    await assert.rejects(serve('act', { kind: 'approve', body: { sha256, reason: '' } }), {
      code: 'DEVICE_UNKNOWN',
    });
    assert.match(editor.shown[0]?.text ?? '', /pairing code/);
    assert.equal(editor.shown[0]?.buttons[0], 'Enter Pairing Code…');
  });

  it('open evidence, documents and diffs by their commands', async () => {
    for (const [command, target] of [
      ['showEvidence', { bead: 'greet' }],
      ['showArtifact', { artifact: 'prd' }],
      ['showDiff', { scope: 'ticket' }],
      ['showDiff', { bead: 'greet' }],
      ['showDiff', { bead: 'greet', iteration: 2 }],
    ] as const) {
      editor.reset();
      await serve('open', { command, ...target });
      assert.deepEqual(ran(), [`beadsmith.${command}`, { root: '/sample', ticket: 'TST-1', ...target }]);
    }
  });

  it('open nothing that does more than show something', async () => {
    for (const command of ['verifyEvidence', 'merge', 'cancel'])
      await assert.rejects(serve('open', { command }), { code: 'INVALID_INPUT' }, command);
    assert.deepEqual(editor.ran, []);
  });

  it('list the newest calls first, with the status or iteration they belong to', async () => {
    place.client.history.pastCalls = [
      call('1'),
      call('2', { run: 'TST-1/1/CODING/greet' }),
      call('3', { run: 'unknown' }),
    ];
    const { calls, total } = (await serve('calls')) as {
      calls: { id: string; label: string }[];
      total: number;
    };
    assert.deepEqual(
      calls.map(({ id, label }) => [id, label]),
      [
        ['3', ''],
        ['2', 'Coding'],
        ['1', 'Coding'],
      ],
    );
    assert.equal(total, 3);
  });

  it('say what the ticket cost so far, and what tickets like it cost', async () => {
    place.client.history.pastCalls = [call('1'), call('2')];
    const effort = ticketPageContract.requests.effort.result.parse(await serve('effort'));
    assert.deepEqual(effort, { calls: 2, money: null });
    const { calls, money } = ticketPageContract.requests.estimate.result.parse(await serve('estimate')) ?? {};
    assert.deepEqual([typeof calls?.low, money], ['number', null]);
    assert.equal(await page.serve('estimate', {}, of({ ticket: { settings: null } }), workbench), null);
  });

  it('list five hundred calls at most, and say how many there are', async () => {
    place.client.history.pastCalls = Array.from({ length: 501 }, (_, index) => call(String(index)));
    const { calls, total } = (await serve('calls')) as { calls: { id: string }[]; total: number };
    assert.deepEqual([calls.length, calls[0]?.id, calls.at(-1)?.id, total], [500, '500', '1', 501]);
  });

  it('show the texts of a call, cut where they would make the page slow', async () => {
    place.client.history.pastCalls = [call('1', { input: 'x'.repeat(400_001), plan: 'no document: [' })];
    const { input, output, plan } = (await serve('call', { id: '1' })) as Record<
      string,
      { text: string; isCut: boolean }
    >;
    assert.deepEqual([input?.text.length, input?.isCut], [400_000, true]);
    assert.deepEqual(output, { text: 'Done', isCut: false });
    assert.equal(plan?.isCut, false);
    await assert.rejects(serve('call', { id: '9' }), { code: 'STATUS_CONFLICT' });
  });

  it('copy the whole of a text', async () => {
    place.client.history.pastCalls = [call('1', { input: 'x'.repeat(400_001) })];
    await serve('copyCall', { id: '1', part: 'input' });
    assert.equal(editor.clipboard.length, 400_001);
  });

  it('show what failed, the newest first, with why, what helps, the note and where the work is', async () => {
    const ref = 'refs/beadsmith/TST-1/greet/1';
    const failed = { iteration: 1, interrupted: false, note: 'Greet louder.', ref };
    const checks = failure(
      'checks_failed',
      { command: 'npm test', exit: 1 },
      { tests: ['greets'], about: 'too quiet' },
    );
    const stored = {
      'bead_failures:greet': [{ ...failed, failure: checks }],
      setup_failures: [{ ...failed, failure: null, interrupted: true, ref: '' }],
      final_test_failures: [{ ...failed, iteration: 2, failure: failure('never_red') }],
    };
    place.client.beads = () => Promise.resolve({ beads: [{ id: 'greet' } as Bead], sha256 });
    for (const [type, failures] of Object.entries(stored))
      place.client.documents.set(type, JSON.stringify({ schema_version: 1, failures }));
    place.client.artifacts = () =>
      Promise.resolve(Object.keys(stored).map((type) => ({ type, archived: false }) as ArtifactInfo));
    const failures = ticketPageContract.requests.failures.result.parse(await serve('failures'));
    assert.deepEqual(
      failures.map(({ of: work, bead, iteration }) => [work, bead, iteration]),
      [
        ['final_test', null, 2],
        ['bead', 'greet', 1],
        ['setup', null, 1],
      ],
    );
    const { reason, advice, tests, output, note } = failures[1] ?? {};
    assert.deepEqual(
      [reason, tests, output, note],
      ['`npm test` failed with exit code 1.', ['greets'], 'too quiet', 'Greet louder.'],
    );
    assert.match(String(advice), /^Retry with a note/);
    assert.deepEqual([failures[2]?.interrupted, failures[2]?.reason], [true, '']);
  });

  it('show what was proved of each commit, oldest first, and what a person accepted', async () => {
    const commit = 'c'.repeat(40);
    const ran = { command: 'npm test', exitCode: 1, signal: null, timedOut: false, durationMs: 1_500 };
    const proof = (of: 'bead' | 'final_test', bead: string | null, more: object) =>
      sampleProof({
        of,
        bead,
        commit,
        tree: commit,
        proved_at: '2026-11-23T08:00:00.000Z',
        commands: [{ ...ran, ...more }],
      });
    const receipt = {
      schema_version: 1,
      bead_id: 'greet',
      commit,
      content_sha256: sha256,
      accepted_by: 'user',
      accepted_at: '2026-11-23T08:00:00.000Z',
      weakenings: [{ kind: 'skipped', path: 'a.test.js', line: 3, text: 'it.skip()' }],
    };
    const stored = {
      'commit_evidence:final_test': proof('final_test', null, { exitCode: null, signal: 'SIGKILL' }),
      'commit_evidence:greet': proof('bead', 'greet', {
        knownFailures: ['adds'],
        without: { tree: commit, exitCode: 1 },
        counts: { ran: 3, passed: 2, failed: 1, skipped: null },
      }),
      'weakened_tests_receipt:greet': receipt,
    };
    for (const [type, content] of Object.entries(stored))
      place.client.documents.set(type, JSON.stringify(content));
    const info = (id: number, type: string, archived = false) => ({ id, type, archived }) as ArtifactInfo;
    place.client.artifacts = () =>
      Promise.resolve([
        info(1, 'commit_evidence:greet'),
        info(3, 'commit_evidence:greet'),
        info(2, 'commit_evidence:old', true),
        info(4, 'commit_evidence:final_test'),
        info(5, 'prd'),
      ]);
    const commits = ticketPageContract.requests.evidence.result.parse(await serve('evidence'));
    assert.deepEqual(
      commits.map(({ of: work, bead, commands }) => [work, bead, commands[0]?.signal]),
      [
        ['bead', 'greet', null],
        ['final_test', null, 'SIGKILL'],
      ],
    );
    assert.deepEqual(
      commits.map(({ weakened }) => weakened?.weakenings.map(({ kind, path }) => [kind, path])),
      [[['skipped', 'a.test.js']], undefined],
    );
  });

  it('have no review before there is a pull request', async () => {
    await assert.rejects(serve('review'), { code: 'STATUS_CONFLICT' });
  });

  it('show the pull request with the tests of the last attempt', async () => {
    const evidence = (command: string, exitCode: number, tail = '') => ({
      command,
      cwd: '/w',
      exitCode,
      signal: null,
      timedOut: false,
      startedAt: 0,
      durationMs: 1_500,
      head: 'the head',
      tail,
      headSha256: sha256,
      outputSha256: sha256,
      outputBytes: 8,
      truncated: false,
    });
    const attempt = (number: number, exitCode: number) => ({
      number,
      commands: ['npm test'],
      evidence: [evidence('npm test', exitCode)],
      passed: exitCode === 0,
    });
    place.client.documents.set('pull_request_report', JSON.stringify(sampleProposal()));
    const tests = {
      schema_version: 1,
      attempts: [attempt(1, 1), attempt(2, 0)],
      passed: true,
      commit: null,
      regression: [evidence('npm run all', 1, 'the tail')],
      summary: '',
    };
    place.client.documents.set('final_test_report', JSON.stringify(tests));
    const review = ticketPageContract.requests.review.result.parse(await serve('review'));
    assert.equal(review.title, 'TST-1: Greet');
    assert.deepEqual(
      review.tests.map(({ exitCode, output }) => [exitCode, output]),
      [[0, 'the head']],
    );
    assert.deepEqual(
      review.regression.map(({ exitCode, output }) => [exitCode, output]),
      [[1, 'the tail']],
    );
  });

  it('read the log with the page’s search, so many lines at a time', async () => {
    place.client.history.lines = [{ number: 1 }] as never;
    const { lines } = (await serve('log', { text: 'error' })) as LogPage;
    assert.deepEqual(lines, [{ number: 1 }]);
  });

  it('only look where nobody may act', () => {
    for (const method of ['log', 'calls', 'call', 'review', 'evidence', 'failures', 'open', 'tokens'])
      assert.ok(page.isReadOnly(method), method);
    for (const method of ['run', 'act', 'toString']) assert.ok(!page.isReadOnly(method), method);
  });

  it('log a command that failed, because the page doesn’t wait for it', async () => {
    const { commands } = await import('../../../support/fakes/fakeEditor.ts');
    const { executeCommand } = commands;
    commands.executeCommand = () => Promise.reject(new Error('no such command'));
    try {
      await serve('run', { command: 'approve' });
      await until(() => errors.length > 0, 'the failure is logged');
    } finally {
      commands.executeCommand = executeCommand;
    }
    assert.match(String(errors[0]), /no such command/);
  });

  describe('the state', () => {
    const build = async (): Promise<TicketState> => TicketState.parse(await page.build(place, workbench));

    it('is complete for a ticket that only just began', async () => {
      const state = await build();
      assert.deepEqual(
        [state.head.id, state.head.title, state.beads, state.requests],
        ['TST-1', 'Greet people', [], []],
      );
    });

    it('offers what can be done now, with icon and words apart', async () => {
      const { actions } = await build();
      const approve = actions.find(({ name }) => name === 'approve');
      assert.ok(approve);
      assert.doesNotMatch(approve.label, /\$\(/);
      assert.deepEqual([approve.icon === '', approve.part], [false, 'plan']);
    });

    it('offers nothing beside a document or a question that stands there itself', async () => {
      const gate = { artifact: 'prd', sha256 };
      const actions = ['approve', 'check_again', 'regenerate', 'pause'] as const;
      const names = async (): Promise<readonly string[]> => (await build()).actions.map(({ name }) => name);
      place = of({ ticket: { status: 'WAITING_PRD_APPROVAL' }, actions: [...actions], gate });
      assert.deepEqual(await names(), ['approve', 'pause']);
      place = of({ ticket: { status: 'WAITING_INTERVIEW_ANSWERS' }, actions: ['answer', 'skip'] });
      assert.deepEqual(await names(), ['openInterview']);
      place = of({ ticket: { status: 'WAITING_MANUAL_QA' }, actions: ['qa', 'skip'] });
      assert.deepEqual(await names(), ['skip', 'qa']);
    });

    it('offers to continue only where that is possible', async () => {
      const error = {
        code: 'PROVIDER_QUOTA',
        args: { member: 'demo/main', reason: 'slow down' },
        continuable: true,
        diagnostics: {},
      } as never;
      for (const [actions, offered] of [
        [['continue', 'retry'], true],
        [['retry'], false],
      ] as const) {
        place = of({ ticket: { status: 'BLOCKED_ERROR', previousStatus: 'CODING', error }, actions });
        assert.equal(
          (await build()).actions.some(({ name }) => name === 'continue'),
          offered,
        );
      }
    });

    it('says whose provider gives nothing from its cache, how often, and what to do', async () => {
      assert.deepEqual((await build()).head.cacheMisses, []);
      place.client.history.missing = [{ member: 'demo/main', misses: 3, since: 1 }];
      const [text = '', ...more] = (await build()).head.cacheMisses;
      assert.match(
        text,
        /demo\/main reported no cache hits for 3 consecutive calls.*Check that caching is on/,
      );
      assert.deepEqual(more, []);
    });

    it('gives the tab its title', async () => {
      place.become({ view: { needsPerson: true } });
      const state = await build();
      assert.equal(page.title('TST-1', undefined), 'TST-1');
      assert.equal(page.title('TST-1', state), 'TST-1: Approve the PRD');
      place.become({ ticket: { status: 'CODING' } });
      assert.match(page.title('TST-1', await build()), /^TST-1.*Greet people/);
      const request = {
        id: 'r',
        source: 'demo/main',
        since: 0,
        until: 1,
        content: { kind: 'permission', permission: 'bash', patterns: [], command: 'ls' },
      } as const;
      place = of({
        ticket: { status: 'CODING' },
        requests: [{ ...request, content: { ...request.content, patterns: [] } }],
      });
      assert.notEqual(page.title('TST-1', await build()), page.title('TST-1', state));
    });

    it('shows no checklist outside of manual QA', async () => {
      const checklist = {
        schema_version: 1,
        round: 1,
        items: [{ id: 'qa-v1-001', title: 'Greeting', actions: ['Run it'] }],
      };
      place.client.documents.set('manual_qa_checklist', JSON.stringify(checklist));
      assert.equal((await build()).qa, null);
      place.become({ ticket: { status: 'WAITING_MANUAL_QA' } });
      assert.equal((await build()).qa?.items.length, 1);
    });
  });
});
