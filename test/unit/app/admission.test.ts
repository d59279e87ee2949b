import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Seals } from '../../../src/adapters/seals/seals.ts';
import { type AdmissionOptions, withAdmission } from '../../../src/app/admission.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import type { TicketEvent } from '../../../src/domain/core/events.ts';
import type { Store } from '../../../src/engine/ports/storePort.ts';
import { tempStore, type TempStore } from '../../support/engine/tempStore.ts';
import { newTicket } from '../../support/samples.ts';

const body = { sha256: 'a'.repeat(64), reason: '' };

describe('admission', () => {
  let temp: TempStore;
  let ticket: string;
  let events: TicketEvent[];
  beforeEach(async () => {
    temp = tempStore();
    ticket = (await temp.store.createTicket({ ...newTicket, title: 'Greet' })).id;
    events = [];
  });
  afterEach(() => temp.remove());

  const opened = (options: Partial<AdmissionOptions> = {}): Promise<Store> =>
    withAdmission({
      store: temp.store,
      decisions: { decide: () => Promise.resolve() },
      drives: true,
      stateFolder: temp.folder,
      configFolder: join(temp.folder, 'config'),
      isAgent: false,
      clock: { now: () => Date.now() },
      events: { emit: (event) => events.push(event) },
      driverIsGone: () => Promise.resolve(false),
      ...options,
    });
  const pending = async (store: Store): Promise<readonly string[]> =>
    (await store.inbox(ticket, { pending: true })).map(({ id }) => id);
  const stateOf = async (id: string) => (await temp.store.inbox(ticket)).find((entry) => entry.id === id);
  const sql = (text: string): void => {
    const database = new DatabaseSync(join(temp.folder, 'state.db'));
    database.exec(text);
    database.close();
  };
  const approve = (id: string) => ({ id, ticket, kind: 'approve', body }) as const;

  it('lets a decision of its own process through, without the seal', async () => {
    const store = await opened();
    await store.post(approve('a'));
    const [entry] = await store.inbox(ticket, { pending: true });
    assert.deepEqual([entry?.id, entry && 'seal' in entry], ['a', false]);
    assert.ok((await stateOf('a'))?.seal);
  });

  it('asks no person about what decides nothing, and lets agents file not even that', async () => {
    const decide = () => Promise.reject(new BeadsmithError('DECISION_NEEDS_PERSON'));
    const check = { ticket, kind: 'check_pull_request', body: {} } as const;
    const store = await opened({ decisions: { decide } });
    await store.post({ ...check, id: 'watch' });
    await assert.rejects(store.post(approve('a')), { code: 'DECISION_NEEDS_PERSON' });
    const agent = await opened({ decisions: { decide }, drives: false, isAgent: true });
    await assert.rejects(agent.post({ ...check, id: 'agent' }), { code: 'DECISION_BY_AGENT' });
    assert.deepEqual(await pending(store), ['watch']);
  });

  it('refuses what carries no seal, a wrong one, or the seal of another decision, and logs it once', async () => {
    const store = await opened();
    await store.post(approve('a'));
    const seal = (await stateOf('a'))?.seal ?? '';
    await temp.store.post(approve('bare'));
    await temp.store.post({ ...approve('copied'), seal });
    await temp.store.post({ id: 'other', ticket, kind: 'merge', body: {}, seal: 'x y' });
    assert.deepEqual(await Promise.all([pending(store), pending(store)]), [['a'], ['a']]);
    for (const id of ['bare', 'copied', 'other']) {
      const entry = await stateOf(id);
      assert.deepEqual([entry?.state, entry?.outcome?.code], ['refused', 'DECISION_UNSEALED']);
    }
    const refused = (await temp.store.journal(ticket)).flatMap(({ entry }) =>
      entry.kind === 'inbox' ? [[entry.id, entry.outcome]] : [],
    );
    assert.deepEqual(
      refused.toSorted(),
      ['bare', 'copied', 'other'].map((id) => [id, 'refused']),
    );
    assert.deepEqual(
      events.map(({ type }) => type),
      ['refused', 'refused', 'refused'],
    );
  });

  it('refuses a decision that is put back after it was carried out', async () => {
    const store = await opened();
    await store.post(approve('a'));
    const seal = (await stateOf('a'))?.seal ?? '';
    assert.deepEqual(await pending(store), ['a']);
    await store.commit({
      ticket,
      journal: [{ kind: 'inbox', id: 'a', outcome: 'consumed', reason: 'approve' }],
      changes: [{ type: 'inbox', id: 'a', state: 'consumed', outcome: null }],
    });
    sql(`UPDATE inbox SET state = 'pending' WHERE id = 'a'`);
    assert.deepEqual(await pending(store), []);
    sql(`DELETE FROM inbox`);
    await temp.store.post({ ...approve('a'), seal });
    assert.deepEqual(await pending(await opened()), []);
  });

  it('refuses a decision that was changed after it was made, also after it was read', async () => {
    const store = await opened();
    await store.post(approve('a'));
    assert.deepEqual(await pending(store), ['a']);
    sql(`UPDATE inbox SET body = '${JSON.stringify({ ...body, sha256: 'b'.repeat(64) })}' WHERE id = 'a'`);
    assert.deepEqual(await pending(store), []);
  });

  it('keeps a decision valid for the next process, and for another window with the same secret', async () => {
    await (await opened({ decisions: { key: 'one', decide: () => Promise.resolve() } })).post(approve('a'));
    assert.deepEqual(
      await pending(await opened({ decisions: { key: 'two', decide: () => Promise.resolve() } })),
      ['a'],
    );
    const driver = await opened({ decisions: { key: 'one', decide: () => Promise.resolve() } });
    const window = await opened({
      decisions: { key: 'one', decide: () => Promise.resolve() },
      drives: false,
      driverIsGone: () => Promise.resolve(true),
    });
    await window.post(approve('b'));
    assert.deepEqual(await pending(driver), ['a', 'b']);
  });

  it('files nothing with a seal when nobody decided', async () => {
    const reason = new BeadsmithError('DECISION_NEEDS_PERSON');
    const store = await opened({ decisions: { decide: () => Promise.reject(reason) } });
    await assert.rejects(store.post(approve('a')), { code: 'DECISION_NEEDS_PERSON' });
    await assert.rejects((await opened({ isAgent: true })).post(approve('b')), { code: 'DECISION_BY_AGENT' });
    assert.deepEqual(await pending(store), []);
    assert.deepEqual([(await stateOf('a'))?.state, (await stateOf('b'))?.state], ['refused', 'refused']);
  });

  it('makes different seals for different decisions, and the same for the same', async () => {
    const seals = await Seals.open(join(temp.folder, 'config'), 'key');
    const seal = seals.seal(approve('a'));
    assert.equal(seal, (await Seals.open(join(temp.folder, 'config'), 'key')).seal(approve('a')));
    for (const other of [
      approve('b'),
      { ...approve('a'), ticket: 'TST-2' },
      { ...approve('a'), body: { ...body, reason: 'x' } },
    ])
      assert.notEqual(seals.seal(other), seal);
  });
});
