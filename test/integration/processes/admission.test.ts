import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startMarked } from '../../../src/adapters/system/startedBy.ts';
import { withAdmission } from '../../../src/app/admission.ts';
import type { Store } from '../../../src/engine/ports/storePort.ts';
import { tempStore, type TempStore } from '../../support/engine/tempStore.ts';
import { newTicket } from '../../support/samples.ts';

const body = { sha256: 'a'.repeat(64), reason: '' };
const poster = join(import.meta.dirname, '../../support/posterChild.ts');

describe('admission of what another process files', () => {
  let temp: TempStore;
  let ticket: string;
  beforeEach(async () => {
    temp = tempStore();
    ticket = (await temp.store.createTicket({ ...newTicket, title: 'Greet' })).id;
  });
  afterEach(() => temp.remove());

  const opened = (): Promise<Store> =>
    withAdmission({
      store: temp.store,
      decisions: { key: 'of the driver', decide: () => Promise.resolve() },
      drives: true,
      stateFolder: temp.folder,
      configFolder: join(temp.folder, 'config'),
      isAgent: false,
      clock: { now: () => Date.now() },
      events: { emit: () => undefined },
      driverIsGone: () => Promise.resolve(false),
    });
  const pending = async (store: Store): Promise<readonly string[]> =>
    (await store.inbox(ticket, { pending: true })).map(({ id }) => id);
  const stateOf = async (id: string) => (await temp.store.inbox(ticket)).find((entry) => entry.id === id);
  const approve = (id: string) => ({ id, ticket, kind: 'approve', body }) as const;

  before(function () {
    if (process.platform === 'linux') return;
    console.log('skipped: only Linux shows which process filed a decision');
    this.skip();
  });

  /** With the user's own key. */
  const admits = async (id: string, isMarked: boolean, staysVisible = true): Promise<boolean> => {
    const store = await opened();
    const orders = JSON.stringify({ stateFolder: temp.folder, entry: approve(id), staysVisible });
    // A person's process isn't a child of the driver.
    const words = ['-c', '"$0" "$@" &', process.execPath, poster, orders];
    const env = { ...process.env, NODE_NO_WARNINGS: '1' };
    const child = spawn(...(isMarked ? startMarked('/bin/sh', words) : (['/bin/sh', words] as const)), {
      stdio: ['ignore', 'pipe', 'inherit'],
      env,
    });
    const [pid] = (await once(child.stdout, 'data')) as [Buffer];
    try {
      return (await pending(store)).includes(id);
    } finally {
      kill(Number(pid.toString()));
    }
  };

  it('admits a person’s, and none of an agent although it has the key', async () => {
    assert.equal(await admits('person', false), true);
    assert.equal(await admits('agent', true), false);
    assert.equal(await admits('gone', false, false), false);
    assert.equal((await stateOf('agent'))?.outcome?.code, 'DECISION_UNSEALED');
  });
});

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was seen, and ended.
  }
}
