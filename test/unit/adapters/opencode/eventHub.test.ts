import assert from 'node:assert/strict';
import { EventHub } from '../../../../src/adapters/opencode/eventHub.ts';
import type { OpencodeClient } from '../../../../src/adapters/opencode/opencodeClient.ts';
import { until } from '../../../support/until.ts';

describe('Events of an OpenCode server', () => {
  /** The kinds of events that a listener of session `one` was told, by what the server sends. */
  const told = async (sent: readonly { readonly type: string; readonly properties: object }[]): Promise<string[]> => {
    const last = { type: 'permission.asked', properties: { sessionID: 'one' } };
    const client = {
      async *events(signal: AbortSignal) {
        for (const payload of [...sent, last]) yield await Promise.resolve({ payload });
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    };
    const hub = new EventHub(client as unknown as OpencodeClient);
    const kinds: string[] = [];
    const listening = hub.listen('one', ({ kind }) => kinds.push(kind));
    await until(() => kinds.includes('request'), 'the last event has come');
    listening.dispose();
    hub.dispose();
    return kinds.slice(0, -1);
  };
  const status = (type: string, sessionID = 'one') => ({ type: 'session.status', properties: { sessionID, status: { type } } });

  it('ask for a look when a session is idle or tries again, and not each time it says that it works', async () => {
    assert.deepEqual(await told([status('busy'), status('busy'), status('retry'), status('idle')]), ['look', 'look']);
  });

  it('ask for one when a status is unknown, and are those of the listener’s session', async () => {
    assert.deepEqual(await told([status('idle', 'two'), status('something new')]), ['look']);
  });
});
