import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import type { ArtifactInfo } from '../../../../src/domain/ticket/artifacts.ts';
import { approvalHash } from '../../../../src/domain/documents/workDocuments.ts';
import type { TicketDetail } from '../../../../src/protocol/api.ts';
import { ApprovalState } from '../../../../src/protocol/pages/approval.ts';
import { approvalState } from '../../../../src/views/pages/approvalState.ts';
import { bead } from '../../../support/storeContract/samples.ts';
import { FakeClient, ticketView } from '../../../support/fakes/fakeClient.ts';
import { storedInterview, storedPrd, storedSetup } from './approvalDocuments.ts';

const winner = stringify({
  schema_version: 1,
  winner: 'a/one',
  totals: { 'a/one': 80, 'a/two': 60 },
  tie: false,
});
const score = {
  coverage: 16,
  correctness: 16,
  testability: 16,
  decomposition: 16,
  risks: 16,
  reason: 'Clear.',
};

describe('the state of the approval page', () => {
  let client: FakeClient;
  let detail: TicketDetail;
  let plan: readonly ArtifactInfo[];

  beforeEach(() => {
    client = new FakeClient();
    detail = atGate('WAITING_PRD_APPROVAL', 'prd');
    plan = [];
    client.ticket = () => Promise.resolve(detail);
    client.artifacts = () =>
      Promise.resolve([...[...client.documents.keys()].map((type) => info(type, 1)), ...plan]);
    store('interview', storedInterview());
    store('prd', storedPrd());
  });

  it('holds each document as a value, with the hash that an approval of it carries', async () => {
    const state = await read();
    assert.deepEqual(
      state.documents.map(({ artifact, sha256 }) => [artifact, sha256]),
      [
        ['interview', 'a'.repeat(64)],
        ['prd', 'a'.repeat(64)],
      ],
    );
    assert.deepEqual(state.documents[1]?.value, storedPrd());
    assert.deepEqual(
      [state.gate, state.working, state.can],
      [
        'prd',
        false,
        { approve: true, fixGaps: false, checkAgain: true, regenerate: true, planInFull: false },
      ],
    );
  });

  it('says which documents can be edited, and which edit throws something away', async () => {
    assert.deepEqual(await edits(), { interview: 'rewind', prd: 'save' });
    detail = { ...detail, view: { ...detail.view, actions: ['approve', 'regenerate'] } };
    assert.deepEqual(await edits(), { interview: 'no', prd: 'no' });
  });

  it('lists open gaps, and offers to fix them only if there are any', async () => {
    const passes = [
      { pass: 1, status: 'gaps', gaps: ['No word on empty names.'], candidate: 'a'.repeat(64) },
    ];
    store('prd_coverage', {
      schema_version: 1,
      passes,
      outcome: 'limit',
      open_gaps: ['No word on empty names.'],
    });
    const state = await read();
    assert.deepEqual(state.documents[1]?.gaps, ['No word on empty names.']);
    assert.equal(state.can.fixGaps, false, 'the ticket says what can be done');
    detail = { ...detail, view: ticketView({ status: 'WAITING_PRD_APPROVAL', openGaps: true }) };
    assert.equal((await read()).can.fixGaps, true);
  });

  it('says why the check ended, and what was put back', async () => {
    const passes = [{ pass: 1, status: 'gaps', gaps: ['A gap.'], candidate: 'a'.repeat(64) }];
    store('prd_coverage', { schema_version: 1, passes, outcome: 'no_progress', open_gaps: ['A gap.'] });
    store('prd_losses', {
      schema_version: 1,
      steps: [{ step: 'refine', put_back: ['risk: "Old"'], dropped: ['epic EPIC-2'] }],
    });
    const { notes } = (await read()).documents[1] ?? { notes: [] };
    assert.deepEqual(
      notes.map(({ text, args }) => [text.slice(0, 30), ...args]),
      [
        ['Checks: {0}. They ended becaus', 1],
        ['Removed by the model (undeclar', 'risk: "Old"'],
        ['Changed by the model (declared', 'epic EPIC-2'],
      ],
    );
  });

  it('tells who won, who voted how, and whose draft inspired which change', async () => {
    client.documents.set('prd_winner', winner);
    const draft = { outcome: 'completed', content: '', sha256: null, error: null, metrics: {} };
    const drafts = ['a/two', 'a/one', 'a/three'].map((member) => ({ ...draft, member }));
    store('prd_drafts', { schema_version: 1, drafts });
    const vote = {
      voter: 'a/two',
      outcome: 'completed',
      order: ['a/one'],
      scores: { 'a/one': score },
      error: null,
    };
    store('prd_votes', { schema_version: 1, votes: [vote] });
    const changes = ['Draft 2', 3, undefined].map((alternative_draft) => ({
      type: 'added',
      item_type: 'epic',
      after: { id: 'EPIC-1', title: 'Greeting' },
      inspiration: alternative_draft === undefined ? null : { alternative_draft },
    }));
    store('prd_refined', { changes });
    store('full_answers:a/one', storedInterview());
    const council = (await read()).documents[1]?.council;
    assert.deepEqual(council?.votes[0]?.scores, { 'a/one': { sum: 80, reason: 'Clear.' } });
    assert.deepEqual(
      [council.winner, council.totals, council.drafts.map(({ member }) => member)],
      ['a/one', { 'a/one': 80, 'a/two': 60 }, ['a/two', 'a/one', 'a/three']],
    );
    // The winner saw its own draft first, then the others in the council's order.
    assert.deepEqual(
      council.changes.map(({ after, inspiredBy }) => [after, inspiredBy]),
      [
        ['EPIC-1 Greeting', 'a/two'],
        ['EPIC-1 Greeting', 'a/three'],
        ['EPIC-1 Greeting', null],
      ],
    );
    assert.deepEqual((await read()).documents[1]?.fullAnswers, storedInterview());
  });

  it('calls changed items by their titles, also where a change only has their ids', async () => {
    client.documents.set('prd_winner', winner);
    const story = (id: string, title: string): unknown => ({ id, title });
    const epics = (title: string): unknown => ({
      epics: [{ id: 'EPIC-1', title: 'Greeting', user_stories: [story('US-1-1', title)] }],
    });
    const content = stringify(epics('Greet'));
    store('prd_drafts', {
      schema_version: 1,
      drafts: [{ member: 'a/one', outcome: 'completed', content, sha256: null, error: null, metrics: {} }],
    });
    const changed = { type: 'modified', item_type: 'user_story', inspiration: null };
    store('prd_refined', {
      ...(epics('Greet by name') as object),
      changes: [
        { ...changed, before: { id: 'US-1-1' }, after: { id: 'US-1-1' } },
        { ...changed, before: 'US-1-1', after: 'EPIC-1' },
        { ...changed, before: { id: 'US-9-9', label: 'Gone' }, after: 'Something new' },
      ],
    });
    assert.deepEqual(
      (await read()).documents[1]?.council?.changes.map(({ before, after }) => [before, after]),
      [
        ['US-1-1 Greet', 'US-1-1 Greet by name'],
        ['US-1-1 Greet', 'EPIC-1 Greeting'],
        ['US-9-9 Gone', 'Something new'],
      ],
    );
  });

  it('shows a plan by its rows and its own hash, and earlier versions, the newest first', async () => {
    detail = atGate('WAITING_BEADS_APPROVAL', 'beads');
    client.beads = () => Promise.resolve({ beads: [bead('one')], sha256: 'b'.repeat(64) });
    plan = [1, 2, 3].map((version) => info('beads', version));
    const shown = (await read()).documents.at(-1);
    assert.deepEqual(
      [shown?.artifact, shown?.version, shown?.sha256, shown?.edit],
      ['beads', 3, 'b'.repeat(64), 'save'],
    );
    assert.deepEqual(
      shown?.earlier.map(({ version }) => version),
      [2, 1],
    );
  });

  it('asks about both documents of a quick ticket at once, by one hash over what is shown', async () => {
    detail = atGate('WAITING_PLAN_APPROVAL', 'beads');
    const documents = [
      { artifact: 'prd', sha256: 'a'.repeat(64) },
      { artifact: 'beads', sha256: 'b'.repeat(64) },
    ];
    detail = { ...detail, gate: { artifact: 'beads', sha256: 'c'.repeat(64), documents } };
    client.beads = () => Promise.resolve({ beads: [bead('one')], sha256: 'b'.repeat(64) });
    plan = [info('beads', 1)];
    const { gate, together, sha256 } = await read();
    assert.deepEqual(
      [gate, together, sha256],
      ['beads', ['prd', 'beads'], approvalHash(documents.map((document) => document.sha256))],
    );
    assert.deepEqual(await edits(), { interview: 'no', prd: 'save', beads: 'save' });
  });

  it('takes the gaps of a setup plan from the plan', async () => {
    detail = atGate('WAITING_EXECUTION_SETUP_APPROVAL', 'execution_setup_plan');
    store('execution_setup_plan', storedSetup());
    assert.deepEqual((await read()).documents.at(-1)?.gaps, ['No linter.']);
  });

  it('says why a document can only be read as text, and does not offer to edit it', async () => {
    client.documents.set('prd', 'epics: 7\n');
    const prd = (await read()).documents[1];
    assert.match(prd?.problem ?? '', /schema_version: /);
    assert.equal(prd?.edit, 'no');
  });

  function store(type: string, document: unknown): void {
    client.documents.set(type, stringify(document));
  }

  async function read(): Promise<ApprovalState> {
    return ApprovalState.parse(await approvalState(client, 'TST-1'));
  }

  async function edits(): Promise<Record<string, string>> {
    return Object.fromEntries((await read()).documents.map(({ artifact, edit }) => [artifact, edit]));
  }
});

function atGate(
  status:
    | 'WAITING_PRD_APPROVAL'
    | 'WAITING_BEADS_APPROVAL'
    | 'WAITING_PLAN_APPROVAL'
    | 'WAITING_EXECUTION_SETUP_APPROVAL',
  artifact: string,
): TicketDetail {
  return {
    ticket: { id: 'TST-1', status, hold: null },
    view: ticketView({ id: 'TST-1', status }),
    gate: { artifact, sha256: 'a'.repeat(64) },
    idle: true,
    error: null,
  } as unknown as TicketDetail;
}

function info(type: string, version: number): ArtifactInfo {
  const place = { ticket: 'TST-1', status: 'REFINING_PRD', attempt: 1, archived: false } as const;
  return { ...place, id: version, type, version, sha256: 'a'.repeat(64), bytes: 1, createdAt: version };
}
