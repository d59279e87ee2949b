import assert from 'node:assert/strict';
import { openWorkerStore, type WorkerStore } from '../../../src/adapters/store/workerStore.ts';
import { FaultyNetwork } from '../../support/storeContract/faultyNetwork.ts';
import { postgresServer, teamWorker } from '../../support/storeContract/postgresServer.ts';
import { createTicket } from '../../support/storeContract/samples.ts';
import { until } from '../../support/until.ts';

describe('the network between a team’s machines', function () {
  this.timeout(300_000);
  const server = postgresServer();
  const opened: WorkerStore[] = [];
  let network: FaultyNetwork;
  beforeEach(async () => {
    network = await FaultyNetwork.to(server.url);
  });
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
});
