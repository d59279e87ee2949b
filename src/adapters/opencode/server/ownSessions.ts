import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { domainFor } from '../sandbox/domains.ts';
import { isAlive } from '../../system/processes.ts';
import { ServerFiles } from './serverFiles.ts';

function domainsOfOne(directory: string): readonly string[] {
  return [domainFor('default', directory).name, domainFor('execution_setup_online', directory).name];
}

export function sessionFolders(stateDir: string, directory: string): readonly string[] {
  return domainsOfOne(directory).map((name) => join(stateDir, 'opencode', name));
}

/** Answers whether they are gone; none is removed while a process uses one of the servers. */
export async function removeSessionFolders(stateDir: string, directory: string): Promise<boolean> {
  for (const name of domainsOfOne(directory)) {
    const files = new ServerFiles(stateDir, name);
    const record = await files.read();
    if ((await files.inUse('all')) || (record && (await isAlive(record.server)))) return false;
    if (record) await files.remove(record.nonce);
    await rm(join(stateDir, 'opencode', name), { recursive: true, force: true });
    for (const ending of ['sessions', 'asked', 'owners'])
      await rm(join(files.folder, `${name}.${ending}`), { recursive: true, force: true });
  }
  return true;
}
