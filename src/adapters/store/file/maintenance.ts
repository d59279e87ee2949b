import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { BeadsmithError, ErrorRecord, fromRecord } from '../../../domain/core/errors.ts';

/** A backup, as a person chooses one. Times are milliseconds since 1970. */
const BackupInfo = z.object({
  name: z.string(),
  at: z.number(),
  bytes: z.number(),
  tickets: z.number(),
  /** The reason why it can't be restored; null if it can. */
  problem: z.string().nullable(),
});
export type BackupInfo = z.infer<typeof BackupInfo>;

/** The tip of a branch that the backup doesn't know, and the ref that keeps it. `known`: the ticket is. */
const LostWork = z.object({ ticket: z.string(), commit: z.string(), ref: z.string(), known: z.boolean() });
export type LostWork = z.infer<typeof LostWork>;

const Restored = z.object({
  /** The path where the database that was replaced is kept; null if there was none. */
  damaged: z.string().nullable(),
  tickets: z.number(),
  lost: z.array(LostWork).readonly(),
});
export type Restored = z.infer<typeof Restored>;

/** A ticket that is over, and what its calls and remaining sessions take. */
export const FinishedTicket = z.object({
  id: z.string(),
  status: z.enum(['COMPLETED', 'CANCELED']),
  at: z.number(),
  texts: z.object({ count: z.number(), bytes: z.number() }),
  sessions: z.array(z.object({ id: z.string(), directory: z.string() })),
});
export type FinishedTicket = z.infer<typeof FinishedTicket>;

/** The tickets whose texts are to be removed, and those whose sessions were. */
const TextRemoval = z.object({
  task: z.literal('removeTexts'),
  folder: z.string(),
  installation: z.string(),
  texts: z.array(z.string()),
  sessions: z.array(z.string()),
});
export type TextRemoval = z.infer<typeof TextRemoval>;

/** A task that the thread of the database does instead of opening it. */
export const MaintenanceTask = z.discriminatedUnion('task', [
  z.object({ task: z.literal('list'), folder: z.string() }),
  z.object({
    task: z.literal('restore'),
    folder: z.string(),
    name: z.string(),
    tips: z.record(z.string(), z.string()),
  }),
  z.object({ task: z.literal('finished'), folder: z.string() }),
  TextRemoval,
]);
export type MaintenanceTask = z.infer<typeof MaintenanceTask>;

const Answer = z.union([z.object({ value: z.unknown() }), z.object({ error: ErrorRecord })]);

/** The backups of a state folder, the newest first, each checked. */
export async function backupsIn(worker: URL, folder: string): Promise<readonly BackupInfo[]> {
  return z.array(BackupInfo).parse(await inWorker(worker, { task: 'list', folder }));
}

/** See `restoreBackup`. */
export async function restoreIn(
  worker: URL,
  folder: string,
  name: string,
  tips: Readonly<Record<string, string>>,
): Promise<Restored> {
  return Restored.parse(await inWorker(worker, { task: 'restore', folder, name, tips: { ...tips } }));
}

/** See `finishedTickets`. */
export async function finishedIn(worker: URL, folder: string): Promise<readonly FinishedTicket[]> {
  return z.array(FinishedTicket).parse(await inWorker(worker, { task: 'finished', folder }));
}

/** See `removeTexts`. */
export async function removeTextsIn(worker: URL, removal: Omit<TextRemoval, 'task'>): Promise<void> {
  await inWorker(worker, { task: 'removeTexts', ...removal });
}

/** In a thread of its own, because checking a database takes as long as it is large. */
function inWorker(url: URL, task: MaintenanceTask): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(url, { workerData: task, execArgv: [], name: 'beadsmith backups' });
    worker.on('message', (message: unknown) => {
      const answer = Answer.parse(message);
      if ('error' in answer) reject(fromRecord(answer.error));
      else resolve(answer.value);
    });
    worker.on('error', reject);
    worker.on('exit', () =>
      reject(new BeadsmithError('UNEXPECTED', { reason: 'the database worker ended' })),
    );
  });
}
