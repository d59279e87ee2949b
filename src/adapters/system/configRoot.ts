import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder in the user's configuration in which their own prompts are looked for. */
export function ownPromptFolder(env: Readonly<Record<string, string | undefined>>): string {
  return join(configRoot(env), 'prompts');
}

/** The folder of Beadsmith in the user's configuration. */
export function configRoot(env: Readonly<Record<string, string | undefined>>): string {
  const home = env['HOME'] ?? homedir();
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'beadsmith');
  if (process.platform === 'win32')
    return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'beadsmith');
  // An empty variable counts as none.
  if (env['XDG_CONFIG_HOME']) return join(env['XDG_CONFIG_HOME'], 'beadsmith');
  return join(home, '.config', 'beadsmith');
}
