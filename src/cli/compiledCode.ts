import { constants, enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { cacheRoot } from '../adapters/system/cacheRoot.ts';

/** The part of `node:module` that is used here. */
type Enable = (folder: string) => { readonly status: number };

/**
 * Keeps the compiled code of this process, of its threads and of the helpers it starts in the user's cache.
 * Without it each of them compiles the same files again, an eighth of what a short command costs. Says
 * nothing when the folder can't be written; a person's own choice of a folder, or of none, stays.
 */
export function keepCompiledCode(env: NodeJS.ProcessEnv, enable: Enable = enableCompileCache): void {
  if (env['NODE_COMPILE_CACHE'] !== undefined || env['NODE_DISABLE_COMPILE_CACHE'] !== undefined) return;
  const folder = join(cacheRoot(env), 'compiled');
  const { status } = enable(folder);
  // Threads and helpers read the variable: for them it has to be set before they load anything.
  if (status === constants.compileCacheStatus.ENABLED) env['NODE_COMPILE_CACHE'] = folder;
}
