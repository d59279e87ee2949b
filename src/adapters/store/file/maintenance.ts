import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { BeadsmithError, ErrorRecord, fromRecord } from '../../../domain/core/errors.ts';

/** Times are milliseconds since 1970. */
const BackupInfo = z.object({
  name: z.string(),
  at: z.number(),
  bytes: z.number(),
  tickets: z.number(),
  problem: z.string().nullable(),
});
export type BackupInfo = z.infer<typeof BackupInfo>;

/** A branch's tip that the backup doesn't know, and the ref that keeps it. `known`: the ticket is. */
const LostWork = z.object({ ticket: z.string(), commit: z.string(), ref: z.string(), known: z.boolean() });
export type LostWork = z.infer<typeof LostWork>;

const Restored = z.object({
  damaged: z.string().nullable(),
  tickets: z.number(),
  lost: z.array(LostWork).readonly(),
});
export type Restored = z.infer<typeof Restored>;

export const FinishedTicket = z.object({
  id: z.string(),
  status: z.enum(['COMPLETED', 'CANCELED']),
  at: z.number(),
  worktree: z.string().nullable(),
  texts: z.object({ count: z.number(), bytes: z.number() }),
  sessions: z.array(z.object({ id: z.string(), directory: z.string() })),
});
export type FinishedTicket = z.infer<typeof FinishedTicket>;

const TextRemoval = z.object({
  task: z.literal('removeTexts'),
  folder: z.string(),
  installation: z.string(),
  texts: z.array(z.string()),
  sessions: z.array(z.string()),
});
export type TextRemoval = z.infer<typeof TextRemoval>;

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

export async function backupsIn(worker: URL, folder: string): Promise<readonly BackupInfo[]> {
  return z.array(BackupInfo).parse(await inWorker(worker, { task: 'list', folder }));
}

export async function restoreIn(
  worker: URL,
  folder: string,
  name: string,
  tips: Readonly<Record<string, string>>,
): Promise<Restored> {
  return Restored.parse(await inWorker(worker, { task: 'restore', folder, name, tips: { ...tips } }));
}

export async function finishedIn(worker: URL, folder: string): Promise<readonly FinishedTicket[]> {
  return z.array(FinishedTicket).parse(await inWorker(worker, { task: 'finished', folder }));
}

export async function removeTextsIn(worker: URL, removal: Omit<TextRemoval, 'task'>): Promise<void> {
  await inWorker(worker, { task: 'removeTexts', ...removal });
}

/** Its own thread: checking takes as long as the database is large. */
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
