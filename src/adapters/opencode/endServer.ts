import { endTree, isAlive } from '../system/processTable.ts';
import { ServerFiles } from './serverFiles.ts';
import type { ServerRecord } from './serverFiles.ts';

/**
 * Ends a server and removes its record. Its guard is asked first. What is killed here is proved to be this record's: pid and start time, or the
 * nonce in its environment.
 */
export async function endServer(files: ServerFiles, record: ServerRecord): Promise<void> {
  if (await isAlive(record.guard)) {
    signal(record.guard.pid);
    const deadline = performance.now() + 5_000;
    while (performance.now() < deadline && (await isAlive(record.guard))) await pause(25);
  }
  await endTree(record.server, record.nonce);
  await files.remove(record.nonce);
}

/** Ends the server of a state folder that only waits out its grace. Answers false, and does nothing, while a living process uses it. */
export async function endUnusedServer(stateDir: string): Promise<boolean> {
  const files = new ServerFiles(stateDir, 'main');
  if (await files.inUse('all')) return false;
  const record = await files.read();
  if (record) await endServer(files, record);
  return true;
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It was faster.
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
