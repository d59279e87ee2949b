import assert from 'node:assert/strict';
import { yamlText } from '../../../../src/phases/shared/artifacts.ts';
import { moveTicket } from '../../../support/engine/moveTicket.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { testClient } from '../../../support/engine/testClient.ts';
import { bead, createTicket, runOpened } from './samples.ts';

describe('the summaries of tickets', () => {
  const makeStore = tempStores();

  it('tell of each ticket what a list shows, in the order of numbers', async () => {
    const { store } = makeStore();
    for (let i = 0; i < 11; i++) await createTicket(store);
    await moveTicket(store, 'ABC-2', 'CODING', { hold: { kind: 'paused', since: 1, detail: '' } });
    const beads = [{ ...bead('one'), status: 'done' as const }, bead('two')];
    await store.commit({ ticket: 'ABC-2', journal: [], changes: [{ type: 'beads', beads }] });
    const all = await store.summaries();
    assert.deepEqual(
      all.map(({ id }) => id),
      Array.from({ length: 11 }, (_, index) => `ABC-${String(index + 1)}`),
    );
    const { id, status, title, priority, hold, beadsDone, beadsTotal, updatedAt } = all[1]!;
    assert.deepEqual([id, status, title, priority, hold, beadsDone, beadsTotal], ['ABC-2', 'CODING', 'Greet', 3, 'paused', 1, 2]);
    assert.ok(updatedAt > 0);
    assert.equal(all[0]?.hold, null);
  });

  it('are read for some tickets alone, without those that do not exist', async () => {
    const { store } = makeStore();
    for (let i = 0; i < 3; i++) await createTicket(store);
    const some = await store.summaries(['ABC-3', 'ABC-9', "x') OR 1=1 --"]);
    assert.deepEqual(
      some.map(({ id }) => id),
      ['ABC-3'],
    );
  });

  it('tell of a gate whether it is still prepared, and call for nobody until it is ready', async () => {
    const { store } = makeStore();
    const { id } = await createTicket(store);
    await moveTicket(store, id, 'WAITING_INTERVIEW_ANSWERS');
    const ticket = await store.ticket(id);
    assert.ok(ticket);
    const seen = async (): Promise<unknown> => {
      const [view] = await testClient(store).tickets([id]);
      return [view?.preparing, view?.needsPerson];
    };
    await store.commit({ ticket: id, journal: [runOpened(ticket), { kind: 'step.intent', run: 'run-1', key: 'turn-1' }] });
    assert.deepEqual(await seen(), [true, false]);
    await store.commit({ ticket: id, journal: [{ kind: 'step.done', run: 'run-1', key: 'turn-1', result: null }] });
    assert.deepEqual(await seen(), [false, true]);
  });

  it('tell what the actions of a ticket depend on', async () => {
    const { store } = makeStore();
    const { id } = await createTicket(store);
    const can = async (): Promise<readonly boolean[]> => {
      const [view] = await testClient(store).tickets([id]);
      return (['fix_gaps', 'continue'] as const).map((action) => view?.actions.includes(action) ?? false);
    };
    const check = (open_gaps: readonly string[]) =>
      store.commit({
        ticket: id,
        journal: [],
        changes: [
          {
            type: 'artifact',
            artifact: 'prd_coverage',
            content: yamlText({ passes: [], open_gaps }),
            status: 'VERIFYING_PRD_COVERAGE',
            attempt: 1,
          },
        ],
      });
    await moveTicket(store, id, 'WAITING_PRD_APPROVAL');
    assert.deepEqual(await can(), [false, false], 'there was no check');
    await check(['No word on open_gaps: []']);
    assert.deepEqual(await can(), [true, false]);
    await check([]);
    assert.deepEqual(await can(), [false, false], 'the newest check found none');
    const error = { code: 'LIMIT_EXPIRED', args: {}, continuable: true, diagnostics: {} } as const;
    await moveTicket(store, id, 'BLOCKED_ERROR', { error });
    assert.deepEqual(await can(), [false, true]);
  });

  it('show the same as a ticket that is read whole', async () => {
    const { store } = makeStore();
    const { id } = await createTicket(store);
    await store.commit({ ticket: id, journal: [], changes: [{ type: 'beads', beads: [bead('one')] }] });
    await moveTicket(store, id, 'CODING', { hold: { kind: 'quota', since: 1, detail: '' } });
    const client = testClient(store);
    assert.deepEqual(await client.tickets([id]), [(await client.ticket(id)).view]);
  });
});
