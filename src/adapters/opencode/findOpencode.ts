import { execFile } from 'node:child_process';
import { access, constants, mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { BeadsmithError } from '../../domain/errors.ts';
import { cacheRoot } from '../system/cacheRoot.ts';

/** The one version this adapter was tested with; its own contract test says so when that changes. */
export const opencodeVersion = '1.18.33';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The OpenCode binary: the machine's setting, otherwise the first on PATH, otherwise the one that setup installed in the user's cache. Never one from
 * a repository. A wrong version on PATH is skipped if the cache has the right one. Throws OPENCODE_MISSING, or OPENCODE_VERSION if what was found
 * can't be used.
 */
export async function findOpencode(options: { readonly setting?: string; readonly env?: Environment } = {}): Promise<string> {
  const env = options.env ?? process.env;
  const candidates = options.setting ? [options.setting] : [...onPath(env), cachedOpencode(env)];
  let wrong: BeadsmithError | undefined;
  for (const path of candidates) {
    if (!(await isExecutable(path))) continue;
    const found = await versionOf(path, env);
    if (found === opencodeVersion) return path;
    wrong ??= new BeadsmithError('OPENCODE_VERSION', { found, path, wanted: opencodeVersion });
  }
  throw wrong ?? new BeadsmithError('OPENCODE_MISSING', { version: opencodeVersion });
}

/** Where set-up puts OpenCode (the same rule as in the set-up script). */
export function cachedOpencode(env: Environment): string {
  return join(opencodeFolder(env), 'node_modules', 'opencode-ai', 'bin', 'opencode.exe');
}

/** The folder in the user's cache that holds the pinned OpenCode and nothing else. */
export function opencodeFolder(env: Environment): string {
  return join(cacheRoot(env), 'opencode', opencodeVersion);
}

/** The configuration folder of our servers, one per user. Set-up puts the package there that OpenCode would install at its first start. */
export function opencodeConfigFolder(env: Environment): string {
  return join(cacheRoot(env), 'opencode-config', opencodeVersion);
}

/** Relative entries of PATH are left out: they would mean whatever folder we happen to be in. */
function onPath(env: Environment): string[] {
  const names = process.platform === 'win32' ? ['opencode.exe', 'opencode.cmd'] : ['opencode'];
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '' && resolve(folder) === join(folder));
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

const known = new Map<string, string>();
const Manifest = z.object({ name: z.literal('opencode-ai'), version: z.string() });

/** From the npm package the binary lies in; else the binary is asked, which takes a second, once for each state of the file. */
async function versionOf(path: string, env: Environment): Promise<string> {
  const real = await realpath(path);
  const manifest = await readFile(join(dirname(dirname(real)), 'package.json'), 'utf8').catch(() => '{}');
  const packaged = Manifest.safeParse(JSON.parse(manifest));
  if (packaged.success) return packaged.data.version;
  const { mtimeMs, size } = await stat(real);
  const key = `${real}\0${mtimeMs}\0${size}`;
  const version = known.get(key) ?? (await ask(path, env));
  known.set(key, version);
  return version;
}

async function ask(path: string, env: Environment): Promise<string> {
  // It makes its folders even for this question, so it gets a place for them.
  const scratch = await mkdtemp(join(tmpdir(), 'beadsmith-version-'));
  const names = ['PATH', 'HOME', 'SystemRoot', 'USERPROFILE', 'TMPDIR', 'TEMP'];
  const slim = Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
  const xdg = { XDG_DATA_HOME: scratch, XDG_CONFIG_HOME: scratch, XDG_CACHE_HOME: scratch, XDG_STATE_HOME: scratch };
  try {
    const options = { env: { ...slim, ...xdg }, timeout: 15_000, shell: path.endsWith('.cmd') };
    const { stdout } = await promisify(execFile)(path, ['--version'], options);
    const last = stdout.trim().split('\n').at(-1) ?? '';
    return last.trim().replace(/^v/, '').slice(0, 100) || 'of unknown version';
  } catch {
    return 'of unknown version';
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
