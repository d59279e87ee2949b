import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Environment, homeOf } from './commandEnvironment.ts';

export function ownPromptFolder(env: Environment): string {
  return join(configRoot(env), 'prompts');
}

export function configRoot(env: Environment): string {
  const home = homeOf(env);
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'beadsmith');
  if (process.platform === 'win32')
    return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'beadsmith');
  // An empty variable counts as none.
  if (env['XDG_CONFIG_HOME']) return join(env['XDG_CONFIG_HOME'], 'beadsmith');
  return join(home, '.config', 'beadsmith');
}
