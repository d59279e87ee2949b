import assert from 'node:assert/strict';
import { postgresServer } from '../../support/storeContract/postgresServer.ts';
import { TeamBench } from '../../support/team/teamBench.ts';

describe('the first runners of a team', function () {
  this.timeout(400_000);
  const server = postgresServer();
  let bench: TeamBench;
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') console.error(bench.said());
    await bench.close();
  });

  it('may start at the same time, although one of them has to make the queue', async () => {
    bench = await TeamBench.open(server.url);
    const runners = await Promise.all(['one', 'two', 'three'].map((name) => bench.run(name)));
    assert.equal((await bench.query('SELECT id FROM beadsmith.runners')).length, runners.length);
  });
});
