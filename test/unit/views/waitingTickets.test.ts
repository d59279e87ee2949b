import assert from 'node:assert/strict';
import { WaitingTickets } from '../../../src/views/waitingTickets.ts';
import { ticketView } from '../../support/fakeClient.ts';

const working = ticketView({ status: 'CODING' });
const review = ticketView({ status: 'WAITING_PR_REVIEW', needsPerson: true });

describe('WaitingTickets', () => {
  it('keeps quiet about what waited before the window was opened', () => {
    assert.deepEqual(new WaitingTickets().look('/a', [review]), []);
  });

  it('names a ticket that begins to wait until it was told, and then no more', () => {
    const waiting = new WaitingTickets();
    waiting.look('/a', [working]);
    assert.deepEqual(waiting.look('/a', [review]), [review]);
    assert.deepEqual(waiting.look('/a', [review]), [review]);
    waiting.tell('/a', review);
    assert.deepEqual(waiting.look('/a', [review]), []);
  });

  it('names it again when it waits for something else, or anew', () => {
    const waiting = new WaitingTickets();
    waiting.look('/a', []);
    waiting.tell('/a', review);
    const blocked = ticketView({ status: 'BLOCKED_ERROR', needsPerson: true });
    assert.deepEqual(waiting.look('/a', [blocked]), [blocked]);
    waiting.tell('/a', blocked);
    waiting.look('/a', [working]);
    assert.deepEqual(waiting.look('/a', [blocked]), [blocked]);
  });

  it('tells tickets of the same id in two repositories apart', () => {
    const waiting = new WaitingTickets();
    waiting.look('/a', []);
    waiting.look('/b', []);
    waiting.tell('/a', review);
    assert.deepEqual(waiting.look('/b', [review]), [review]);
  });
});
