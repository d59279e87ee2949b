import { parentPort, workerData } from 'node:worker_threads';
import type { ConnectionStart } from './connection.ts';

const data: unknown = workerData;
const start = typeof data === 'object' && data !== null ? data : {};

/** The thread of a team's store, and the one of its connection, which needs little of the other. */
if (parentPort) {
  if ('connection' in start) {
    const { serveConnection } = await import('./connection.ts');
    serveConnection((start as ConnectionStart).connection);
  } else {
    const { serveTeam } = await import('./serveTeam.ts');
    await serveTeam(parentPort, start, new URL(import.meta.url));
  }
}
