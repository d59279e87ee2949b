import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { Environment } from './commandEnvironment.ts';
import { safePath } from './programs.ts';

interface NpmOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** Runs the npm of the user's PATH, which knows their registry. `what` it installs. Throws NPM_MISSING. */
export async function runNpm(words: readonly string[], what: string, options: NpmOptions): Promise<void> {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
  await runProgram([...findNpm(options.env, what), ...words, ...quiet], options);
}

/** Runs a package's own script, which an install leaves out. */
export async function runScript(script: string, { cwd, env, signal }: NpmOptions): Promise<void> {
  await runProgram([process.execPath, script], {
    cwd,
    env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
    signal,
  });
}

/** An empty folder for `work`, which may rename it; else it is gone afterwards. */
export async function inTemporary(prefix: string, work: (folder: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(prefix), { recursive: true });
  const folder = await mkdtemp(prefix);
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET|network/i;

/** REGISTRY_UNREACHABLE or INSTALL_FAILED, with what npm said; a BeadsmithError stays as it is. */
export function installError(what: string, error: unknown): BeadsmithError {
  if (error instanceof BeadsmithError) return error;
  const output =
    error instanceof Error && 'stderr' in error && typeof error.stderr === 'string' ? error.stderr : '';
  if (offline.test(`${String(error)}\n${output}`))
    return new BeadsmithError('REGISTRY_UNREACHABLE', { what });
  const said = output
    .split('\n')
    .findLast((line) => /^npm (?:ERR!|error) \S/.test(line) && !/complete log/.test(line));
  const reason =
    said?.replace(/^npm (?:ERR!|error) /, '') ??
    (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  return new BeadsmithError('INSTALL_FAILED', { what, reason });
}

/** On Windows its JavaScript: the script there needs a shell. */
function findNpm(env: Environment, what: string): readonly string[] {
  for (const folder of safePath(env).split(delimiter)) {
    if (process.platform !== 'win32' && existsSync(join(folder, 'npm'))) return [join(folder, 'npm')];
    const script = join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js');
    if (process.platform === 'win32' && existsSync(script)) return [join(folder, 'node.exe'), script];
  }
  throw new BeadsmithError('NPM_MISSING', { what });
}

async function runProgram([command = '', ...args]: readonly string[], options: NpmOptions): Promise<void> {
  await promisify(execFile)(command, args, {
    ...options,
    env: { ...options.env },
    maxBuffer: 16 * 1024 * 1024,
    windowsHide: true,
  });
}
