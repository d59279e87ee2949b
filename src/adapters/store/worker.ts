import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { errorRecord, toBeadsmithError } from '../../domain/core/errors.ts';
import { backUpHourly } from './file/backups.ts';
import { MaintenanceTask } from './file/maintenance.ts';
import { listBackups, restoreBackup } from './file/restore.ts';
import { finishedTickets, removeTexts } from './cleaning/finished.ts';
import { openDatabase } from './file/openDatabase.ts';
import { OtherProcesses } from './otherProcesses.ts';
import { serveCalls } from './sql/serveCalls.ts';
import { whenFree } from './sql/whenFree.ts';
import { SqliteStore } from './sqliteStore.ts';
import { type FromWorker, OpenRequest } from './sql/workerMessages.ts';

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
    const others = opened.database && new OtherProcesses(opened.database, () => say({ type: 'changed' }));
    const reason = opened.mode === 'readOnly' ? errorRecord(opened.reason) : null;
    serveCalls(port, {
      store,
      reason,
      isPatient: options.drive,
      stop: () => others?.dispose(),
      end: () => store?.end(),
    });
    if (opened.database && epoch !== null) backUpHourly(opened.database);
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
