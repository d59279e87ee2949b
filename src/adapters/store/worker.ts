import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { BeadsmithError, errorRecord, toBeadsmithError } from '../../domain/errors.ts';
import { openDatabase, type OpenedDatabase } from './openDatabase.ts';
import { OtherProcesses } from './otherProcesses.ts';
import { whenFree } from './sqliteErrors.ts';
import { SqliteStore } from './sqliteStore.ts';
import { callSync, type FromWorker, OpenRequest, Request } from './workerMessages.ts';

/** The thread that owns the database, so that neither a lock nor a slow disk ever blocks the editor (docs/decisions/006-sqlite-in-a-worker.md). */
if (parentPort) await main(parentPort);

async function main(port: MessagePort): Promise<void> {
  const say = (message: FromWorker): void => {
    port.postMessage(message);
  };
  try {
    const options = OpenRequest.parse(workerData);
    const opened = await whenFree(() => openDatabase(options, Date.now()));
    const store = opened.database && new SqliteStore(opened.database, () => Date.now());
    const epoch = store && opened.mode === 'open' && options.drive ? await whenFree(() => store.adopt()) : null;
    serve(port, say, opened, store);
    const reason = opened.mode === 'readOnly' ? errorRecord(opened.reason) : null;
    const methods = store ? Object.keys(store.calls) : [];
    say({ type: 'opened', opened: { mode: opened.mode, epoch, readable: store !== undefined, methods, reason } });
  } catch (error) {
    say({ type: 'failed', error: errorRecord(toBeadsmithError(error)) });
    port.close();
  }
}

function serve(port: MessagePort, say: (message: FromWorker) => void, opened: OpenedDatabase, store: SqliteStore | undefined): void {
  const others = opened.database && new OtherProcesses(opened.database, () => say({ type: 'changed' }));
  const working = new Set<Promise<void>>();
  const call = async ({ id, method, args }: Request): Promise<void> => {
    try {
      if (method === 'close') {
        others?.dispose();
        await Promise.allSettled(working);
        store?.close();
        say({ type: 'answer', id, value: undefined });
        port.close();
        return;
      }
      if (!store) throw opened.mode === 'readOnly' ? opened.reason : new BeadsmithError('UNEXPECTED', { reason: 'there is no database' });
      const value = await whenFree(() => callSync(store.calls, method, args));
      say({ type: 'answer', id, value });
    } catch (error) {
      say({ type: 'error', id, error: errorRecord(toBeadsmithError(error)) });
    }
  };
  port.on('message', (message: unknown) => {
    const request = Request.parse(message);
    const work = call(request);
    if (request.method === 'close') return;
    working.add(work);
    void work.finally(() => working.delete(work));
  });
}
