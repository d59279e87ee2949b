import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BeadsmithError } from '../domain/core/errors.ts';

/** Names an author: commits must work on a machine where git knows nobody. */
export async function introduce(program: string, folder: string, name: string, email: string): Promise<void> {
  const settings = { 'user.name': name, 'user.email': email, 'commit.gpgsign': 'false' };
  for (const [key, value] of Object.entries(settings)) await runGit(program, folder, ['config', key, value]);
}

/** Runs git in a folder and returns its output. Throws GIT_FAILED. */
export async function runGit(program: string, folder: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, ['-C', folder, ...args], {
      windowsHide: true,
      env: elsewhere(),
    });
    return stdout;
  } catch (error) {
    const said =
      error instanceof Error && 'stderr' in error && typeof error.stderr === 'string'
        ? error.stderr.trim()
        : '';
    throw new BeadsmithError(
      'GIT_FAILED',
      { command: args[0] ?? '', reason: said || String(error) },
      { cause: error },
    );
  }
}

/** Removed, so that only the folder decides where git works, even in a hook. */
const places = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_CONFIG',
];

function elsewhere(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !places.includes(name)));
}
