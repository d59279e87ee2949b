import assert from 'node:assert/strict';
import { benchForEach } from '../../support/team/benchForEach.ts';
import type { TeamBench } from '../../support/team/teamBench.ts';

describe('a ticket that moves in the middle of its work', function () {
  this.timeout(400_000);
  let bench: TeamBench;
  benchForEach((opened) => (bench = opened));
  const move = async (id: string, to: string): Promise<void> => {
    const { code, stdout, stderr } = await bench.cli('move', id, '--to', to);
    assert.equal(code, 0, stdout + stderr);
  };
  const here = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await bench.cli(...args);
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };

  it('is in one place at a time, and is continued there: from the team to this machine and back', async () => {
    const first = await bench.run('one');
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'WAITING_PR_REVIEW');
    assert.match((await bench.cli('move', id, '--to', 'nowhere')).stderr, /--to team or --to here/);
    first.child.kill('SIGTERM');
    await first.ended;
    await move(id, 'here');
    assert.deepEqual(await bench.tickets.client.tickets(), []);
    assert.match(await here('list', '--team', ''), /Greet by name/);
    assert.match(await here('beads', 'diff', id, 'note-greet-by-name-1', '--team', ''), /\+.*Greet by name/);
    // It takes the decision to continue, and is at its gate again.
    const driven = await bench.cli('run', id, '--team', '', ...bench.driving);
    assert.equal(driven.code, 3, driven.stdout + driven.stderr);

    await move(id, 'team');
    assert.doesNotMatch(await here('list', '--team', ''), /Greet by name/);
    await bench.run('two');
    await bench.driveTo(id, 'COMPLETED');
    const { store } = bench.tickets.ports;
    assert.deepEqual([(await store.verify(id)).ok, await store.altered(id)], [true, []]);
  });
});
