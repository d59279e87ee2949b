import type { MessagePort } from 'node:worker_threads';
import { errorRecord, toBeadsmithError } from '../../../domain/core/errors.ts';
import { serveCalls } from '../sql/serveCalls.ts';
import type { FromWorker } from '../sql/workerMessages.ts';
import { openTeamDatabase, TeamRequest } from './openTeamDatabase.ts';
import { TeamStore } from './teamStore.ts';

/** Milliseconds that an opening waits for the server; a runner waits as long as it takes. */
const openingMs = 10_000;

/** Serves a team's store to the other thread. `worker`: this program, for the connection. */
export async function serveTeam(port: MessagePort, data: object, worker: URL): Promise<void> {
  const say = (message: FromWorker): void => {
    port.postMessage(message);
  };
  try {
    const { runner, ...start } = TeamRequest.parse(data);
    const opened = await openTeamDatabase({
      ...start,
      worker,
      patienceMs: runner === null ? openingMs : Number.POSITIVE_INFINITY,
      onChange: () => say({ type: 'changed' }),
    });
    const { database, check } = opened;
    const store = new TeamStore(database, {
      now: () => Date.now(),
      runner,
      writer: start.writer,
      check,
    });
    const calls = { ...store.calls, ...store.facts, ...store.claims, ...store.places, ...store.log };
    serveCalls(port, {
      store: { calls, once: (...write) => store.once(...write) },
      reason: null,
      isPatient: runner !== null,
      onCall: (sayWaiting) => (database.onWait = sayWaiting),
      stop: () => undefined,
      end: () => store.close(),
    });
    const methods = Object.keys(calls);
    say({ type: 'opened', opened: { mode: 'open', epoch: null, readable: true, methods, reason: null } });
  } catch (error) {
    say({ type: 'failed', error: errorRecord(toBeadsmithError(error)) });
    port.close();
  }
}
