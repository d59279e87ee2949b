import { setTimeout as pause } from 'node:timers/promises';
import { endLeft, endTree, signal } from '../../system/processTree.ts';
import { isAlive } from '../../system/processes.ts';
import { serverDomains, ServerFiles, type ServerRecord } from './serverFiles.ts';

/**
 * Ends a server and removes its record; first asks its guard. Kills only processes that match by pid and
 * start time, or by the nonce in their environment.
 */
export async function endServer(files: ServerFiles, record: ServerRecord): Promise<void> {
  if (await isAlive(record.guard)) {
    signal(record.guard, 'SIGTERM');
    const deadline = performance.now() + 5_000;
    while (performance.now() < deadline && (await isAlive(record.guard))) await pause(25);
  }
  await endTree(record.server, record.nonce);
  await endLeft(record.nonce, files.toolNotes);
  await files.tidy(record.nonce);
  await files.remove(record.nonce);
}

/** Ends unused servers before their grace is over. False, and none, if one is in use. */
export async function endUnusedServers(stateDir: string): Promise<boolean> {
  const all = (await serverDomains(stateDir)).map((domain) => new ServerFiles(stateDir, domain));
  for (const files of all) if (await files.inUse('all')) return false;
  for (const files of all) {
    const record = await files.read();
    if (record) await endServer(files, record);
  }
  return true;
}
