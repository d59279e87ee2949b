import assert from 'node:assert/strict';
import { RunnerRows } from '../../../src/adapters/store/postgres/runnerRows.ts';
import { TeamKeys } from '../../../src/adapters/store/postgres/teamKeys.ts';
import { gateAnswer, parseGates } from '../../../src/cli/drive/gatePolicy.ts';
import { openWorkerStore, type WorkerStore } from '../../../src/adapters/store/workerStore.ts';
import { prepareTeam } from '../../../src/app/teamDevices.ts';
import { FaultyNetwork } from '../../support/storeContract/faultyNetwork.ts';
import { postgresServer, teamWorker } from '../../support/storeContract/postgresServer.ts';
import { TeamBench } from '../../support/team/teamBench.ts';
import { until } from '../../support/until.ts';
import { createTicket } from '../../support/storeContract/samples.ts';

/** Milliseconds that whatever is sent to a slow server takes. */
const slowMs = 2_000;

describe('the database of a team', function () {
  this.timeout(400_000);
  const server = postgresServer();

  it('may take two seconds for each statement: a runner, its keys and its commits only take longer', async () => {
    await prepareTeam(server.url);
    const repository = 'example/slow';
    const direct = await openWorkerStore(teamWorker, { url: server.url, repository, runner: 'one' });
    const { id } = await createTicket(direct.store);
    await direct.store.close();
    const network = await FaultyNetwork.to(server.url);
    network.delayMs = slowMs;
    const url = network.url(server.url);
    const keys = new TeamKeys(url);
    const rows = new RunnerRows({ url, silentMs: 60_000, onChange: () => undefined });
    let slow: WorkerStore | undefined;
    try {
      const [found, beat, opened] = await Promise.all([
        keys.find('nobody'),
        rows.beat({ id: 'one', host: 'here', version: 'v1', atOnce: 1 }),
        openWorkerStore(teamWorker, { url, repository, runner: 'one' }),
      ]);
      slow = opened;
      assert.deepEqual([found, beat.wanted], [undefined, 'work']);
      await slow.claims.claim(id, 60_000);
      await slow.store.commit({
        ticket: id,
        journal: [{ kind: 'attempts', archivedFrom: 'DRAFT', statuses: [] }],
      });
      assert.equal((await slow.store.journal(id)).length, 2);
    } finally {
      network.delayMs = 0;
      await Promise.allSettled([keys.close(), rows.close(), slow?.store.close()]);
      network.close();
    }
  });

  describe('of runners at work', () => {
    let bench: TeamBench;
    const open = async (latencyMs = 0): Promise<TeamBench> => {
      bench = await TeamBench.open(server.url, undefined, latencyMs);
      return bench;
    };
    afterEach(async function () {
      if (this.currentTest?.state === 'failed') console.error(bench.said());
      await bench.close();
    });

    it('may get two decisions of the same gate at the same time: one counts', async () => {
      await open();
      const runner = await bench.run('one');
      const id = await bench.start('Greet by name');
      const { client, ports } = bench.tickets;
      const answer = await until(
        async () => {
          const answer = await gateAnswer(client, await client.ticket(id), {
            approve: parseGates('all'),
            answers: undefined,
            skipInterview: true,
            end: 'close',
          }).catch(() => undefined);
          return answer?.kind === 'approve' && answer;
        },
        'a document is to be approved',
        200_000,
      );
      runner.child.kill('SIGSTOP');
      const entry = { ticket: id, kind: answer.kind, body: answer.body };
      await Promise.all(['ann', 'ben'].map((person) => ports.store.post({ ...entry, id: person })));
      runner.child.kill('SIGCONT');
      const ended = await until(async () => {
        const entries = (await ports.store.inbox(id)).filter((one) => ['ann', 'ben'].includes(one.id));
        return entries.every(({ state }) => state !== 'pending') && entries;
      }, 'both are judged');
      assert.deepEqual(
        ended.map(({ state, outcome }) => outcome?.code ?? state),
        ['consumed', 'STATUS_CONFLICT'],
      );
      await bench.driveTo(id, 'COMPLETED');
    });

    it('may be restarted, and killed as by a power loss, in the middle of drives', async () => {
      await open(300);
      await bench.run('one');
      const id = await bench.start('Greet by name');
      await bench.driveTo(id, 'CODING');
      await server.restart();
      await bench.driveTo(id, 'WAITING_PR_REVIEW');
      await server.kill();
      await bench.driveTo(id, 'COMPLETED');
      assert.deepEqual((await bench.ticket(id)).crashes ?? [], []);
      assert.equal((await bench.tickets.ports.store.verify(id)).ok, true);
    });

    it('may be away when a runner is asked to end: it ends within half a minute, and others carry on', async () => {
      await open(500);
      const one = await bench.run('one');
      const id = await bench.start('Greet by name');
      await bench.driveTo(id, 'CODING');
      await server.server.stop();
      const asked = performance.now();
      one.child.kill('SIGTERM');
      assert.equal((await one.ended).code, 0);
      assert.ok(performance.now() - asked < 35_000);
      await server.start();
      await bench.run('two');
      await bench.driveTo(id, 'COMPLETED');
    });

    it('may fail over in the middle of commits: none is lost, and none is made twice', async () => {
      await open(300);
      const network = await FaultyNetwork.to(server.url);
      try {
        await bench.runAt(network.url(server.url), 'one');
        const id = await bench.start('Greet by name');
        let faults = 0;
        const failing = setInterval(
          () => network.failNext(faults++ % 2 === 0 ? 'lostAfter' : 'lostBefore'),
          1_000,
        );
        try {
          await bench.driveTo(id, 'WAITING_PR_REVIEW');
        } finally {
          clearInterval(failing);
        }
        await bench.driveTo(id, 'COMPLETED');
        assert.ok(faults > 5);
        assert.equal((await bench.tickets.ports.store.verify(id)).ok, true);
        assert.deepEqual((await bench.ticket(id)).crashes ?? [], []);
        const coded = bench.requests.filter(({ task, step }) => task === 'coding' && step === 0);
        assert.equal(coded.length, 1, 'no prompt was sent twice');
      } finally {
        network.close();
      }
    });
  });
});
