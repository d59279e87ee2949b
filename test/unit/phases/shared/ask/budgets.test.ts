import assert from 'node:assert/strict';
import { Limits } from '../../../../../src/domain/settings/settings.ts';
import type { Answer } from '../../../../../src/phases/shared/structured/askTypes.ts';
import { type PhaseWorld, phaseWorlds } from '../../../../support/engine/phaseWorld.ts';
import { askIn, colourCall } from '../../../../support/engine/colourCall.ts';
import { until } from '../../../../support/until.ts';

describe('a call of a ticket with a budget', () => {
  const make = phaseWorlds();
  let world: PhaseWorld;
  const put = async (over: Partial<typeof colourCall> = {}): Promise<Answer<{ colour: string }>> =>
    (await askIn(world, { ...colourCall, ...over })) ?? assert.fail('there is no answer');
  const limit = (limits: Partial<Limits>): Promise<void> =>
    world.change({ type: 'ticket', set: { limits: Limits.parse(limits) } });

  beforeEach(async () => {
    world = await make('SCANNING_RELEVANT_FILES');
    world.agent.answer = () => 'colour: red';
  });

  it('asks nobody once the cap of the ticket is reached, and continues in the same run when it was raised', async () => {
    await limit({ tokenCap: 100 });
    await put();
    await assert.rejects(put({ key: 'second' }), { code: 'BUDGET_EXHAUSTED', continuable: true });
    assert.equal(world.agent.calls.length, 1);
    const { status, hold, error } = await world.ticket();
    assert.deepEqual(
      [status, hold?.kind, hold?.detail],
      ['SCANNING_RELEVANT_FILES', 'budget', error?.code && 'The ticket used 110 of 100 tokens.'],
    );
    await limit({ tokenCap: 1_000 });
    await world.post('resume', {});
    await put({ key: 'second' });
    assert.deepEqual([(await world.ticket()).hold, (await world.ticket()).error], [null, null]);
  });

  it('pauses again, at no cost, when it is resumed with the limit as it was', async () => {
    await limit({ phaseTokenCap: 100 });
    await put();
    for (let time = 0; time < 2; time++) {
      await assert.rejects(put({ key: 'second' }), {
        code: 'BUDGET_EXHAUSTED',
        message: 'This phase of the ticket used 110 of 100 tokens.',
      });
      assert.equal(world.agent.calls.length, 1);
      await world.post('resume', {});
    }
  });

  it('waits for the next day where the limit of a day is reached, and then continues by itself', async () => {
    await limit({ dayTokenCap: 100 });
    await put();
    const second = put({ key: 'second' });
    const hold = await until(async () => (await world.ticket()).hold, 'the ticket pauses');
    const [since, end] = [hold.since, hold.until ?? 0];
    assert.ok(
      end > since && end - since <= 25 * 3_600_000 && new Date(end).getHours() === 0,
      String(end - since),
    );
    await world.clock.advance(end - since - 60_000);
    assert.equal(world.agent.calls.length, 1);
    await world.clock.advance(120_000);
    await second;
    assert.equal(world.agent.calls.length, 2);
  });

  it('continues before the next day when a person raises the limit', async () => {
    await limit({ dayTokenCap: 100 });
    await put();
    const second = put({ key: 'second' });
    await until(async () => (await world.ticket()).hold?.until, 'the ticket pauses');
    await limit({ dayTokenCap: 1_000 });
    await world.post('resume', {});
    await second;
    assert.equal((await world.ticket()).hold, null);
  });
});
