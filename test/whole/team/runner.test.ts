import assert from 'node:assert/strict';
import { benchForEach } from '../../support/team/benchForEach.ts';
import type { TeamBench } from '../../support/team/teamBench.ts';
import { until } from '../../support/until.ts';

describe('a runner of a team', function () {
  this.timeout(400_000);
  let bench: TeamBench;
  benchForEach((opened) => (bench = opened));

  it('may start at the same time as others, although one of them has to make the queue', async () => {
    const runners = await Promise.all(['one', 'two', 'three'].map((name) => bench.run(name)));
    assert.equal((await bench.query('SELECT id FROM beadsmith.runners')).length, runners.length);
  });

  it('drives a ticket from gate to gate, leaves it at each, and leaves the team when it is stopped', async () => {
    const runner = await bench.run('one');
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'WAITING_PR_REVIEW');
    await until(async () => (await bench.claims(id))[0]?.runner === '', 'nobody has the ticket');
    await bench.driveTo(id, 'COMPLETED');
    const { diffs } = bench.tickets.client;
    const whole = await diffs.diff(id, { kind: 'ticket' });
    const note = whole?.files.find(({ path }) => path.endsWith('greet-by-name-1.mjs'));
    assert.ok(whole && note, 'a person sees in their own clone what the runner changed');
    const text = await diffs.file(id, whole.to, note.path);
    assert.match(Buffer.from(text ?? []).toString('utf8'), /Greet by name/);
    assert.equal(await diffs.diff(id, { kind: 'staged' }), undefined);
    const { events } = await bench.tickets.client.history.transcript(id, { limit: 250 });
    assert.ok(events.some((event) => event.type === 'activity' && event.kind === 'tool'));
    const shown = await until(async () => {
      const text = await bench.printed('fleet');
      return text.includes('"queue":{"waiting":0,"running":0') && text;
    }, 'the last drive has ended');
    assert.match(shown, /"wanted":"work","silent":false/);
    runner.child.kill('SIGTERM');
    assert.equal((await runner.ended).code, 0);
    assert.deepEqual(await bench.query('SELECT id FROM beadsmith.runners'), []);
  });
});
