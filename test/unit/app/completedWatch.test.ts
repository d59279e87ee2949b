import assert from 'node:assert/strict';
import { watchCompleted } from '../../../src/app/driverParts.ts';
import { EventBus } from '../../../src/app/eventBus.ts';
import type { CompletedTicket } from '../../../src/domain/estimate/completedTicket.ts';
import { completeSettings } from '../../../src/domain/settings/settings.ts';
import type { Status } from '../../../src/domain/workflow/workflow.ts';
import { called } from '../../support/engine/missedCalls.ts';
import { tempStores } from '../../support/engine/tempStore.ts';
import { testClient } from '../../support/engine/testClient.ts';

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

  /** Has a ticket with one call come to a status, and waits until nothing is noted any more. */
  const arrive = async (to: Status): Promise<string> => {
    const { store } = makeStore();
    const events = new EventBus();
    const end = watchCompleted({
      events,
      client: testClient(store),
      file: { add: (...line) => add(...line) },
      log: (message) => logged.push(message),
    });
    const { id } = await store.createTicket({
      prefix: 'TST',
      atLeast: 1,
      title: 'A ticket',
      description: '',
      priority: 3,
    });
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
