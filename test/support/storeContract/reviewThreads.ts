import assert from 'node:assert/strict';
import type { ReviewThread } from '../../../src/domain/findings/reviewThread.ts';
import { testClient } from '../engine/testClient.ts';
import type { NewStore } from './anyStore.ts';
import { sampleThread } from '../samples.ts';

function thread(ticket: string, changes: Partial<ReviewThread> = {}): ReviewThread {
  return sampleThread({
    ticket,
    revision: 0,
    bead: 'add-a',
    text: 'one\ntwo',
    comments: [{ id: 'c1', text: 'Why?', author: 'user', at: 1, sent: null }],
    ...changes,
  });
}

export function reviewThreadsContract(newStore: NewStore): void {
  describe('threads on lines of a diff', () => {
    it('are kept, changed and removed, each ticket for itself', async () => {
      const client = testClient(newStore().store);
      const [one, other] = [await client.create({ title: 'One' }), await client.create({ title: 'Other' })];
      const first = await client.comments.save(thread(one.id));
      await client.comments.save(thread(one.id, { id: 'thread-2', line: 1 }));
      await client.comments.save(thread(other.id, { id: 'thread-3' }));
      const changed = await client.comments.save({ ...first, resolved: true });
      assert.deepEqual([first.revision, changed.revision], [1, 2]);
      const ids = async (ticket: string): Promise<string[]> =>
        (await client.comments.threads(ticket)).map(({ id }) => id);
      assert.deepEqual(await ids(one.id), ['thread-1', 'thread-2']);
      assert.deepEqual((await client.comments.threads(one.id))[0], changed);
      await client.comments.remove(one.id, 'thread-3');
      assert.deepEqual(await ids(other.id), ['thread-3'], 'a thread of another ticket stays');
      await client.comments.remove(one.id, 'thread-1');
      assert.deepEqual(await ids(one.id), ['thread-2']);
    });

    it('are not written over what another window wrote', async () => {
      const client = testClient(newStore().store);
      const { id } = await client.create({ title: 'One' });
      const first = await client.comments.save(thread(id));
      await client.comments.save({ ...first, resolved: true });
      await assert.rejects(client.comments.save({ ...first, text: 'older' }), { code: 'EDIT_CONFLICT' });
      await assert.rejects(client.comments.save(thread(id)), { code: 'EDIT_CONFLICT' });
      assert.equal((await client.comments.threads(id))[0]?.resolved, true);
    });

    it('are refused when they make no sense', async () => {
      const client = testClient(newStore().store);
      const { id } = await client.create({ title: 'One' });
      for (const bad of [
        { path: '../x' },
        { line: 5, endLine: 4 },
        { comments: [] },
        { commit: 'HEAD' },
        { id: '../../x' },
      ])
        await assert.rejects(client.comments.save(thread(id, bad)), { code: 'INVALID_INPUT' });
      await assert.rejects(client.comments.save(thread('TST-9')), { code: 'TICKET_UNKNOWN' });
      assert.deepEqual(await client.comments.threads(id), []);
    });

    it('notify the listeners', async () => {
      const client = testClient(newStore().store);
      const { id } = await client.create({ title: 'One' });
      const told: (string | undefined)[] = [];
      const watch = client.onDidChange((ticket) => told.push(ticket));
      await client.comments.save(thread(id));
      await client.comments.remove(id, 'thread-1');
      watch.dispose();
      assert.deepEqual(told, [id, id]);
    });
  });
}
