import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { EventHub, type SessionEvent } from '../../../../src/adapters/opencode/client/eventHub.ts';
import { until } from '../../../support/until.ts';

describe('the events of a server', () => {
  const said = (text: string): unknown => ({
    payload: {
      type: 'message.part.delta',
      properties: { sessionID: 's', partID: 'p', field: 'text', delta: text },
    },
  });
  const connected = { payload: { type: 'server.connected', properties: {} } };

  /** A server of whose connections each gets what it is told to. */
  function server() {
    const connections: PromiseWithResolvers<readonly unknown[]>[] = [];
    const events = (signal: AbortSignal): Promise<AsyncIterable<unknown>> => {
      const connection = Promise.withResolvers<readonly unknown[]>();
      signal.addEventListener('abort', () => connection.reject(new Error('aborted')));
      connections.push(connection);
      const stream = async function* () {
        yield* await connection.promise;
      };
      return Promise.resolve(stream());
    };
    const hub = new EventHub({ events });
    return { hub, connections };
  }

  it('are heard from the first one of a connection on', async () => {
    const { hub, connections } = server();
    const words: SessionEvent[] = [];
    const listening = hub.listen('s', (event) => words.push(event));
    let isHeard = false;
    const heard = listening.heard.then(() => (isHeard = true));
    await setImmediate();
    assert.equal(isHeard, false);
    connections[0]?.resolve([connected, said('so far')]);
    await heard;
    await until(() => words.length === 2, 'the words');
    assert.deepEqual(
      words.map((event) => (event.kind === 'delta' ? event.text : event.kind)),
      ['look', 'so far'],
    );
    hub.dispose();
  });

  it('keep nobody waiting when there is no connection, and are waited for while the next one is made', async () => {
    const { hub, connections } = server();
    const first = hub.listen('s', () => undefined);
    await until(() => connections.length === 1, 'a connection');
    connections[0]?.reject(new Error('refused'));
    await first.heard;
    let isHeard = false;
    const later = hub.listen('s', () => undefined);
    const heard = later.heard.then(() => (isHeard = true));
    await until(() => connections.length === 2, 'the next connection');
    assert.equal(isHeard, false);
    connections[1]?.resolve([connected]);
    await heard;
    hub.dispose();
  });
});
