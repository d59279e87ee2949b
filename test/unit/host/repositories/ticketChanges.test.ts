import assert from 'node:assert/strict';
import { type MayHaveChanged, TicketChanges } from '../../../../src/host/repositories/ticketChanges.ts';
import { repositoryKey } from '../../../../src/protocol/documents.ts';
import { FakeClient } from '../../../support/fakes/fakeClient.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';
import { until } from '../../../support/until.ts';

const key = repositoryKey('/sample');

describe('the tickets that may have changed', () => {
  let client: FakeClient;
  let repositories: FakeRepositories;
  let told: MayHaveChanged[];
  let changes: TicketChanges;

  beforeEach(() => {
    client = new FakeClient();
    repositories = new FakeRepositories();
    told = [];
    repositories.show(client);
    changes = new TicketChanges(repositories, 1, (changed) => told.push(changed));
  });
  afterEach(() => changes.dispose());

  const next = async (): Promise<MayHaveChanged> => {
    const changed = await until(() => told.shift(), 'something was told');
    assert.deepEqual(told, []);
    return changed;
  };

  it('are told together, and no others', async () => {
    client.change('TST-1');
    client.change('TST-1');
    client.change('TST-2');
    const changed = await next();
    assert.deepEqual(
      [changed(key, 'TST-1'), changed(key, 'TST-2'), changed(key, 'TST-3')],
      [true, true, false],
    );
    assert.equal(changed('another', 'TST-1'), false);
    client.change('TST-3');
    const later = await next();
    assert.deepEqual([later(key, 'TST-1'), later(key, 'TST-3')], [false, true]);
  });

  it('are all of a repository that changed as a whole, or was opened', async () => {
    client.change();
    assert.equal((await next())(key, 'TST-9'), true);
    const other = new FakeClient({ root: '/other' });
    repositories.show(client, other);
    const opened = await next();
    assert.deepEqual([opened(key, 'TST-9'), opened(repositoryKey('/other'), 'TST-9')], [true, true]);
    other.change('TST-2');
    assert.equal((await next())(repositoryKey('/other'), 'TST-2'), true);
  });

  it('are of nothing that is closed, or failed to open', async () => {
    repositories.show();
    client.change('TST-1');
    repositories.fail('/other', new Error('no') as never);
    const again = new FakeClient();
    repositories.show(again);
    const changed = await next();
    assert.deepEqual([changed(key, 'TST-1'), changed(repositoryKey('/other'), 'TST-1')], [true, false]);
    changes.dispose();
    again.change('TST-1');
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(told, []);
  });
});
