import assert from 'node:assert/strict';
import { watchCompleted, watchMisses } from '../../../src/app/driverParts.ts';
import { EventBus } from '../../../src/app/eventBus.ts';
import type { CompletedTicket } from '../../../src/domain/estimate/completedTicket.ts';
import { completeSettings } from '../../../src/domain/settings/settings.ts';
import type { Status } from '../../../src/domain/workflow/workflow.ts';
import { called, member } from '../../support/engine/missedCalls.ts';
import { tempStores } from '../../support/engine/tempStore.ts';
import { testClient } from '../../support/engine/testClient.ts';
import { cacheMisses } from '../../../src/app/tickets/ticketHistory.ts';
import { newTicket } from '../../support/samples.ts';

describe('the note of what a completed ticket took', () => {
  const makeStore = tempStores();
  const noted: [string, CompletedTicket][] = [];
  const logged: string[] = [];
  let add: (ticket: string, completed: CompletedTicket) => Promise<void>;

  beforeEach(() => {
    noted.length = logged.length = 0;
    add = (...line) => {
      noted.push(line);
      return Promise.resolve();
    };
  });

  const arrive = async (to: Status): Promise<string> => {
    const { store } = makeStore();
    const events = new EventBus();
    const end = watchCompleted({
      events,
      client: testClient(store),
      file: { add: (...line) => add(...line) },
      log: (message) => logged.push(message),
    });
    const { id } = await store.createTicket(newTicket);
    const settings = completeSettings({ mainImplementer: 'openai/gpt', depth: 'quick' });
    await store.commit({
      ticket: id,
      journal: [{ kind: 'status', from: 'DRAFT', to, by: 'engine' }],
      changes: [{ type: 'ticket', set: { settings, status: to } }, ...called(id, 1, 0)],
    });
    events.emit({ type: 'status', ticket: id, at: 1, from: 'CODING', to, by: 'engine' });
    await end();
    return id;
  };

  it('is made when it is completed, and before the process ends', async () => {
    const id = await arrive('COMPLETED');
    assert.deepEqual(noted, [
      [id, { depth: 'quick', calls: 1, tokens: 4_001, minutes: 0, money: null, review: null }],
    ]);
  });

  it('is not made of a ticket that ends in another way', async () => {
    await arrive('CANCELED');
    await arrive('WAITING_PR_REVIEW');
    assert.deepEqual(noted, []);
  });

  it('is only missing in later estimates when it can’t be made', async () => {
    add = () => Promise.reject(new Error('EROFS: read-only file system'));
    const id = await arrive('COMPLETED');
    assert.match(
      logged.join('\n'),
      new RegExp(`^What ${id} took could not be noted for later estimates: EROFS`),
    );
  });
});

describe('the log of a provider whose cache misses', () => {
  const makeStore = tempStores();

  it('AT-7: says it once, when the third miss in a row is booked', async () => {
    const { store: whole, folder } = makeStore();
    // A booked call is known from its commit, without a read.
    const store = { ...whole, lastCall: () => Promise.reject(new Error('it was asked')) };
    const events = new EventBus();
    const said: string[] = [];
    events.on((event) => {
      if (event.type === 'activity') said.push(event.text);
    });
    const misses = cacheMisses(whole, folder);
    let reading: Promise<unknown> = Promise.resolve();
    const history = {
      misses: (ticket: string) => {
        looks += 1;
        const answer = misses(ticket);
        reading = answer;
        return answer;
      },
    };
    let looks = 0;
    const waiting: (() => void)[] = [];
    const later = (work: () => void): void => void waiting.push(work);
    const watch = watchMisses({ store, events, clock: { now: () => 7 }, history, later });
    const { id } = await store.createTicket(newTicket);
    const settled = async (): Promise<void> => {
      for (const work of waiting.splice(0)) work();
      await new Promise(setImmediate);
      await reading;
      await new Promise(setImmediate);
    };
    const call = async (number: number, cacheRead: number | null = 0): Promise<void> => {
      events.emit({
        type: 'call',
        ticket: id,
        at: 1_000 * number + 500,
        member,
        prompt: 'coding',
        outcome: 'accepted',
        ms: 500,
      });
      await store.commit({
        ticket: id,
        journal: [],
        changes: [{ type: 'ticket', set: { branch: `b${String(number)}` } }],
      });
      await settled();
      const record = called(id, number, cacheRead ?? 0);
      await store.commit({
        ticket: id,
        journal: [],
        changes: cacheRead === null ? record.slice(0, 2) : record,
      });
      await settled();
    };
    for (const number of [1, 2, 3]) await call(number);
    assert.deepEqual(said, []);
    await call(4);
    assert.equal(looks, 4, 'once for each call, whatever else is stored');
    assert.equal(said.length, 1);
    assert.match(
      said.join('\n'),
      /^The provider of openai\/gpt reported no cache hits for 3 consecutive calls/,
    );
    await call(5, null);
    await call(6);
    assert.equal(said.length, 1, 'it is known');
    await call(7, 3_968);
    for (const number of [8, 9, 10]) await call(number);
    assert.equal(said.length, 2, 'it is another row');
    const before = looks;
    for (const number of [11, 12])
      await store.commit({ ticket: id, journal: [], changes: called(id, number, 0) });
    await settled();
    assert.equal(looks, before + 1);
    watch.dispose();
  });
});
