import assert from 'node:assert/strict';
import { failure } from '../../../../../src/domain/beads/failure.ts';
import { beadStages } from '../../../../../src/domain/beads/beadStages.ts';
import { rowOf, statuses } from '../../../../../src/domain/workflow/workflow.ts';
import type { RunView } from '../../../../../src/protocol/history.ts';
import { documentTypes } from '../../../../../src/views/documents/documentTypes.ts';
import { factParts, factTarget } from '../../../../../src/views/tickets/tree/factItems.ts';
import type { BeadFact, Fact } from '../../../../../src/views/tickets/tree/facts.ts';
import { type ItemParts, toItem, tooltipOf } from '../../../../../src/views/tickets/tree/rowItems.ts';
import { durationText } from '../../../../../src/views/tickets/tree/listText.ts';
import { Nodes } from '../../../../../src/views/tickets/tree/nodes.ts';

const node = new Nodes().fact({ root: '/sample', ticket: 'TST-1' }, 'key', {});
const parts = (fact: Fact, below: readonly Fact[] = []): ItemParts =>
  factParts(node, {
    key: 'key',
    fact,
    children: below.map((one, index) => ({ key: String(index), fact: one, children: [] })),
  });
const tooltip = (of: ItemParts): string => {
  const made = tooltipOf(of);
  return typeof made === 'string' ? made : made.value;
};
const spoken = (fact: Fact): string => toItem('id', parts(fact)).accessibilityInformation?.label ?? '';

const bead = (changes: Partial<BeadFact> = {}): BeadFact => ({
  kind: 'bead',
  bead: 'greet',
  title: 'Greet people',
  status: 'pending',
  iteration: 1,
  stage: null,
  verdict: null,
  offers: [],
  position: 2,
  total: 3,
  waitsFor: [],
  ...changes,
});
const artifact = {
  kind: 'artifact',
  artifact: 'prd',
  version: 2,
  archived: false,
  createdAt: 0,
  versions: 2,
} as const;
const run: Omit<RunView, 'iterations'> = {
  id: 'r',
  status: 'CODING',
  label: 'Coding',
  attempt: 1,
  state: 'closed',
  exit: null,
  startedAt: 0,
  endedAt: 90_000,
  error: null,
};
const stage = {
  stage: 'check',
  state: 'done',
  exit: 'passed',
  interrupted: false,
  open: [],
  error: null,
  startedAt: 0,
  endedAt: 2_500,
} as const;

describe('a line below a ticket', () => {
  for (const status of ['pending', 'in_progress', 'done', 'error'] as const)
    it(`says of a bead that is ${status} where it stands, and offers what can be done to it`, () => {
      const offers = status === 'done' ? (['acceptBead', 'rejectBead'] as const) : [];
      const made = parts(bead({ status, offers }));
      assert.equal(made.label, 'Greet people');
      assert.match(made.description ?? '', /^2\/3/);
      assert.equal(made.context, `${['bead', status, ...offers].join(';')};`);
      const state = { pending: 'pending', in_progress: 'in progress', done: 'done', error: 'failed' }[status];
      assert.ok(spoken(bead({ status })).startsWith(`Bead 2 of 3, Greet people, ${state}`));
      assert.ok(tooltip(made).startsWith(`greet\n${state}`));
    });

  it('says of a bead what it waits for, its iteration and stage, and what a person thinks of it', () => {
    assert.equal(parts(bead({ waitsFor: ['one', 'two'] })).description, '2/3 · depends on one, two');
    assert.equal(
      parts(bead({ status: 'in_progress', iteration: 2, stage: 'check' })).description,
      '2/3 · iteration 2 · Checking',
    );
    assert.equal(parts(bead({ status: 'done' })).description, '2/3', 'one try is the usual');
    assert.equal(parts(bead({ status: 'done', verdict: 'rejected' })).description, '2/3 · rejected by you');
    assert.equal(parts(bead({ status: 'done', verdict: 'accepted' })).icon, 'verified-filled');
  });

  for (const type of documentTypes)
    it(`opens ${type}, the version it stands for if that is an old one`, () => {
      const opened = (fact: Fact): string => parts(fact).uri?.toString() ?? '';
      const [current, old] = [
        { ...artifact, artifact: type },
        { ...artifact, artifact: type, archived: true },
      ];
      assert.match(opened(current), /^beadsmith:\/\/sample-[0-9a-f]{8}\/TST-1\/[a-z-]+\.[a-z]+$/);
      assert.equal(opened(old), `${opened(current)}?version=2`);
      assert.equal(opened({ ...current, kind: 'version' }), opened(old));
      // The editor itself would show Markdown as text.
      const isRendered = type === 'pull_request_report';
      assert.equal(parts(current).command?.command, isRendered ? 'beadsmith.showArtifact' : 'vscode.open');
      const [target] = (parts(old).command?.arguments ?? []) as readonly {
        readonly artifact?: string;
        readonly version?: number;
      }[];
      if (isRendered) assert.deepEqual([target?.artifact, target?.version], [type, 2]);
      assert.doesNotMatch(parts(current).label, /_/, 'it has a name for people');
    });

  it('names an archived document and its versions', () => {
    assert.equal(parts({ ...artifact, versions: 1, version: 1 }).description, '');
    assert.equal(parts(artifact).description, 'version 2');
    assert.equal(parts({ ...artifact, archived: true }).description, 'version 2 · archived');
    assert.match(parts({ ...artifact, kind: 'version', archived: true }).description ?? '', /^archived · /);
    assert.equal(parts({ ...artifact, artifact: 'bead_diff:greet' }).icon, 'diff');
    assert.equal(
      parts({ ...artifact, artifact: 'constructor' }).label,
      'Constructor',
      'a name that every object has',
    );
  });

  for (const [name, { label, exits }] of Object.entries(beadStages))
    it(`says of the stage ${name} how it ended, for every exit it has`, () => {
      for (const exit of Object.keys(exits)) {
        const { label: shown, description = '' } = parts({
          kind: 'stage',
          stage: { ...stage, stage: name, exit },
        });
        assert.equal(shown, label);
        assert.match(description, /^\p{L}.* · 2\.5 s$/u, exit);
      }
      assert.equal(
        parts({ kind: 'stage', stage: { ...stage, stage: name, state: 'open', exit: null, endedAt: null } })
          .description,
        'in progress',
      );
    });

  it('says of what was interrupted that nobody rejected it', () => {
    const interrupted = { ...stage, exit: 'failed', interrupted: true };
    assert.equal(parts({ kind: 'stage', stage: interrupted }).description, 'interrupted · 2.5 s');
    const iteration = {
      run: 'i',
      bead: 'greet',
      iteration: 3,
      state: 'closed',
      exit: 'rejected',
      stages: [interrupted],
    } as const;
    assert.equal(parts({ kind: 'iteration', iteration }).description, 'greet · interrupted');
    assert.equal(
      parts({ kind: 'iteration', iteration: { ...iteration, exit: 'accepted' } }).description,
      'greet · accepted',
    );
  });

  it('warns of a stage that failed, with its reason', () => {
    const error = { code: 'MODEL_FAILED', message: 'The model is overloaded.' };
    const made = parts({ kind: 'stage', stage: { ...stage, state: 'failed', error } });
    assert.deepEqual([made.icon, made.description], ['warning', 'failed: The model is overloaded. · 2.5 s']);
  });

  for (const state of ['open', 'closed', 'superseded', 'archived'] as const)
    it(`says of a run and of an iteration that is ${state} how it stands`, () => {
      const [made, tried] = [
        parts({ kind: 'run', run: { ...run, state, attempt: 2 } }),
        parts({
          kind: 'iteration',
          iteration: { run: 'i', bead: 'greet', iteration: 3, state, exit: null, stages: [] },
        }),
      ];
      assert.match(made.description ?? '', /^attempt 2 · [a-z ]+ · 2 min$/);
      assert.equal(made.context, `run;${state};`);
      assert.deepEqual([tried.label, tried.context], ['Iteration 3', `iteration;${state};`]);
      assert.match(tried.description ?? '', /^greet · [a-z ]+$/);
    });

  it('names every exit of every status in words, never as the workflow does', () => {
    for (const status of statuses)
      for (const exit of Object.keys(rowOf(status).exits))
        assert.doesNotMatch(
          parts({ kind: 'run', run: { ...run, status, exit } }).description ?? '',
          /_/,
          `${status} ${exit}`,
        );
    const passed = { ...run, status: 'WAITING_EXECUTION_SETUP_APPROVAL', exit: 'passed_by_policy' } as const;
    assert.match(parts({ kind: 'run', run: passed }).description ?? '', /passed by policy/);
  });

  it('says of a command whether it passed, how it ended and how long it took', () => {
    const command = {
      kind: 'command',
      command: 'npm test',
      passed: true,
      exitCode: 0,
      durationMs: 61_000,
    } as const;
    assert.deepEqual([parts(command).icon, parts(command).description], ['pass', 'exit 0 · 1 min']);
    const stopped = parts({ ...command, passed: false, exitCode: null });
    assert.deepEqual([stopped.icon, stopped.description], ['error', 'stopped · 1 min']);
  });

  it('says of an iteration that failed why', () => {
    const why = failure('checks_failed', { command: 'npm test', exit: 1 });
    const failed = {
      kind: 'failure',
      bead: 'greet',
      iteration: 2,
      interrupted: false,
      failure: why,
    } as const;
    assert.deepEqual(
      [parts(failed).label, parts(failed).description],
      ['Iteration 2', '`npm test` failed with exit code 1.'],
    );
    assert.equal(parts({ ...failed, failure: null }).description, 'failed');
    assert.deepEqual(factTarget(failed), { bead: 'greet', iteration: 2 });
  });

  it('has the icon of a pause, not of an error, where a limit pauses the ticket', () => {
    const error = { code: 'BUDGET_EXHAUSTED', args: {}, continuable: true, diagnostics: {} } as const;
    const look = (isPause: boolean): unknown => {
      const { icon, color } = parts({ kind: 'error', error, isPause });
      return [icon, color];
    };
    assert.deepEqual(look(true), ['debug-pause', 'problemsWarningIcon.foreground']);
    assert.deepEqual(look(false), ['error', 'problemsErrorIcon.foreground']);
  });

  it('is read to people without sight, has a context for menus, and a tooltip', () => {
    const facts: readonly Fact[] = [
      { kind: 'error', error: { code: 'NO_COMMITS', args: {}, continuable: false, diagnostics: {} } },
      { kind: 'line', line: { name: 'branch', label: 'Branch', icon: 'git-branch', text: 'ticket/TST-1' } },
      { kind: 'line', line: { name: 'started', label: 'Started', icon: 'calendar', at: 0 } },
      { kind: 'beads', done: 1, total: 2 },
      { kind: 'evidence', bead: 'greet', artifact: 'bead_execution:greet', version: 1 },
      { kind: 'verdict', outcome: 'timed_out', reason: '' },
      { kind: 'failures', artifact: 'bead_failures:greet', version: 1 },
      { kind: 'failure', bead: 'greet', iteration: 2, interrupted: true, failure: null },
      { kind: 'reviewNote', text: 'Mind the names.' },
      { kind: 'artifacts', count: 4 },
      { kind: 'councils' },
      { kind: 'council', domain: 'prd', drafts: true, votes: false },
      { kind: 'draft', domain: 'prd', member: 'a/one', outcome: 'timed_out', score: 70, isWinner: false },
      { kind: 'vote', domain: 'prd', voter: 'a/one', outcome: 'invalid_output' },
      { kind: 'calls', news: 1 },
      { kind: 'runs', count: 2 },
    ];
    for (const fact of facts) {
      assert.ok(spoken(fact).length > 2 && !/undefined|_/.test(spoken(fact)), fact.kind);
      assert.match(parts(fact).context, /^[a-z]/, fact.kind);
      assert.ok(tooltip(parts(fact)).length > 0, fact.kind);
    }
    assert.equal(
      spoken({
        kind: 'draft',
        domain: 'prd',
        member: 'a/one',
        outcome: 'timed_out',
        score: 70,
        isWinner: true,
      }),
      'a/one, won · 70 of 100 · timed out',
    );
  });

  it('is unfolded only where evidence lies below, and tells commands what it is about', () => {
    assert.equal(parts(bead(), [{ kind: 'councils' }]).folded, true);
    assert.equal(
      parts({ kind: 'evidence', bead: 'greet', artifact: 'a', version: 1 }, [{ kind: 'councils' }]).folded,
      false,
    );
    assert.equal(parts(bead()).folded, undefined);
    assert.deepEqual(factTarget(bead()), { bead: 'greet' });
    assert.deepEqual(
      factTarget({ kind: 'draft', domain: 'prd', member: '', outcome: '', score: null, isWinner: false }),
      {
        artifact: 'prd_drafts',
      },
    );
  });
});

describe('durationText', () => {
  for (const [ms, expected] of [
    [0, '0.0 s'],
    [-5_000, '0.0 s'],
    [9_949, '9.9 s'],
    [9_960, '10 s'],
    [59_499, '59 s'],
    [59_500, '1 min'],
    [3_569_999, '59 min'],
    [3_599_999, '1.0 h'],
    [90_000_000, '25.0 h'],
  ] as const)
    it(`makes ${expected} of ${String(ms)} ms`, () => {
      assert.equal(durationText(ms), expected);
    });
});
