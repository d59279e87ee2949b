import assert from 'node:assert/strict';
import { coding } from '../../../src/phases/coding/coding.ts';
import { executionWorlds, report } from '../../support/engine/executionWorld.ts';
import { hang } from '../../support/models/fakeAgent.ts';
import { until } from '../../support/until.ts';

/** What may go wrong in a night of coding, and that the ticket goes on. */
describe('coding that lasts', () => {
  const newWorld = executionWorlds();
  const minutes = (count: number): number => count * 60_000;

  it('gives the agent a clock of its own: a slow check takes nothing from it', async () => {
    const world = await newWorld();
    await world.begin('CODING', { beads: [{}], limits: { maxIterations: 0, perIterationTimeout: minutes(20) } });
    const run = world.shell.run.bind(world.shell);
    world.shell.run = async (...args) => {
      await world.clock.advance(minutes(25));
      return run(...args);
    };
    world.answers({
      coding: report('greet'),
      'coding-continue': () => {
        world.write('greet.txt', 'hello\n');
        return report('greet');
      },
    });
    await world.drive({ coding });
    assert.equal((await world.read()).status, 'RUNNING_FINAL_TEST', JSON.stringify((await world.read()).error));
    assert.deepEqual(world.agent.tasks, ['coding', 'coding-continue']);
    assert.equal((await world.bead('greet')).iteration, 1);
  });

  it('says which limit ended an iteration, and offers to raise that one', async () => {
    const world = await newWorld();
    await world.begin('CODING', { beads: [{}], limits: { maxIterations: 0, perIterationTimeout: 5_000 } });
    world.answers({ coding: hang, 'context-wipe': 'It took too long.' });
    const driven = world.drive({ coding });
    await until(() => world.agent.tasks.length === 1, 'the prompt');
    await world.clock.advance(6_000);
    await driven;
    const { status, error } = await world.read();
    assert.equal(status, 'BLOCKED_ERROR');
    assert.match((await world.bead('greet')).notes, /It took too long/);
    assert.ok(error);
    assert.match(world.agent.calls.at(-1)?.whole ?? '', /limits\.iterationTimeout\) took longer than 5 s/);
  });
});
