import { constants, enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { cacheRoot } from '../adapters/system/cacheRoot.ts';

type Enable = (folder: string) => { readonly status: number };

/**
 * Keeps the compiled code of this process, its threads and helpers in the user's cache, which saves an eighth
 * of a short command. A person's own choice of a folder, or of none, stays.
 */
export function keepCompiledCode(env: NodeJS.ProcessEnv, enable: Enable = enableCompileCache): void {
  if (env['NODE_COMPILE_CACHE'] !== undefined || env['NODE_DISABLE_COMPILE_CACHE'] !== undefined) return;
  const folder = join(cacheRoot(env), 'compiled');
  const { status } = enable(folder);
  // Threads and helpers read the variable: for them it has to be set before they load anything.
  if (status === constants.compileCacheStatus.ENABLED) env['NODE_COMPILE_CACHE'] = folder;
}
