import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { BeadsmithError, errorRecord, toBeadsmithError } from '../../domain/core/errors.ts';
import { backUpHourly } from './file/backups.ts';
import { MaintenanceTask } from './file/maintenance.ts';
import { listBackups, restoreBackup } from './file/restore.ts';
import { finishedTickets, removeTexts } from './cleaning/finished.ts';
import { openDatabase, type OpenedDatabase } from './file/openDatabase.ts';
import { OtherProcesses } from './otherProcesses.ts';
import { usualPatienceMs, whenFree } from './sqlite/sqliteErrors.ts';
import { SqliteStore } from './sqliteStore.ts';
import { callSync, type FromWorker, isWrite, OpenRequest, Request } from './sqlite/workerMessages.ts';

/** The database's thread: no lock or disk blocks the editor (docs/decisions/006-sqlite-in-a-worker.md). */
if (parentPort) await begin(parentPort);

async function begin(port: MessagePort): Promise<void> {
  const task = MaintenanceTask.safeParse(workerData).data;
  if (!task) return main(port);
  try {
    port.postMessage({ value: await maintain(task) });
  } catch (error) {
    port.postMessage({ error: errorRecord(toBeadsmithError(error)) });
  }
}

async function maintain(task: MaintenanceTask): Promise<unknown> {
  switch (task.task) {
    case 'list':
      return listBackups(task.folder);
    case 'restore':
      return restoreBackup(task.folder, task.name, task.tips, Date.now());
    case 'finished':
      return whenFree(() => finishedTickets(task.folder));
    case 'removeTexts':
      return whenFree(() => removeTexts(task, Date.now()));
  }
}

/** Milliseconds for all remaining locks once the process is about to end. */
const hurriedMs = 1_000;

async function main(port: MessagePort): Promise<void> {
  const say = (message: FromWorker): void => {
    port.postMessage(message);
  };
  try {
    const options = OpenRequest.parse(workerData);
    const opened = await whenFree(() => openDatabase(options, Date.now()));
    const { writer, epoch: driven } = options;
    const store =
      opened.database && new SqliteStore(opened.database, () => Date.now(), driven ?? undefined, writer);
    const isNew = store && opened.mode === 'open' && options.drive && driven === null;
    const epoch = isNew ? await whenFree(() => store.adopt()) : driven;
    serve(port, { say, opened, store, isPatient: options.drive });
    if (opened.database && epoch !== null) backUpHourly(opened.database);
    const reason = opened.mode === 'readOnly' ? errorRecord(opened.reason) : null;
    const methods = store ? Object.keys(store.calls) : [];
    say({
      type: 'opened',
      opened: { mode: opened.mode, epoch, readable: store !== undefined, methods, reason },
    });
  } catch (error) {
    say({ type: 'failed', error: errorRecord(toBeadsmithError(error)) });
    port.close();
  }
}

interface Served {
  readonly say: (message: FromWorker) => void;
  readonly opened: OpenedDatabase;
  readonly store: SqliteStore | undefined;
  readonly isPatient: boolean;
}

function serve(port: MessagePort, { say, opened, store, isPatient }: Served): void {
  const others = opened.database && new OtherProcesses(opened.database, () => say({ type: 'changed' }));
  const working = new Set<Promise<void>>();
  let patience = isPatient ? Number.POSITIVE_INFINITY : usualPatienceMs;
  const call = async ({ id, method, args, again }: Request): Promise<void> => {
    try {
      if (method === 'hurry') patience = hurriedMs;
      if (method === 'close') {
        patience = 0;
        others?.dispose();
        await Promise.allSettled(working);
        store?.end();
      }
      if (method === 'hurry' || method === 'close') {
        say({ type: 'answer', id, value: undefined });
        if (method === 'close') port.close();
        return;
      }
      if (!store)
        throw opened.mode === 'readOnly'
          ? opened.reason
          : new BeadsmithError('UNEXPECTED', { reason: 'there is no database' });
      const made = (): unknown => callSync(store.calls, method, args);
      const once = isWrite(method) ? (): unknown => store.once(id, again, made) : made;
      const value = await whenFree(once, {
        patienceMs: () => patience,
        onWait: () => say({ type: 'waiting', id }),
      });
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
