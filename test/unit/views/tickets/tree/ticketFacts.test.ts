import assert from 'node:assert/strict';
import type { ArtifactInfo } from '../../../../../src/domain/ticket/artifacts.ts';
import { BeadReview } from '../../../../../src/domain/workflow/receipts.ts';
import { FakeClient, ticketView } from '../../../../support/fakes/fakeClient.ts';
import type { RunView } from '../../../../../src/protocol/history.ts';
import type { FactTree } from '../../../../../src/views/tickets/tree/facts.ts';
import { lateFacts } from '../../../../../src/views/tickets/tree/lateFacts.ts';
import type { Status } from '../../../../../src/domain/workflow/workflow.ts';
import { ticketFacts, type TicketParts } from '../../../../../src/views/tickets/tree/ticketFacts.ts';
import { TicketsBelow } from '../../../../../src/views/tickets/tree/ticketsBelow.ts';
import { bead } from '../../../adapters/store/samples.ts';

const accepted = BeadReview.parse({
  schema_version: 1,
  bead_id: 'one',
  verdict: 'accepted',
  diff_sha256: 'a'.repeat(64),
  reason: '',
  reviewed_by: 'user',
  reviewed_at: '',
});
const nothing = {
  artifacts: [],
  beads: [],
  runs: [],
  reviews: new Map(),
  findings: [],
  context: [],
  reviewNotes: [],
};

describe('what the tree tells of a ticket', () => {
  it('is nothing for a fresh draft', () => {
    assert.deepEqual(ticketFacts({ detail: detail(), ...nothing }), []);
  });

  it('lists what waits for the next reviewer beside the context, first', () => {
    const [group] = ticketFacts({
      detail: detail(),
      ...nothing,
      reviewNotes: [{ id: 'n1', text: 'Mind the names.', at: 1 }],
    });
    assert.deepEqual(group?.fact, { kind: 'contexts', count: 1 });
    assert.deepEqual(
      group.children.map(({ fact }) => fact),
      [{ kind: 'reviewNote', text: 'Mind the names.' }],
    );
  });

  it('tells the error first, then beads, artifacts, council, runs and the branch', () => {
    const error = { code: 'NO_COMMITS', args: {}, continuable: false, diagnostics: {} } as const;
    const facts = ticketFacts({
      detail: detail({ error, branch: 'ticket/TST-1' }),
      artifacts: [info('prd'), info('prd_drafts')],
      beads: [bead('one')],
      runs: [run({ id: 'r1' })],
      reviews: new Map([['one', accepted]]),
      findings: [],
      context: [],
      reviewNotes: [],
    });
    assert.deepEqual(keys(facts), ['error', 'beads', 'artifacts', 'council', 'calls', 'runs', 'branch']);
  });

  it('tells an error of a budget as a pause', () => {
    const error = { code: 'BUDGET_EXHAUSTED', args: {}, continuable: true, diagnostics: {} } as const;
    const first = (hold: TicketParts['detail']['ticket']['hold']): unknown =>
      ticketFacts({ detail: detail({ error, hold }), ...nothing })[0]?.fact;
    assert.deepEqual(first({ kind: 'budget', since: 0, detail: '' }), {
      kind: 'error',
      error,
      isPause: true,
    });
    assert.deepEqual(first(null), { kind: 'error', error, isPause: false });
  });

  it('tells the place of a bead, what it waits for, its iterations, and where its evidence is', () => {
    const beads = [
      { ...bead('one'), status: 'done' as const },
      { ...bead('two'), dependencies: { blocked_by: ['one'], blocks: [] } },
      { ...bead('three'), dependencies: { blocked_by: ['one', 'two'], blocks: [] } },
    ];
    const stage = {
      stage: 'check',
      state: 'open',
      exit: null,
      interrupted: false,
      open: [],
      error: null,
      startedAt: 1,
      endedAt: null,
    } as const;
    const stages = [stage];
    const iterations = [
      { run: 'i1', bead: 'one', iteration: 1, state: 'closed', exit: 'rejected', stages } as const,
      { run: 'i2', bead: 'two', iteration: 1, state: 'open', exit: null, stages } as const,
    ];
    const [group] = ticketFacts({
      detail: detail(),
      artifacts: [info('bead_execution:one'), info('bead_diff:one')],
      beads,
      runs: [run({ iterations })],
      reviews: new Map([['one', accepted]]),
      findings: [],
      context: [],
      reviewNotes: [],
    });
    const [one, two, three] = group?.children ?? [];
    assert.deepEqual(keys(one?.children ?? []), ['beads/one/evidence', 'beads/one/diff', 'beads/one/i1']);
    assert.deepEqual(one?.children[2]?.children, [
      { key: 'beads/one/i1/0', fact: { kind: 'stage', stage }, children: [] },
    ]);
    assert.deepEqual(
      [one, two].map((tree) => tree?.fact.kind === 'bead' && tree.fact.stage),
      [null, 'check'],
      'the stage of a bead is that of its open iteration',
    );
    assert.deepEqual(
      [one, two].map((tree) => tree?.fact.kind === 'bead' && tree.fact.verdict),
      ['accepted', null],
    );
    assert.deepEqual(two?.fact.kind === 'bead' && [two.fact.position, two.fact.total, two.fact.waitsFor], [
      2,
      3,
      [],
    ]);
    assert.deepEqual(three?.fact.kind === 'bead' && three.fact.waitsFor, ['two']);
  });

  it('offers to accept and reject a finished bead until the ticket is finished', () => {
    const beads = [{ ...bead('one'), status: 'done' as const }, bead('two')];
    const offers = (status: Status): unknown => {
      const view = ticketView({ status, beadsDone: 1, beadsTotal: 2 });
      const [group] = ticketFacts({ ...nothing, detail: { ...detail(), view }, beads });
      return group?.children.map(({ fact }) => fact.kind === 'bead' && fact.offers);
    };
    assert.deepEqual(offers('CODING'), [['acceptBead', 'rejectBead'], []]);
    assert.deepEqual(offers('COMPLETED'), [[], []]);
  });

  it('lists known documents in the order of the work, then the rest, each with its versions, the newest first', () => {
    const artifacts = [
      info('merge_report'),
      info('prd', 1, true),
      info('prd', 2),
      info('interview'),
      info('prd_votes'),
    ];
    const group = ticketFacts({ detail: detail(), ...nothing, artifacts }).find(
      ({ key }) => key === 'artifacts',
    );
    assert.deepEqual(keys(group?.children ?? []), [
      'artifacts/interview',
      'artifacts/prd',
      'artifacts/merge_report',
    ]);
    assert.deepEqual(keys(group?.children[1]?.children ?? []), ['artifacts/prd/2', 'artifacts/prd/1']);
  });

  it('lists runs with the newest first', () => {
    const facts = ticketFacts({ detail: detail(), ...nothing, runs: [run({ id: 'r1' }), run({ id: 'r2' })] });
    const group = facts.find(({ key }) => key === 'runs');
    assert.deepEqual(keys(group?.children ?? []), ['runs/r2', 'runs/r1']);
  });
});

describe('what is read when a person looks', () => {
  it('is the draft of each member with its score, the winner first, and who voted', async () => {
    const client = new FakeClient();
    const draft = (member: string) => ({
      member,
      outcome: 'completed',
      content: '',
      sha256: null,
      error: null,
      metrics: {},
    });
    client.documents.set(
      'prd_drafts',
      JSON.stringify({ schema_version: 1, drafts: [draft('a/one'), draft('a/two')] }),
    );
    client.documents.set(
      'prd_winner',
      JSON.stringify({
        schema_version: 1,
        winner: 'a/two',
        totals: { 'a/one': 60, 'a/two': 80 },
        tie: false,
      }),
    );
    const votes = [{ voter: 'a/one', outcome: 'timed_out', order: [], scores: {}, error: null }];
    client.documents.set('prd_votes', JSON.stringify({ schema_version: 1, votes }));
    const council: FactTree = {
      key: 'c',
      fact: { kind: 'council', domain: 'prd', drafts: true, votes: true },
      children: [],
      late: true,
    };
    const facts = await lateFacts(client, 'TST-1', council);
    assert.deepEqual(
      facts.map(({ fact }) =>
        fact.kind === 'draft'
          ? [fact.member, fact.score, fact.isWinner]
          : fact.kind === 'vote'
            ? [fact.voter, fact.outcome]
            : [],
      ),
      [
        ['a/two', 80, true],
        ['a/one', 60, false],
        ['a/one', 'timed_out'],
      ],
    );
  });

  it('is nothing when a document can not be read', async () => {
    const client = new FakeClient();
    client.documents.set('bead_execution:one', '{"schema_version": 99}');
    const evidence: FactTree = {
      key: 'e',
      fact: { kind: 'evidence', bead: 'one', artifact: 'bead_execution:one', version: 1 },
      children: [],
      late: true,
    };
    assert.deepEqual(await lateFacts(client, 'TST-1', evidence), []);
  });

  it('reads why iterations failed, the newest first', async () => {
    const client = new FakeClient();
    const failed = { interrupted: false, failure: null, note: '', ref: 'r' };
    const failures = [1, 2].map((iteration) => ({ ...failed, iteration }));
    client.documents.set('bead_failures:one', JSON.stringify({ schema_version: 1, failures }));
    const fact = { kind: 'failures', artifact: 'bead_failures:one', version: 1 } as const;
    const read = await lateFacts(client, 'TST-1', { key: 'f', fact, children: [], late: true });
    assert.deepEqual(keys(read), ['f/2', 'f/1']);
  });
});

describe('TicketsBelow', () => {
  const place = { root: '/sample', ticket: 'TST-1' };
  const facts = (parts: Partial<TicketParts>): readonly FactTree[] =>
    ticketFacts({ detail: detail(), ...nothing, ...parts });

  it('answers only the groups that differ', () => {
    const below = new TicketsBelow();
    below.set(place, facts({ beads: [bead('one')], artifacts: [info('prd')] }));
    assert.deepEqual(below.update(place, facts({ beads: [bead('one')], artifacts: [info('prd')] })), []);
    const changed = below.update(
      place,
      facts({ beads: [{ ...bead('one'), iteration: 2 }], artifacts: [info('prd')] }),
    );
    assert.deepEqual(changed !== 'all' && keys(changed), ['beads']);
    assert.equal(below.update(place, facts({ beads: [bead('one')] })), 'all');
  });

  it('finds each line and what it lies below, also what was read late', () => {
    const below = new TicketsBelow();
    below.set(place, facts({ artifacts: [info('prd_drafts')] }));
    const [council] = facts({ artifacts: [info('prd_drafts')] })[0]?.children ?? [];
    assert.ok(council);
    const late: FactTree = { key: `${council.key}/draft/a`, fact: { kind: 'councils' }, children: [] };
    below.setLate(place, council, [late]);
    below.update(place, facts({ artifacts: [info('prd_drafts')], runs: [run({})] }));
    assert.equal(below.parentOf({ ...place, key: late.key })?.key, council.key);
    assert.deepEqual(below.tickets('/sample'), ['TST-1']);
  });
});

function keys(facts: readonly FactTree[]): readonly string[] {
  return facts.map(({ key }) => key);
}

function info(type: string, version = 1, archived = false): ArtifactInfo {
  const common = {
    ticket: 'TST-1',
    status: 'CODING',
    attempt: 1,
    sha256: 'a'.repeat(64),
    bytes: 1,
    createdAt: 0,
  } as const;
  return { ...common, id: version, type, version, archived };
}

function run(changes: Partial<RunView>): RunView {
  const common = {
    id: 'r1',
    status: 'CODING',
    label: 'Coding',
    attempt: 1,
    state: 'closed',
    exit: null,
    startedAt: 0,
    endedAt: 1,
  } as const;
  return { ...common, error: null, iterations: [], ...changes };
}

function detail(ticket: Partial<TicketParts['detail']['ticket']> = {}): TicketParts['detail'] {
  const stored: TicketParts['detail']['ticket'] = {
    id: 'TST-1',
    title: 'A ticket',
    description: '',
    priority: 3,
    status: 'DRAFT',
    previousStatus: null,
    revision: 0,
    attempts: {},
    settings: null,
    limits: null,
    baseBranch: null,
    baseCommit: null,
    branch: null,
    worktree: null,
    entry: { by: '', body: null },
    hold: null,
    error: null,
    createdAt: 0,
    updatedAt: 0,
    startedAt: null,
    ...ticket,
  };
  return { ticket: stored, view: ticketView(), requests: [], gate: null, idle: true, error: null };
}
