import assert from 'node:assert/strict';
import type { Change } from '../../../src/engine/ports/storePort.ts';
import type { NewStore } from './anyStore.ts';
import { call, createTicket, session } from './samples.ts';

export function earlierPlansContract(newStore: NewStore): void {
  describe('the earlier prompts of a kind', () => {
    it('are those of the other runs, oldest first, with the bead that they were about', async () => {
      const { store } = newStore();
      const { id } = await createTicket(store);
      const { plan } = call(id, '');
      const of = (run: string, prompt: string, sessionId: string): Change => ({
        type: 'call',
        call: call(id, `${run} ${prompt} ${sessionId}`, {
          run,
          session: sessionId,
          plan: { ...plan, prompt },
        }),
      });
      const about = (sessionId: string, bead: string): Change => ({
        type: 'session',
        session: { ...session(id, sessionId), bead },
      });
      const first = [about('s1', 'greet'), of('one', 'coding', 's1'), of('one', 'review', 's2')];
      await store.commit({
        ticket: id,
        journal: [],
        changes: [...first, about('s3', 'leave'), of('two', 'coding', 's3'), of('three', 'coding', 's4')],
      });
      const read = async (notRun: string) =>
        (await store.earlierPlans(id, 'coding', notRun)).map(({ run, bead }) => [run, bead]);
      assert.deepEqual(await read('three'), [
        ['one', 'greet'],
        ['two', 'leave'],
      ]);
      assert.deepEqual(await read('one'), [
        ['two', 'leave'],
        ['three', null],
      ]);
    });

    it('are the newest ones of a ticket with two thousand calls, also where plans are long', async () => {
      const { store } = newStore();
      const { id } = await createTicket(store);
      const { plan } = call(id, '');
      const part = {
        name: 'x'.repeat(70_000),
        kind: 'section' as const,
        stability: 0 as const,
        tokens: 1,
        sha256: 'a'.repeat(64),
      };
      const changes = Array.from({ length: 2_000 }, (_, at): Change => {
        const prompt = at % 10 === 0 ? 'coding' : 'review';
        const parts = at === 1_990 ? [part] : [];
        return {
          type: 'call',
          call: call(id, String(at), { run: `run ${String(at)}`, plan: { ...plan, prompt, parts } }),
        };
      });
      await store.commit({ ticket: id, journal: [], changes });
      const found = await store.earlierPlans(id, 'coding', 'run 1980');
      assert.deepEqual(
        [found.at(-1)?.run, found.at(-1)?.plan.parts.length, found.at(-2)?.run],
        ['run 1990', 1, 'run 1970'],
      );
      assert.ok(found.length <= 60);
    });
  });
}
