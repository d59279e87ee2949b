import assert from 'node:assert/strict';
import { benchForEach } from '../../support/team/benchForEach.ts';
import type { TeamBench } from '../../support/team/teamBench.ts';

describe('the first runners of a team', function () {
  this.timeout(400_000);
  let bench: TeamBench;
  benchForEach((opened) => (bench = opened));

  it('may start at the same time, although one of them has to make the queue', async () => {
    const runners = await Promise.all(['one', 'two', 'three'].map((name) => bench.run(name)));
    assert.equal((await bench.query('SELECT id FROM beadsmith.runners')).length, runners.length);
  });
});
