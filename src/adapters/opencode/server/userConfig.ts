import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonrepair } from 'jsonrepair';
import { isRecord } from '../../../base/json.ts';
import { type Environment, homeOf } from '../../system/commandEnvironment.ts';

/** As OpenCode merges them: the last one counts. */
const names = ['config.json', 'opencode.json', 'opencode.jsonc'];

/**
 * The user's own OpenCode configuration, for the providers in it, such as local models. A file that can't be
 * read is left out: OpenCode itself says what is wrong with it.
 */
export async function userConfig(env: Environment): Promise<Readonly<Record<string, unknown>>> {
  const folder = join(env['XDG_CONFIG_HOME'] ?? join(homeOf(env), '.config'), 'opencode');
  const configs = await Promise.all(names.map((name) => configIn(join(folder, name))));
  const merged: Record<string, unknown> = {};
  const provider: Record<string, unknown> = {};
  for (const config of configs) {
    Object.assign(merged, config);
    if (isRecord(config['provider'])) Object.assign(provider, config['provider']);
  }
  return 'provider' in merged ? { ...merged, provider } : merged;
}

async function configIn(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    // Comments and trailing commas are allowed in each of them.
    const config: unknown = JSON.parse(jsonrepair(await readFile(file, 'utf8')));
    return isRecord(config) ? config : {};
  } catch {
    return {};
  }
}
