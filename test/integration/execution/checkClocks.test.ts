import assert from 'node:assert/strict';
import { coding } from '../../../src/phases/coding/coding.ts';
import { executionWorlds, report } from '../../support/engine/executionWorld.ts';

describe('the clocks of checks', () => {
  const newWorld = executionWorlds();

  /** By the engine's clock. */
  async function slowWorld(suiteMs: number) {
    const world = await newWorld();
    const run = world.shell.run.bind(world.shell);
    world.shell.run = async (...args) => {
      await world.clock.advance(suiteMs);
      return run(...args);
    };
    return world;
  }

  it('take nothing from the time of the agent', async () => {
    const world = await slowWorld(50_000);
    await world.begin('CODING', {
      limits: { maxIterations: 0, maxContinuations: 3, perIterationTimeout: 60_000 },
    });
    let turns = 0;
    const turn = () => {
      turns += 1;
      world.write('greet.txt', turns === 3 ? 'hello\n' : `wrong, ${String(turns)}\n`);
      return report('greet');
    };
    world.answers({ coding: turn, 'coding-continue': turn });
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done');
    assert.equal(turns, 3);
  });

  it('let a check run as long as its own limit, whatever time the agent has', async () => {
    const world = await slowWorld(90_000);
    await world.begin('CODING', {
      limits: { maxIterations: 0, maxContinuations: 0, perIterationTimeout: 60_000 },
    });
    world.answersGreeting();
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done');
  });

  it('name the setting that ended a check', async () => {
    const world = await newWorld();
    const limits = { maxIterations: 0, maxContinuations: 1, commandTimeout: 300 };
    await world.begin('CODING', { beads: [{ testCommands: ['sleep 20'] }], limits });
    world.answers({ coding: report('greet'), 'coding-continue': report('greet') });
    await world.drive({ coding });
    const told = world.agent.calls.find(({ task }) => task === 'coding-continue')?.whole ?? '';
    assert.match(told, /`sleep 20` timed out after [\d.]+ s: the setting timeouts\.command allows 0\.3 s/);
  });

  it('give a check of the project three times what it takes on the base', async () => {
    const world = await newWorld.in('CODING', {
      limits: { maxIterations: 0, maxContinuations: 0, commandTimeout: 1_000 },
      files: { seconds: '0.6\n' },
    });
    await world.prepared({ project_commands: { test_full: ['sleep "$(cat seconds)"'] } });
    world.answers({
      coding: world.writing({ 'greet.txt': 'hello\n', seconds: '1.3\n' }),
    });
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done');
  });

  it('say so where three times is too little as well', async () => {
    const world = await newWorld.in('CODING', {
      limits: { maxIterations: 0, maxContinuations: 1, commandTimeout: 1_000 },
      files: { seconds: '0.4\n' },
    });
    await world.prepared({ project_commands: { test_full: ['sleep "$(cat seconds)"'] } });
    world.answers({
      coding: world.writing({ 'greet.txt': 'hello\n', seconds: '20\n' }),
      'coding-continue': report('greet'),
    });
    await world.drive({ coding });
    const told = world.agent.calls.find(({ task }) => task === 'coding-continue')?.whole ?? '';
    assert.match(
      told,
      /timed out after [\d.]+ s: [\d.]+ s is 3 times as long as it took on the base, which is more than the setting/,
    );
  });
});
