import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { openWorkerStore, type WorkerStore } from '../../../src/adapters/store/workerStore.ts';
import { gitBackend } from '../../support/forge/gitBackend.ts';
import { TeamBench } from '../../support/team/teamBench.ts';
import { FaultyNetwork } from '../../support/storeContract/faultyNetwork.ts';
import { postgresServer, teamWorker } from '../../support/storeContract/postgresServer.ts';
import { createTicket } from '../../support/storeContract/samples.ts';
import { until } from '../../support/until.ts';

describe('the network between a team’s machines', function () {
  this.timeout(300_000);
  const server = postgresServer();
  const opened: WorkerStore[] = [];
  let network: FaultyNetwork;
  beforeEach(async () => (network = await FaultyNetwork.to(server.url)));
  afterEach(async () => {
    network.mend();
    await Promise.all(opened.splice(0).map(({ store }) => store.close()));
    network.close();
  });
  const open = async (runner: string | null, url = server.url): Promise<WorkerStore> => {
    const made = await openWorkerStore(teamWorker, { url, repository: 'example/network', runner });
    opened.push(made);
    return made;
  };

  it('may swallow what the database is asked: it is asked again by another connection, and changes are heard of', async () => {
    const direct = await open('one');
    const { id } = await createTicket(direct.store);
    const away = await open(null, network.url(server.url));
    let heard = 0;
    away.store.onDidChange(() => heard++);
    network.cut();
    await direct.store.post({ id: 'p', ticket: id, kind: 'pause', body: {} });
    await until(() => network.swallowed > 0, 'the change is lost on its way');
    network.mend();
    await until(() => heard > 0, 'a reader that asks nothing hears of the change', 120_000);
    network.cut();
    const [asked, before] = [away.store.inbox(id), network.swallowed];
    await until(() => network.swallowed > before, 'the question is lost');
    network.mend();
    assert.deepEqual(
      (await asked).map((entry) => entry.id),
      ['p'],
    );
  });

  describe('of runners at work', () => {
    let bench: TeamBench;
    const closing: (() => void)[] = [];
    afterEach(async function () {
      if (this.currentTest?.state === 'failed') console.error(bench.said());
      network.mend();
      await bench.close();
      for (const close of closing.splice(0)) close();
    });

    it('may leave git without an answer of the remote: the ticket is held as offline after a minute, and continues', async () => {
      bench = await TeamBench.open(server.url, undefined, 200);
      let isSilent = false;
      const remote = createServer((request, response) => {
        if (isSilent) return;
        const { pathname, search } = new URL(request.url ?? '', 'http://localhost');
        const root = dirname(bench.remote);
        gitBackend(request, response, { root, path: pathname, query: search.slice(1), user: 'runner' });
      });
      closing.push(() => {
        remote.close();
        remote.closeAllConnections();
      });
      await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve));
      const { port } = remote.address() as AddressInfo;
      const { name } = bench.tickets.client.repository;
      const address = `http://127.0.0.1:${port}/origin.git`;
      await bench.query(`UPDATE beadsmith.repositories SET url = '${address}' WHERE name = '${name}'`);
      await bench.run('one');
      const id = await bench.start('Greet by name');
      await bench.driveTo(id, 'CODING');
      isSilent = true;
      const held = await until(async () => (await bench.ticket(id)).hold, 'the ticket is held', 100_000);
      assert.equal(held.kind, 'offline');
      assert.match(held.detail, /too slow|said nothing for 60 s/);
      const isAside = /"running":1,.*"atWork":\{"tickets":0,/;
      await until(async () => isAside.test(await bench.printed('fleet')), 'it takes no place', 60_000);
      isSilent = false;
      await bench.driveTo(id, 'COMPLETED');
    });

    it('may be cut between a runner and the database: another one carries on, and the first works again afterwards', async () => {
      bench = await TeamBench.open(server.url, undefined, 500);
      const one = await bench.runAt(network.url(server.url), 'one');
      const id = await bench.start('Greet by name');
      await bench.driveTo(id, 'CODING');
      network.cut();
      const two = await bench.run('two');
      await bench.driveTo(id, 'WAITING_PR_REVIEW');
      network.mend();
      await until(
        () => one.stdout.includes('EPOCH_LOST'),
        'the first learns that it lost the ticket',
        150_000,
      );
      two.child.kill('SIGTERM');
      await two.ended;
      await bench.driveTo(id, 'COMPLETED');
      assert.equal((await bench.tickets.ports.store.verify(id)).ok, true);
    });
  });
});
