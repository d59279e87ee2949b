import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Environment } from './commandEnvironment.ts';

/** The product's folder in the user's cache, as in the set-up script. It can be deleted when idle. */
export function cacheRoot(env: Environment): string {
  if (env['BEADSMITH_CACHE']) return resolve(env['BEADSMITH_CACHE']);
  if (env['XDG_CACHE_HOME']) return join(env['XDG_CACHE_HOME'], 'beadsmith');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'beadsmith');
  if (process.platform === 'win32')
    return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'beadsmith');
  return join(homedir(), '.cache', 'beadsmith');
}
