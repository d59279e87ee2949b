import assert from 'node:assert/strict';
import { exitCodes } from '../../../../src/cli/base/exitCodes.ts';
import {
  BeadsmithError,
  type ErrorRecord,
  errorRecord,
  fromRecord,
} from '../../../../src/domain/core/errors.ts';
import { CommandBench } from '../../../support/commandBench.ts';

describe('run, of a ticket that blocked because its processes died', () => {
  const looped = errorRecord(new BeadsmithError('CRASH_LOOP', { what: 'Coding (TST-1)', count: 3 }));
  const held = (error: ErrorRecord = looped): CommandBench =>
    new CommandBench({
      ticket: { status: 'BLOCKED_ERROR', previousStatus: 'CODING', error },
      actions: ['retry', 'cancel'],
    });

  for (const words of ['run TST-1', 'run --key k --title Wave'])
    it(`${words} retries it, and asks nobody: who names it has decided`, async () => {
      const bench = held();
      // The key is one of a ticket that is there.
      bench.app.client.create = () => Promise.resolve(bench.app.place.detail.ticket);
      const { act } = bench.app.client;
      bench.app.client.act = async (ticket, kind, body) => {
        await bench.opened[0]?.decisions.decide({ id: 'e', ticket, kind, body });
        bench.app.place.become({ ticket: { status: 'WAITING_PR_REVIEW' } });
        return act(ticket, kind, body);
      };
      const { exit, all } = await bench.json(words);
      assert.deepEqual([bench.sent, bench.app.started], [[['retry', { note: '' }]], [['TST-1']]]);
      assert.deepEqual(
        [all('posted'), all('outcome')].flat().map(({ type, action }) => `${type} ${action}`),
        ['posted retry', 'outcome retry'],
      );
      assert.equal(exit, exitCodes.gate);
    });

  it('is queued with --no-wait', async () => {
    const bench = held();
    assert.equal((await bench.run('run TST-1 --no-wait')).exit, exitCodes.done);
    assert.deepEqual([bench.sent, bench.app.started], [[['retry', { note: '' }]], []]);
  });

  it('is told when it was refused', async () => {
    const bench = held();
    bench.app.client.becomes = { state: 'refused', code: 'ACTION_NOT_ALLOWED', message: 'It was retried.' };
    assert.equal((await bench.run('run TST-1')).exit, exitCodes.usage);
  });

  it('is left alone when that was decided before, and where it blocked for another reason', async () => {
    for (const kind of ['retry', 'cancel']) {
      const bench = held();
      bench.app.inbox = [
        { id: 'e', ticket: 'TST-1', kind, body: {}, state: 'pending', postedAt: 0, outcome: null },
      ] as never;
      await bench.run('run TST-1');
      assert.deepEqual(bench.sent, [], kind);
    }
    const failed = held(errorRecord(new BeadsmithError('BEAD_DEADLOCK', { beads: 'core-a' })));
    assert.equal((await failed.run('run TST-1')).exit, exitCodes.blocked);
    assert.deepEqual(failed.sent, []);
  });

  it('says that it can be named again', async () => {
    const { out } = await held().run('show TST-1');
    assert.match(out, /Next:\n {2}beadsmith run TST-1\n {2}beadsmith retry TST-1 /);
    assert.match(
      fromRecord(looped).nextStep,
      /^Find the cause, then retry, or run the ticket again with "beadsmith run"\.$/,
    );
  });
});
