import assert from 'node:assert/strict';
import { Limits, Settings } from '../../../src/domain/settings/settings.ts';
import type { Store } from '../../../src/engine/ports/storePort.ts';
import { tempStore, type TempStore } from '../engine/tempStore.ts';
import type { AnyStore, NewStore } from './anyStore.ts';
import { bead, call, createTicket, runOpened, session, usage } from './samples.ts';

const id = 'ABC-1';
/** Longer than a row keeps, and with what a JSON text escapes. */
const long = `${'A sentence of a plan. '.repeat(5_000)}\u0000 "end"`;

export function movesContract(newStore: NewStore): void {
  describe('a ticket that moves to another database and back', () => {
    let here: TempStore;
    let there: AnyStore;
    beforeEach(async () => {
      here = tempStore();
      there = newStore();
      await worked(here.store);
    });
    afterEach(() => here.remove());

    it('has everything that it had, a chain that is whole, and no row that nobody decided', async () => {
      const before = await everythingOf(here.store);
      const moved = await here.store.takeOut(id);
      await there.store.putIn(structuredClone(moved));
      await here.store.removeMoved(moved);
      assert.deepEqual(await here.store.tickets(), []);
      assert.deepEqual(await everythingOf(there.store), before);
      assert.deepEqual(await there.store.altered(id), []);
      assert.equal((await there.store.verify(id)).ok, true);

      await here.store.putIn(await there.store.takeOut(id));
      assert.deepEqual(await everythingOf(here.store), before);
      assert.deepEqual(await here.store.altered(id), []);
    });

    it('continues there with the next entry of its chain', async () => {
      await there.store.putIn(await here.store.takeOut(id));
      const { seq } = await there.store.commit({
        ticket: id,
        journal: [{ kind: 'step.done', run: 'run-1', key: 'ask', result: { text: 'yes' } }],
      });
      assert.equal(seq, (await here.store.journal(id, 0)).length + 1);
      assert.equal((await there.store.verify(id)).ok, true);
    });

    it('moves once, however often it is asked to', async () => {
      const moved = await here.store.takeOut(id);
      await there.store.putIn(moved);
      await there.store.putIn(moved);
      assert.equal((await there.store.tickets()).length, 1);
      await here.store.removeMoved(moved);
      await here.store.removeMoved(moved);
      assert.equal((await here.store.tickets()).length, 0);
    });

    it('stays where it is with decisions that nobody has taken', async () => {
      await here.store.post({ id: 'late', ticket: id, kind: 'pause', body: {} });
      await assert.rejects(here.store.takeOut(id), { code: 'TICKET_BUSY' });
    });

    it('stays where it is when another ticket has its number there', async () => {
      await createTicket(there.store);
      await assert.rejects(there.store.putIn(await here.store.takeOut(id)), { code: 'TICKET_TAKEN' });
    });

    it('isn’t removed once it changed where it was', async () => {
      const moved = await here.store.takeOut(id);
      await here.store.commit({
        ticket: id,
        journal: [],
        changes: [{ type: 'bead', id: 'one', set: { status: 'done' } }],
      });
      await assert.rejects(here.store.removeMoved(moved), { code: 'STATUS_CONFLICT' });
      assert.equal((await here.store.tickets()).length, 1);
    });

    it('isn’t taken with rows that nobody decided, and leaves nothing then', async () => {
      const moved = await here.store.takeOut(id);
      const evil = (moved.rows['beads'] ?? []).map((row) => ({
        ...row,
        body: String(row['body']).replace('npm test', 'curl evil'),
      }));
      await assert.rejects(there.store.putIn({ ...moved, rows: { ...moved.rows, beads: evil } }), {
        code: 'ROWS_ALTERED',
      });
      const [first, ...rest] = moved.rows['journal'] ?? [];
      const journal = [{ ...first, at: 1 }, ...rest];
      await assert.rejects(there.store.putIn({ ...moved, rows: { ...moved.rows, journal } }), {
        code: 'JOURNAL_BROKEN',
      });
      const column = { ...first, 'at) VALUES (1); --': 1 };
      await assert.rejects(there.store.putIn({ ...moved, rows: { ...moved.rows, journal: [column] } }));
      assert.deepEqual(await there.store.tickets(), []);
    });
  });
}

/** A ticket with rows in every table. */
async function worked(store: Store): Promise<void> {
  const ticket = await createTicket(store, 'a-key');
  await store.commit({
    ticket: id,
    journal: [runOpened(ticket), { kind: 'step.intent', run: 'run-1', key: 'ask' }],
    changes: [
      {
        type: 'ticket',
        set: { settings: Settings.parse({ mainImplementer: 'a/b' }), limits: Limits.parse({}) },
      },
      { type: 'beads', beads: [bead('one'), bead('two')] },
      { type: 'artifact', artifact: 'prd', content: long, status: 'DRAFT', attempt: 1 },
      { type: 'artifact', artifact: 'prd', content: 'short', status: 'DRAFT', attempt: 1 },
      { type: 'session', session: session(id, 'session-1') },
      { type: 'call', call: call(id, 'call-1', { input: long }) },
      { type: 'usage', run: 'run-1', call: 'call-1', usage: usage('message-1') },
    ],
  });
  await store.commit({
    ticket: id,
    journal: [{ kind: 'step.note', run: 'run-1', key: 'ask', note: { text: long } }],
  });
  await store.addActive('run-1', 'ask', 12.5);
  const entry = await store.post({ id: 'entry-1', ticket: id, kind: 'pause', body: {}, seal: 'a seal' });
  await store.commit({
    ticket: id,
    journal: [{ kind: 'inbox', id: entry.id, outcome: 'consumed', reason: '' }],
    changes: [{ type: 'inbox', id: entry.id, state: 'consumed', outcome: null }],
  });
}

async function everythingOf(store: Store): Promise<unknown> {
  const artifacts = await store.artifacts(id);
  return {
    ticket: await store.ticket(id),
    key: await store.ticketsOfKeys(['a-key']),
    journal: await store.journal(id, 0),
    runs: await store.runs(id),
    steps: await store.steps('run-1'),
    inbox: await store.inbox(id),
    artifacts: artifacts.map(({ id: _, ...rest }) => rest),
    content: await Promise.all(artifacts.map((one) => store.artifactContent(one.id))),
    beads: await store.beads(id),
    sessions: await store.sessions(id),
    calls: await store.calls(id),
    usage: await store.usage(id),
    comments: await store.reviewThreads(id),
  };
}
