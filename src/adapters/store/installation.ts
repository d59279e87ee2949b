import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createExclusively } from './exclusiveFile.ts';

/**
 * The id of this user's installation, made once and kept in their configuration folder. A database says which installation made it: one that came
 * with a copied or downloaded repository is somebody else's (docs/decisions/005-store-location-and-durability.md).
 */
export async function installationId(folder: string = configurationFolder()): Promise<string> {
  const path = join(folder, 'installation');
  await mkdir(folder, { recursive: true });
  await createExclusively(path, randomUUID());
  return (await readFile(path, 'utf8')).trim();
}

function configurationFolder(): string {
  const { APPDATA: roaming, XDG_CONFIG_HOME: configured } = process.env;
  if (process.platform === 'win32') return join(roaming ?? join(homedir(), 'AppData', 'Roaming'), 'beadsmith');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'beadsmith');
  return join(configured ?? join(homedir(), '.config'), 'beadsmith');
}
