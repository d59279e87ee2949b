import { findOpencode } from '../adapters/opencode/findOpencode.ts';
import type { AppOptions, OpencodeOptions } from '../app/createApp.ts';
import { toBeadsmithError } from '../domain/errors.ts';
import type { Readiness } from '../views/repositories.ts';

/** Whether there is an OpenCode that could be started. A server that the user runs is taken at its word. */
export async function lookForOpencode({ binary, url }: OpencodeOptions, env: AppOptions['env']): Promise<Readiness['opencode']> {
  if (url !== undefined) return 'found';
  try {
    await findOpencode({ env, ...(binary === undefined ? {} : { setting: binary }) });
    return 'found';
  } catch (thrown) {
    const error = toBeadsmithError(thrown);
    if (error.code === 'OPENCODE_MISSING') return 'missing';
    if (error.code === 'OPENCODE_VERSION') return 'otherVersion';
    throw error;
  }
}
