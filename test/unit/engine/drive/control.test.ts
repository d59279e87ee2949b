import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { BeadsmithError, type ErrorCode } from '../../../../src/domain/core/errors.ts';
import type { InboxEntry } from '../../../../src/domain/ticket/inbox.ts';
import type { Ticket } from '../../../../src/domain/ticket/ticket.ts';
import { type ActionChanges, controlTransaction } from '../../../../src/engine/drive/control.ts';
import type { Ports } from '../../../../src/engine/ports/ports.ts';
import { Settings } from '../../../../src/domain/settings/settings.ts';
import { behaviourOf, EngineWorld } from '../../../support/engine/engineWorld.ts';
import { testBead } from '../../../support/engine/executionWorld.ts';
import { moveTicket } from '../../../support/engine/moveTicket.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { until } from '../../../support/until.ts';

describe('a decision that the engine takes', () => {
  it('is not refused because the database cannot be read now', async () => {
    const summaries = (): Promise<never> => Promise.reject(new BeadsmithError('DISK_FULL'));
    const ports = { store: { summaries } } as unknown as Ports;
    const ticket = { id: 'TST-1', status: 'BLOCKED_ERROR', previousStatus: 'CODING' } as Ticket;
    const entry = { id: 'post-1', kind: 'retry', body: { note: '' } } as InboxEntry;
    await assert.rejects(controlTransaction(ports, ticket, undefined, entry, {} as ActionChanges), {
      code: 'DISK_FULL',
    });
  });

  describe('with a receipt', () => {
    let world: EngineWorld;
    let id: string;
    let post: string;
    const stores = tempStores();
    beforeEach(async () => {
      world = new EngineWorld(stores());
      id = (await world.ticket()).id;
      const settings = Settings.parse({ mainImplementer: 'demo/main' });
      const content = 'diff';
      await world.store.commit({
        ticket: id,
        journal: [],
        changes: [
          { type: 'ticket', set: { settings } },
          { type: 'beads', beads: [{ ...testBead({ id: 'greet' }), status: 'done' }] },
          { type: 'artifact', artifact: 'bead_diff:greet', content, status: 'CODING', attempt: 1 },
        ],
      });
      await moveTicket(world.store, id, 'CODING');
      await moveTicket(world.store, id, 'BLOCKED_ERROR');
      post = await world.post(id, 'accept_bead', {
        bead: 'greet',
        sha256: hash('sha256', content),
        reason: '',
      });
    });

    const outcome = async () => {
      const entry = (await world.store.inbox(id)).find((one) => one.id === post);
      return [entry?.state, entry?.outcome?.code];
    };
    const failReads = (code: ErrorCode, times: number) => {
      const read = world.store.artifact.bind(world.store);
      let failed = 0;
      world.store.artifact = (...place) =>
        failed++ < times ? Promise.reject(new BeadsmithError(code)) : read(...place);
    };

    for (const code of ['DISK_FULL', 'DATABASE_IO', 'DATABASE_BUSY'] as const)
      it(`stays in the inbox on ${code}, and is taken once that is over`, async () => {
        failReads(code, 2);
        const settled = world.driveUntilIdle(behaviourOf({}), id);
        for (let pause = 1; pause <= 2; pause++) {
          await until(() => world.clock.sleepers === 1, `pause ${String(pause)}`);
          assert.deepEqual(await outcome(), ['pending', undefined]);
          await world.clock.advance(5_000);
        }
        await settled;
        assert.deepEqual(await outcome(), ['consumed', undefined]);
        assert.ok(await world.store.artifact(id, 'bead_review:greet'));
      });

    for (const code of ['EPOCH_LOST', 'DATABASE_READ_ONLY'] as const)
      it(`stays in the inbox when this process can no longer write: ${code}`, async () => {
        failReads(code, Number.POSITIVE_INFINITY);
        await assert.rejects(world.driveUntilIdle(behaviourOf({}), id), { code });
        assert.deepEqual(await outcome(), ['pending', undefined]);
      });

    for (const code of ['STALE_APPROVAL', 'DATABASE_CORRUPT', 'UNEXPECTED'] as const)
      it(`is refused with the reason when it can't be taken at all: ${code}`, async () => {
        failReads(code, Number.POSITIVE_INFINITY);
        await world.driveUntilIdle(behaviourOf({}), id);
        assert.deepEqual(await outcome(), ['refused', code]);
      });
  });
});
