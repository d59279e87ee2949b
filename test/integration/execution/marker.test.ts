import assert from 'node:assert/strict';
import { coding } from '../../../src/phases/coding/coding.ts';
import { executionWorlds, report } from '../../support/engine/executionWorld.ts';

describe('a bead whose checks pass and whose marker is missing', () => {
  const newWorld = executionWorlds();

  it('is asked for the marker only, without tools, and keeps its code', async () => {
    const world = await newWorld();
    await world.begin('CODING', { beads: [{}], limits: { maxIterations: 2, maxContinuations: 0 } });
    let asked = 0;
    world.answers({
      coding: () => {
        world.write('greet.txt', 'hello\n');
        return 'All done, everything works.';
      },
      'structured-repair': () => ((asked += 1) < 2 ? 'It is finished, as I said.' : report('greet')),
    });
    await world.drive({ coding });
    const { status, error } = await world.read();
    assert.equal(status, 'RUNNING_FINAL_TEST', JSON.stringify(error));
    assert.deepEqual(world.agent.tasks, ['coding', 'structured-repair', 'structured-repair']);
    const [first, , last] = world.agent.calls;
    assert.equal(last?.session, first?.session);
    assert.equal(last?.policy, 'disabled', 'nothing can be changed by asking');
    assert.match(last.text, /checks pass[^]*status marker/);
    assert.equal((await world.bead('greet')).iteration, 1);
    assert.equal(await world.repository.git('for-each-ref', 'refs/beadsmith/TST-1/greet'), '', 'nothing was reset');
    assert.equal(await world.repository.git('show', 'ticket/TST-1:greet.txt'), 'hello');
  });

  it('continues in its session where the checks fail', async () => {
    const world = await newWorld();
    await world.begin('CODING', { beads: [{}], limits: { maxIterations: 1, maxContinuations: 2 } });
    world.answers({
      coding: () => {
        world.write('greet.txt', 'wrong\n');
        return 'Done ✅';
      },
      'structured-repair': 'Done, really.',
      'coding-continue': (call) => {
        assert.match(call.text, /failing_evidence/);
        world.write('greet.txt', 'hello\n');
        return report('greet');
      },
    });
    await world.drive({ coding });
    assert.equal((await world.read()).status, 'RUNNING_FINAL_TEST');
    assert.deepEqual(world.agent.tasks, ['coding', 'structured-repair', 'coding-continue']);
    assert.equal((await world.bead('greet')).iteration, 1);
  });

  it('fails as one without a marker if it never comes, and its work is kept under its ref', async () => {
    const world = await newWorld();
    await world.begin('CODING', { beads: [{}], limits: { maxIterations: 0, maxContinuations: 1 } });
    world.answers({
      coding: () => {
        world.write('greet.txt', 'hello\n');
        return 'Done.';
      },
      'structured-repair': 'Done.',
    });
    await world.drive({ coding });
    const { error } = await world.read();
    assert.equal(error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    assert.match(JSON.stringify(error.diagnostics), /"cause":"marker"/);
    assert.equal(await world.repository.git('show', 'refs/beadsmith/TST-1/greet/1:greet.txt'), 'hello');
  });
});
