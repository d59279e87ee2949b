import assert from 'node:assert/strict';
import * as z from 'zod';
import type { Behaviour } from '../../../../src/engine/drive/runner.ts';
import { behaviourOf, EngineWorld, stay } from '../../../support/engine/engineWorld.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { until } from '../../../support/until.ts';

describe('tickets that code at a time', () => {
  let world: EngineWorld;
  let ids: readonly string[];
  let working: Map<string, () => void>;
  const stores = tempStores();
  beforeEach(async () => {
    world = new EngineWorld(stores());
    working = new Map();
    ids = [];
    for (let count = 0; count < 3; count += 1) ids = [...ids, (await world.ticket()).id];
  });

  const behaviour = (): Behaviour =>
    behaviourOf({
      coding: {
        version: 1,
        run: async (run, ticket) => {
          await run.step('work', z.null(), async (io) => {
            const done = Promise.withResolvers<void>();
            working.set(ticket.id, done.resolve);
            io.signal.addEventListener('abort', () => done.resolve());
            await done.promise;
            working.delete(ticket.id);
            io.signal.throwIfAborted();
            return null;
          });
          return { exit: 'complete' };
        },
      },
      finalTest: stay,
    });
  const holds = async (): Promise<readonly string[]> =>
    Promise.all(
      ids.map(async (id) => {
        const { status, hold } = await world.read(id);
        return status !== 'CODING' ? status : hold ? `${hold.kind} ${hold.detail}`.trim() : 'codes';
      }),
    );
  const becomes = async (...wanted: readonly string[]): Promise<void> => {
    let seen: readonly string[] = [];
    await until(
      async () => JSON.stringify((seen = await holds())) === JSON.stringify(wanted),
      'the tickets stand as they should',
    ).catch(() => assert.deepEqual(seen, wanted));
  };
  const finish = (id = ''): void => working.get(id)?.();

  it('is one, unless a person wants more; the rest wait visibly, in the order in which they came', async () => {
    const engine = world.start(behaviour());
    await becomes('codes', 'queue TST-1', 'queue TST-1');
    const [, summary] = await world.store.summaries();
    assert.equal(summary?.waitsFor, 'TST-1');
    finish('TST-1');
    await becomes('RUNNING_FINAL_TEST', 'codes', 'queue TST-2');
    finish('TST-2');
    await becomes('RUNNING_FINAL_TEST', 'RUNNING_FINAL_TEST', 'codes');
    assert.ok(
      world.events.some(
        (event) => event.type === 'hold' && event.ticket === 'TST-3' && event.detail === 'TST-2',
      ),
    );
    await engine.stop();
  });

  it('is as many as a person wants', async () => {
    world.atOnce = 2;
    const engine = world.start(behaviour());
    await becomes('codes', 'codes', 'queue TST-1, TST-2');
    finish('TST-2');
    await becomes('codes', 'RUNNING_FINAL_TEST', 'codes');
    await engine.stop();
  });

  it('puts a ticket first that a person resumes, and lets one that is canceled or paused out of the line', async () => {
    const engine = world.start(behaviour());
    await becomes('codes', 'queue TST-1', 'queue TST-1');
    await world.post('TST-3', 'resume', {});
    await until(async () => ((await world.read('TST-3')).hold?.place ?? 0) < 0, 'it is first');
    finish('TST-1');
    await becomes('RUNNING_FINAL_TEST', 'queue TST-3', 'codes');
    await world.post('TST-2', 'cancel', { reason: '', deleteWorktree: false });
    await becomes('RUNNING_FINAL_TEST', 'CANCELED', 'codes');
    await engine.stop();
  });

  it('goes to the next when the one at work is paused, and back to nobody’s harm', async () => {
    const engine = world.start(behaviour());
    await becomes('codes', 'queue TST-1', 'queue TST-1');
    await world.post('TST-1', 'pause', {});
    await becomes('paused', 'codes', 'queue TST-2');
    await world.clock.advance(1_000);
    await world.post('TST-1', 'resume', {});
    await becomes('queue TST-2', 'codes', 'queue TST-2');
    finish('TST-2');
    await becomes('queue TST-3', 'RUNNING_FINAL_TEST', 'codes');
    await engine.stop();
  });

  it('keeps who was at work, and the line, over the end of the process that drove them', async () => {
    world.start(behaviour());
    await becomes('codes', 'queue TST-1', 'queue TST-1');
    await world.post('TST-3', 'resume', {});
    await until(async () => ((await world.read('TST-3')).hold?.place ?? 0) < 0, 'it is first');
    world.crash();
    working = new Map();
    const engine = world.start(behaviour());
    await until(() => working.has('TST-1'), 'the same ticket is at work');
    await becomes('codes', 'queue TST-1', 'queue TST-1');
    finish('TST-1');
    await becomes('RUNNING_FINAL_TEST', 'queue TST-3', 'codes');
    await engine.stop();
  });

  it('lets another one work while a ticket waits for a person, who need not hurry', async () => {
    const asking = behaviour();
    const question = { header: '', text: 'Really?', options: [], multiple: false, custom: true };
    const coding = asking.handlers.coding;
    const engine = world.start({
      ...asking,
      handlers: {
        ...asking.handlers,
        coding: {
          version: 1,
          run: async (run, ticket) => {
            if (ticket.id === 'TST-1')
              await run.step('ask', z.null(), async (io) => {
                const content = { kind: 'question' as const, questions: [question] };
                await io.ask(
                  { asked: 'q', content },
                  { source: 'demo/main', windowMs: 600_000, withdrawn: new AbortController().signal },
                );
                return null;
              });
            return coding.run(run, ticket);
          },
        },
      },
    });
    await becomes('question Really?', 'codes', 'queue TST-2');
    const request = (await world.read('TST-1')).hold?.request?.id ?? '';
    await world.post('TST-1', 'question_reply', { request, answers: [['Yes']] });
    await becomes('queue TST-2', 'codes', 'queue TST-2');
    finish('TST-2');
    await becomes('codes', 'RUNNING_FINAL_TEST', 'queue TST-1');
    await engine.stop();
  });
});
