import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { findOpencode } from '../../adapters/opencode/server/findOpencode.ts';
import type { AppOptions, OpencodeOptions } from '../../app/createApp.ts';
import { toBeadsmithError } from '../../domain/core/errors.ts';
import type { Readiness } from '../../views/shared/repositories.ts';

/** A checkout's top folder, found without git. */
export async function findRepository(folder: string): Promise<string | undefined> {
  let at = await realpath(folder).catch(() => undefined);
  while (at !== undefined) {
    if (await stat(join(at, '.git')).catch(() => undefined)) return at;
    const parent = dirname(at);
    at = parent === at ? undefined : parent;
  }
  return undefined;
}

/** From a checkout's files, without git. */
export async function commonDirOf(root: string): Promise<string | undefined> {
  const dotGit = join(root, '.git');
  const found = await stat(dotGit).catch(() => undefined);
  if (found?.isDirectory()) return dotGit;
  const link = await readFile(dotGit, 'utf8').catch(() => '');
  const gitDir = /^gitdir: (.+)$/m.exec(link)?.[1];
  if (gitDir === undefined) return undefined;
  const folder = resolve(root, gitDir.trim());
  const common = await readFile(join(folder, 'commondir'), 'utf8').catch(() => '.');
  return resolve(folder, common.trim());
}

/** A server that the user runs counts as found. */
export async function lookForOpencode(
  { binary, url }: OpencodeOptions,
  env: AppOptions['env'],
): Promise<Readiness['opencode']> {
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
