import assert from 'node:assert/strict';
import { EventBus } from '../../../src/app/eventBus.ts';
import { watchMisses } from '../../../src/app/driverParts.ts';
import { cacheMisses } from '../../../src/app/tickets/ticketHistory.ts';
import { called, member } from '../../support/engine/missedCalls.ts';
import { tempStores } from '../../support/engine/tempStore.ts';

describe('the log of a provider whose cache misses', () => {
  const makeStore = tempStores();

  it('AT-7: says it once, when the third miss in a row is booked', async () => {
    const { store: whole, folder } = makeStore();
    // What a booked call brings is known from its commit; nothing is read to learn whether there is one.
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
    const { id } = await store.createTicket({
      prefix: 'TST',
      atLeast: 1,
      title: 'A ticket',
      description: '',
      priority: 3,
    });
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
      // Something else is stored between a call and its record.
      await store.commit({
        ticket: id,
        journal: [],
        changes: [{ type: 'ticket', set: { branch: `b${String(number)}` } }],
      });
      await settled();
      const record = called(id, number, cacheRead ?? 0);
      // Of an answer without a record of what it used, nothing is known.
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
    // Two calls in one pause are one look.
    const before = looks;
    for (const number of [11, 12])
      await store.commit({ ticket: id, journal: [], changes: called(id, number, 0) });
    await settled();
    assert.equal(looks, before + 1);
    watch.dispose();
  });
});
