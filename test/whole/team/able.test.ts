import assert from 'node:assert/strict';
import { benchForEach } from '../../support/team/benchForEach.ts';
import type { TeamBench } from '../../support/team/teamBench.ts';
import { until } from '../../support/until.ts';

describe('a ticket that not every runner can do', function () {
  this.timeout(300_000);
  let bench: TeamBench;
  benchForEach((opened) => (bench = opened));

  it('waits for one that has what its repository needs, and the fleet says so meanwhile', async () => {
    const { name } = bench.tickets.client.repository;
    await bench.printed('fleet', 'need', name, 'gpu');
    const plain = await bench.run('plain');
    const id = await bench.start('Greet by name');
    const lacking = `"lacking":[{"repository":${JSON.stringify(name)},"ticket":"${id}","needs":["label:gpu","provider:scripted"]}]`;
    await until(async () => (await bench.printed('fleet')).includes(lacking), 'the fleet names it', 100_000);
    assert.deepEqual(await bench.claims(id), []);
    await bench.run('able', '--label', 'gpu');
    await until(async () => (await bench.claims(id)).length > 0, 'the other one takes it', 100_000);
    assert.ok(!plain.stdout.includes(id), plain.stdout);

    await bench.printed('fleet', 'need', name, 'fpga');
    const other = await bench.start('Greet by title');
    await until(async () => (await bench.printed('fleet')).includes('"label:fpga"'), 'it waits', 100_000);
    await bench.printed('fleet', 'need', name);
    await until(async () => (await bench.claims(other)).length > 0, 'it is taken', 100_000);
  });
});
