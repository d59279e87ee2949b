import { EventBus } from '../../../src/app/eventBus.ts';
import { StoreClient } from '../../../src/app/storeClient.ts';
import type { Store } from '../../../src/engine/ports/storePort.ts';
import { FakeDiffs } from '../fakes/fakeDiffs.ts';
import { noForge } from '../fakes/noForge.ts';
import { todaysPrompts } from './todaysPrompts.ts';

let ids = 0;

/** For a repository named `sample` that any start suits. */
export function testClient(store: Store, events = new EventBus()): StoreClient {
  return new StoreClient({
    store,
    repository: { root: '/sample', name: 'sample', mode: 'driver', reason: '' },
    events,
    stateFolder: '/nowhere',
    diffs: new FakeDiffs(),
    forges: noForge,
    today: todaysPrompts(),
    elsewhere: () => Promise.resolve([]),
    randomId: () => `entry${String(++ids)}`,
    naming: () => Promise.resolve({ prefix: 'TST', atLeast: 1 }),
    checkStart: ({ baseBranch }) => Promise.resolve(baseBranch ?? 'main'),
  });
}
