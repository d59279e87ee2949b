import assert from 'node:assert/strict';
import type { RequestContent } from '../../../../../src/domain/ticket/agentRequest.ts';
import type { ArtifactInfo } from '../../../../../src/domain/ticket/artifacts.ts';
import { BeadReview } from '../../../../../src/domain/workflow/receipts.ts';
import type { DiffFile } from '../../../../../src/protocol/review.ts';
import { FakeClient, ticketView } from '../../../../support/fakes/fakeClient.ts';
import { FakePlace } from '../../../../support/fakes/ticketPlace.ts';
import { viewedFiles } from '../../../../support/fakes/viewedFiles.ts';
import { type FactTree, late, node } from '../../../../../src/views/tickets/tree/facts.ts';
import { lateFacts } from '../../../../../src/views/tickets/tree/lateFacts.ts';
import type { Status } from '../../../../../src/domain/workflow/workflow.ts';
import {
  readParts,
  ticketFacts,
  type TicketParts,
} from '../../../../../src/views/tickets/tree/ticketFacts.ts';
import { TicketsBelow } from '../../../../../src/views/tickets/tree/ticketsBelow.ts';
import { bead } from '../../../../support/storeContract/samples.ts';
import { sampleTicket } from '../../../../support/samples.ts';

const accepted = BeadReview.parse({
  schema_version: 1,
  bead_id: 'one',
  verdict: 'accepted',
  diff_sha256: 'a'.repeat(64),
  reason: '',
  reviewed_by: 'user',
  reviewed_at: '',
});
const beadFact = {
  kind: 'bead',
  bead: 'one',
  title: 'One',
  iteration: 1,
  stage: null,
  verdict: null,
  offers: [],
  position: 1,
  total: 1,
  waitsFor: [],
} as const;
const place = { root: '/sample', ticket: 'TST-1' };
const changed = { oldPath: null, change: 'modified', binary: false } as const;
const documentFact = { artifact: 'prd', version: 1, archived: false, createdAt: 0, versions: 1 };
const nothing = { artifacts: [], beads: [], reviews: new Map(), viewed: new Map() };
import { forgeState } from '../../../../support/forge/forgeState.ts';

describe('what the tree tells of a ticket', () => {
  it('is nothing for a fresh draft', () => {
    assert.deepEqual(ticketFacts({ detail: detail(), ...nothing }), []);
  });

  it('tells what blocks it, what it asks, its beads in order, and that there are details', () => {
    const error = { code: 'NO_COMMITS', args: {}, continuable: false, diagnostics: {} } as const;
    const content: RequestContent = { kind: 'permission', permission: 'bash', patterns: [], command: 'ls' };
    const facts = ticketFacts({
      ...nothing,
      detail: {
        ...detail({ error, branch: 'ticket/TST-1' }),
        requests: [{ id: 'r1', source: 'a/one', since: 0, until: 1, content }],
      },
      artifacts: [info('prd'), info('prd_drafts')],
      beads: [bead('two'), bead('one')],
      reviews: new Map([['one', accepted]]),
    });
    assert.deepEqual(keys(facts), ['error', 'requests/r1', 'beads/two', 'beads/one', 'details']);
  });

  it('reads no more than that, and no diff, of a ticket that is unfolded', async () => {
    const { client } = new FakePlace();
    client.beads = () => Promise.resolve({ beads: [{ ...bead('one'), status: 'done' }], sha256: '' });
    const unused = (): never => assert.fail('nobody asked for it');
    client.context = unused;
    client.findings.list = unused;
    client.findings.waitingNotes = unused;
    client.history.runs = unused;
    client.diffs.diff = unused;
    assert.deepEqual(keys(ticketFacts(await readParts(client, 'TST-1', viewedFiles().of(place)))), [
      'beads/one',
    ]);
  });

  it('counts the viewed files of a bead, once a person viewed one', async () => {
    const { client } = new FakePlace();
    client.beads = () => Promise.resolve({ beads: [bead('one'), bead('two')], sha256: '' });
    const files = ['a.ts', 'b.ts'].map((path) => ({ ...changed, path, blob: 'a'.repeat(40) }));
    client.diffs.set({ scope: { kind: 'bead', bead: 'one' }, from: '', to: '', sha256: '', files });
    const viewed = viewedFiles();
    await viewed.mark(place, 'one', { path: 'a.ts', blob: 'a'.repeat(40) }, true);
    const count = async (): Promise<unknown> =>
      ticketFacts(await readParts(client, 'TST-1', viewed.of(place))).map(
        ({ fact }) => fact.kind === 'bead' && fact.viewed,
      );
    assert.deepEqual(await count(), [{ viewed: 1, total: 2 }, undefined]);
    const again = files.map((file) => ({ ...file, blob: 'b'.repeat(40) }));
    client.diffs.set({ scope: { kind: 'bead', bead: 'one' }, from: '', to: '', sha256: '', files: again });
    assert.deepEqual(await count(), [{ viewed: 0, total: 2 }, undefined]);
  });

  it('tells of a pull request while the ticket waits for it, and its news first', () => {
    const news = { code: 'FORGE_CLOSED', args: {}, continuable: false, diagnostics: {} } as const;
    const at = (published: boolean) => {
      const view = ticketView({ status: 'WAITING_PR_REVIEW', published });
      return ticketFacts({ ...nothing, detail: { ...detail({ forge: { ...forgeState(), news } }), view } });
    };
    assert.deepEqual(
      at(true).map(({ fact }) => fact),
      [
        { kind: 'error', error: news },
        { kind: 'pullRequest', look: '#7 open', location: 'https://github.com/octo/sample/pull/7' },
      ],
    );
    assert.deepEqual(at(false), []);
  });

  it('tells of the issue that it was imported from, with its state once that was seen', () => {
    const url = 'https://github.com/octo/sample/issues/12';
    const origin = {
      kind: 'issue',
      host: 'github.com',
      owner: 'octo',
      name: 'sample',
      number: 12,
      url,
    } as const;
    const first = (changes: Parameters<typeof detail>[0]): unknown =>
      ticketFacts({ ...nothing, detail: detail({ origin, ...changes }) })[0]?.fact;
    assert.deepEqual(first({}), { kind: 'issue', look: 'octo/sample#12', location: url });
    assert.deepEqual(first({ forge: { ...forgeState(), issue: 'closed' } }), {
      kind: 'issue',
      look: 'octo/sample#12 closed',
      location: url,
    });
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

  it('tells the place of a bead, what it waits for, its stage, and what a person thinks of it', () => {
    const beads = [
      { ...bead('one'), status: 'done' as const },
      { ...bead('two'), status: 'in_progress' as const },
      { ...bead('three'), dependencies: { blocked_by: ['one', 'two'], blocks: [] } },
    ];
    const coding = { bead: 'two', title: '', number: 2, iteration: 1, stage: 'check' };
    const view = ticketView({ status: 'CODING', coding });
    const facts = ticketFacts({
      ...nothing,
      detail: { ...detail(), view },
      beads,
      reviews: new Map([['one', accepted]]),
    });
    const told = facts.map(({ fact, late }) =>
      fact.kind === 'bead'
        ? [fact.position, fact.total, fact.stage, fact.verdict, fact.waitsFor, late]
        : fact.kind,
    );
    assert.deepEqual(told, [
      [1, 3, null, 'accepted', [], true],
      [2, 3, 'check', null, [], true],
      [3, 3, null, null, ['two'], undefined],
    ]);
  });

  it('offers to accept and reject a finished bead until the ticket is finished', () => {
    const beads = [{ ...bead('one'), status: 'done' as const }, bead('two')];
    const offers = (status: Status): unknown => {
      const view = ticketView({ status, beadsDone: 1, beadsTotal: 2 });
      const facts = ticketFacts({ ...nothing, detail: { ...detail(), view }, beads });
      return facts.map(({ fact }) => fact.kind === 'bead' && fact.offers);
    };
    assert.deepEqual(offers('CODING'), [['acceptBead', 'rejectBead'], []]);
    assert.deepEqual(offers('COMPLETED'), [[], []]);
  });
});

describe('what is read when a person looks', () => {
  const done: FactTree = late('beads/one', { ...beadFact, status: 'done' });
  const details: FactTree = late('details', { kind: 'details', news: '' });

  it('is what a bead changed, or that it changed nothing', async () => {
    const client = new FakeClient();
    assert.deepEqual(await lateFacts(client, 'TST-1', done), [
      { key: 'beads/one/none', fact: { kind: 'noFiles' }, children: [] },
    ]);
    const file = {
      path: 'src/a.ts',
      oldPath: null,
      change: 'modified',
      binary: false,
      added: 12,
      deleted: 3,
    };
    const files = [file, { ...file, path: 'b.ts' }] as readonly DiffFile[];
    client.diffs.set({ scope: { kind: 'bead', bead: 'one' }, from: '', to: '', sha256: '', files });
    assert.deepEqual(await lateFacts(client, 'TST-1', done), [
      {
        key: 'beads/one/files/src/a.ts',
        fact: { kind: 'file', bead: 'one', proof: [], ...file },
        children: [],
      },
      {
        key: 'beads/one/files/b.ts',
        fact: { kind: 'file', bead: 'one', proof: [], ...file, path: 'b.ts' },
        children: [],
      },
    ]);
  });

  it('is no more of a change than can be overlooked, and that there is more', async () => {
    const client = new FakeClient();
    const files = Array.from({ length: 305 }, (_, index) => ({
      path: `${String(index)}.ts`,
      oldPath: null,
      change: 'added' as const,
      binary: false,
    }));
    client.diffs.set({ scope: { kind: 'bead', bead: 'one' }, from: '', to: '', sha256: '', files });
    const facts = await lateFacts(client, 'TST-1', done);
    assert.equal(facts.length, 301);
    assert.deepEqual(facts.at(-1)?.fact, { kind: 'moreFiles', bead: 'one', count: 5 });
  });

  it('lists known documents in the order of the work, then the rest, each with its versions, the newest first', async () => {
    const artifacts = [
      info('merge_report'),
      info('prd', 1, true),
      info('prd', 2),
      info('interview'),
      info('prd_drafts'),
      info('bead_diff:one'),
    ];
    const client = new FakeClient();
    client.artifacts = () => Promise.resolve(artifacts);
    const facts = await lateFacts(client, 'TST-1', details);
    assert.deepEqual(keys(facts), [
      'details/interview',
      'details/prd',
      'details/merge_report',
      'details/prd_drafts',
    ]);
    assert.deepEqual(keys(facts[1]?.children ?? []), ['details/prd/2', 'details/prd/1']);
  });

  it('lists notes that wait for the next reviewer first', async () => {
    const client = new FakeClient();
    client.artifacts = () => Promise.resolve([info('prd')]);
    client.findings.waitingNotes = () => Promise.resolve([{ id: 'n1', text: 'Mind the names.', at: 1 }]);
    const [first] = await lateFacts(client, 'TST-1', details);
    assert.deepEqual(first?.fact, { kind: 'reviewNote', text: 'Mind the names.' });
  });
});

describe('TicketsBelow', () => {
  const facts = (parts: Partial<TicketParts>): readonly FactTree[] =>
    ticketFacts({ detail: detail(), ...nothing, ...parts });

  it('answers only the rows that differ', () => {
    const below = new TicketsBelow();
    below.set(place, facts({ beads: [bead('one'), bead('two')], artifacts: [info('prd')] }));
    const same = facts({ beads: [bead('one'), bead('two')], artifacts: [info('prd')] });
    assert.deepEqual(below.update(place, same), []);
    const changed = below.update(
      place,
      facts({ beads: [bead('one'), { ...bead('two'), iteration: 2 }], artifacts: [info('prd')] }),
    );
    assert.deepEqual(changed !== 'all' && keys(changed), ['beads/two']);
    assert.equal(below.update(place, facts({ beads: [bead('one')] })), 'all');
  });

  it('finds each row and what it lies below, also what was read late and what lies below that', () => {
    const below = new TicketsBelow();
    below.set(place, facts({ artifacts: [info('prd')] }));
    const [details] = facts({ artifacts: [info('prd')] });
    assert.ok(details);
    const document = { kind: 'artifact', ...documentFact } as const;
    const version = node('details/prd/1', { ...document, kind: 'version' });
    below.setLate(place, details, [node('details/prd', document, [version])]);
    below.update(place, facts({ artifacts: [info('prd')], beads: [bead('one')] }));
    assert.equal(below.parentOf({ ...place, key: 'details/prd' })?.key, 'details');
    assert.equal(below.parentOf({ ...place, key: version.key })?.key, 'details/prd');
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

function detail(ticket: Partial<TicketParts['detail']['ticket']> = {}): TicketParts['detail'] {
  return { ticket: sampleTicket({ title: 'A ticket', ...ticket }), view: ticketView(), requests: [] };
}
