import assert from 'node:assert/strict';
import { integrate } from '../../../src/phases/delivery/integrate.ts';
import { executionWorlds } from '../../support/engine/executionWorld.ts';

describe('integrating', () => {
  const newWorld = executionWorlds();

  it('keeps the bead commits, and a ref to them', async () => {
    const world = await newWorld();
    await world.beginIntegration();
    const head = await world.git.head(world.worktree);
    await world.drive({ integrate });
    assert.equal(await world.git.head(world.worktree), head);
    const report = await world.json('integration_report');
    assert.deepEqual(
      [report?.['strategy'], report?.['candidate'], report?.['commitCount'], report?.['files']],
      ['keep', head, 2, ['greet.txt', 'more.txt']],
    );
    assert.equal(await world.git.resolve('refs/beadsmith/TST-1/presquash/1'), head);
  });

  it("makes one commit of them if wanted, once, and never overwrites an earlier round's ref", async () => {
    const world = await newWorld();
    await world.beginIntegration({ integration: 'squash' });
    const head = await world.git.head(world.worktree);
    await world.git.updateRef('refs/beadsmith/TST-1/presquash/1', world.start);
    const [squash, adopt] = [world.git.squash.bind(world.git), world.git.adopt.bind(world.git)];
    let squashed = 0;
    world.git.squash = async (...args) => {
      squashed += 1;
      return squash(...args);
    };
    world.git.adopt = async (...args) => {
      await adopt(...args);
      world.crash();
    };
    await world.driveUntilKilled({ integrate });
    world.git.adopt = adopt;
    await world.drive({ integrate });
    assert.equal(squashed, 1);
    assert.deepEqual(await world.subjects(), ['TST-1: Greet people']);
    assert.equal(await world.git.resolve('refs/beadsmith/TST-1/presquash/1'), world.start);
    assert.equal(await world.git.resolve('refs/beadsmith/TST-1/presquash/2'), head);
    assert.equal((await world.json('integration_report'))?.['commitCount'], 1);
  });

  it('fails when there is nothing to propose', async () => {
    const world = await newWorld.in('INTEGRATING_CHANGES');
    await world.drive({ integrate });
    assert.equal((await world.read()).error?.code, 'INTEGRATION_FAILED');
  });
});
