import assert from 'node:assert/strict';
import { postgresServer } from '../../support/storeContract/postgresServer.ts';
import { TeamBench } from '../../support/team/teamBench.ts';
import { until } from '../../support/until.ts';

describe('a runner of a team', function () {
  this.timeout(400_000);
  const server = postgresServer();
  let bench: TeamBench;
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') console.error(bench.said());
    await bench.close();
  });

  it('drives a ticket from gate to gate, leaves it at each, and leaves the team when it is stopped', async () => {
    bench = await TeamBench.open(server.url);
    const runner = await bench.run('one');
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'WAITING_PR_REVIEW');
    await until(async () => (await bench.claims(id))[0]?.runner === '', 'nobody has the ticket');
    await bench.driveTo(id, 'COMPLETED');
    const { events } = await bench.tickets.client.history.transcript(id, { limit: 250 });
    assert.ok(events.some((event) => event.type === 'activity' && event.kind === 'tool'));
    runner.child.kill('SIGTERM');
    assert.equal((await runner.ended).code, 0);
    assert.deepEqual(await bench.query('SELECT id FROM beadsmith.runners'), []);
  });
});
