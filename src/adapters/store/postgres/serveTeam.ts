import type { MessagePort } from 'node:worker_threads';
import { errorRecord, toBeadsmithError } from '../../../domain/core/errors.ts';
import { serveCalls } from '../sql/serveCalls.ts';
import { whenFree } from '../sql/whenFree.ts';
import type { FromWorker } from '../sql/workerMessages.ts';
import { SqlStore } from '../sqlStore.ts';
import { openTeamDatabase, TeamRequest } from './openTeamDatabase.ts';

/** Milliseconds that an opening waits for the server; a thread that replaces a dead one waits longer. */
const openingMs = 10_000;

/** Serves a team's store to the other thread. `worker`: this program, for the connection. */
export async function serveTeam(port: MessagePort, data: object, worker: URL): Promise<void> {
  const say = (message: FromWorker): void => {
    port.postMessage(message);
  };
  try {
    const { epoch: driven, ...start } = TeamRequest.parse(data);
    const opened = await openTeamDatabase({
      ...start,
      worker,
      patienceMs: driven === null ? openingMs : Number.POSITIVE_INFINITY,
      onChange: () => say({ type: 'changed' }),
    });
    const { database, check } = opened;
    const store = new SqlStore(database, {
      now: () => Date.now(),
      epoch: driven ?? undefined,
      writer: start.writer,
      check,
    });
    const epoch = start.drive && driven === null ? await whenFree(() => store.adopt()) : driven;
    serveCalls(port, {
      store,
      reason: null,
      isPatient: start.drive,
      onCall: (sayWaiting) => (database.onWait = sayWaiting),
      stop: () => undefined,
      end: () => store.close(),
    });
    const methods = Object.keys(store.calls);
    say({ type: 'opened', opened: { mode: 'open', epoch, readable: true, methods, reason: null } });
  } catch (error) {
    say({ type: 'failed', error: errorRecord(toBeadsmithError(error)) });
    port.close();
  }
}
