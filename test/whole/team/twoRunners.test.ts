import assert from 'node:assert/strict';
import { ModelScript } from '../../../src/demo/script/modelScript.ts';
import type { CliProcess } from '../../support/cliProcess.ts';
import { postgresServer } from '../../support/storeContract/postgresServer.ts';
import { TeamBench } from '../../support/team/teamBench.ts';
import { until } from '../../support/until.ts';

/** A coder that says nothing. */
const silent = ModelScript.parse({ version: 1, name: 'silent', tasks: { coding: [{ fault: 'hang' }] } });
const countsCrash = /The process that drove this ticket ended without closing/;

describe('two runners of a team, in the middle of a bead', function () {
  this.timeout(500_000);
  const server = postgresServer();
  let bench: TeamBench;
  /** One ticket, which each test leaves to the next runner. */
  let id: string;
  let last: CliProcess;
  before(async () => {
    bench = await TeamBench.open(server.url, silent);
    last = await bench.run('first');
    id = await bench.start('Greet by name');
    await bench.driveTo(id, 'CODING');
    await atWork(last);
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') console.error(bench.said());
  });
  after(() => bench.close());

  const atWork = (runner: CliProcess): Promise<true> =>
    until(
      () => runner.stdout.split('\n').some((line) => line.includes('"stage":"code"') && line.includes(id)),
      'a coder is at work',
      200_000,
    );
  const epoch = async (): Promise<number> => (await bench.claims(id))[0]?.epoch ?? assert.fail();

  it('hand over: one is asked to end', async () => {
    const next = await bench.run('second');
    last.child.kill('SIGTERM');
    assert.equal((await last.ended).code, 0);
    await atWork(next);
    assert.doesNotMatch(next.stdout, countsCrash);
    last = next;
  });

  it('carry on for each other: one is killed', async () => {
    const before = await epoch();
    const next = await bench.run('third');
    last.child.kill('SIGKILL');
    await atWork(next);
    assert.ok((await epoch()) > before);
    assert.match(next.stdout, countsCrash);
    last = next;
  });

  it('fence each other: one is stopped, loses its ticket, and changes nothing when it wakes', async () => {
    bench.forgetScript();
    last.child.kill('SIGSTOP');
    await bench.run('fourth');
    await bench.driveTo(id, 'WAITING_PR_REVIEW');
    last.child.kill('SIGCONT');
    await until(
      () => last.stdout.includes('EPOCH_LOST'),
      'the stopped runner learns that it lost the ticket',
    );
    await bench.driveTo(id, 'COMPLETED');
    assert.equal(last.child.exitCode, null, 'it is there for other tickets');
    assert.deepEqual(await bench.tickets.ports.store.verify(id).then(({ ok }) => ok), true);
  });
});
