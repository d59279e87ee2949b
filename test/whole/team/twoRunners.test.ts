import assert from 'node:assert/strict';
import { ModelScript } from '../../../src/demo/script/modelScript.ts';
import { benchForEach } from '../../support/team/benchForEach.ts';
import type { TeamBench } from '../../support/team/teamBench.ts';
import { until } from '../../support/until.ts';

/** A coder that says nothing. */
const silent = ModelScript.parse({ version: 1, name: 'silent', tasks: { coding: [{ fault: 'hang' }] } });

describe('two runners of a team', function () {
  this.timeout(500_000);
  let bench: TeamBench;
  benchForEach((opened) => (bench = opened), silent);

  const atWork = (id: string, runner: number): Promise<true> =>
    until(
      () =>
        (bench.runners[runner]?.stdout ?? '')
          .split('\n')
          .some((line) => line.includes('"stage":"code"') && line.includes(id)),
      'a coder is at work',
      200_000,
    );

  it('carry on for each other: one is killed in the middle of a bead', async () => {
    const one = await bench.run('one');
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'CODING');
    await atWork(id, 0);
    bench.forgetScript();
    await bench.run('two');
    one.child.kill('SIGKILL');
    await bench.driveTo(id, 'COMPLETED');
    const [claim] = await bench.claims(id);
    assert.ok((claim?.epoch ?? 0) > 1);
  });

  it('hand over: one is asked to end in the middle of a bead', async () => {
    const one = await bench.run('one');
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'CODING');
    await atWork(id, 0);
    bench.forgetScript();
    await bench.run('two');
    one.child.kill('SIGTERM');
    assert.equal((await one.ended).code, 0);
    await bench.driveTo(id, 'COMPLETED');
    assert.deepEqual((await bench.ticket(id)).crashes ?? [], []);
  });

  it('fence each other: one is stopped, loses its ticket, and changes nothing when it wakes', async () => {
    const one = await bench.run('one');
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'CODING');
    await atWork(id, 0);
    bench.forgetScript();
    one.child.kill('SIGSTOP');
    await bench.run('two');
    await bench.driveTo(id, 'WAITING_PR_REVIEW');
    one.child.kill('SIGCONT');
    await until(() => one.stdout.includes('EPOCH_LOST'), 'the stopped runner learns that it lost the ticket');
    await bench.driveTo(id, 'COMPLETED');
    assert.equal(one.child.exitCode, null, 'it is there for other tickets');
    assert.deepEqual(await bench.tickets.ports.store.verify(id).then(({ ok }) => ok), true);
  });
});
