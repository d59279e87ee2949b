import { execFile } from 'node:child_process';
import { access, constants, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { cacheRoot } from '../../system/cacheRoot.ts';
import { readJson } from '../../system/files.ts';
import { isInside, safePath } from '../../system/programs.ts';
import { ToolVersions } from '../../system/toolVersions.ts';
import { type Environment, variablesOf } from '../../system/commandEnvironment.ts';

/** The tested version; the contract test tells when it changes. */
export const opencodeVersion = '1.18.33';

/**
 * OpenCode by the machine's setting, PATH, or the user's cache, never from a repository
 * (docs/decisions/115-hostile-repositories.md; `inside`: its folders). A wrong version on PATH yields to the
 * cache's. Throws OPENCODE_MISSING, OPENCODE_INSIDE, OPENCODE_VERSION.
 */
export async function findOpencode(
  options: {
    readonly setting?: string;
    readonly env?: Environment;
    readonly inside?: readonly string[];
  } = {},
): Promise<string> {
  const { env = process.env, setting, inside = [] } = options;
  if (setting && isInside(setting, inside)) throw new BeadsmithError('OPENCODE_INSIDE', { path: setting });
  const candidates = setting
    ? [setting]
    : [...onPath(env, inside), cachedOpencode(env)].filter((path) => !isInside(path, inside));
  let wrong: BeadsmithError | undefined;
  for (const path of candidates) {
    if (!(await isExecutable(path))) continue;
    const found = await versionOf(path, env);
    if (found === opencodeVersion) return path;
    wrong ??= new BeadsmithError('OPENCODE_VERSION', { found, path, wanted: opencodeVersion });
  }
  throw wrong ?? new BeadsmithError('OPENCODE_MISSING', { version: opencodeVersion });
}

export function cachedOpencode(env: Environment): string {
  return join(opencodeFolder(env), 'node_modules', 'opencode-ai', 'bin', 'opencode.exe');
}

export function opencodeFolder(env: Environment): string {
  return join(cacheRoot(env), 'opencode', opencodeVersion);
}

/** Our servers' configuration folder, one per user, with the package OpenCode would install first. */
export function opencodeConfigFolder(env: Environment): string {
  return join(cacheRoot(env), 'opencode-config', opencodeVersion);
}

function onPath(env: Environment, inside: readonly string[]): string[] {
  const names = process.platform === 'win32' ? ['opencode.exe', 'opencode.cmd'] : ['opencode'];
  const folders = safePath(env, inside).split(delimiter);
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

const Manifest = z.object({ name: z.literal('opencode-ai'), version: z.string() });
/**
 * Another major version could rewrite a person's sessions by merely running: its package tells before. The
 * binary is asked once for each state of its file; set-up's own isn't.
 */
async function versionOf(path: string, env: Environment): Promise<string> {
  const real = await realpath(path);
  const packaged = await readJson(join(dirname(dirname(real)), 'package.json'), Manifest);
  if (packaged && (packaged.version !== opencodeVersion || real.endsWith(ownPlace))) return packaged.version;
  const [found = ''] = await ToolVersions.ofUser(env).of([{ path: real, ask: () => ask(path, env) }], env);
  return found === '' ? 'of unknown version' : found;
}

const ownPlace = join(sep, 'opencode', opencodeVersion, 'node_modules', 'opencode-ai', 'bin', 'opencode.exe');

async function ask(path: string, env: Environment): Promise<string> {
  // It makes folders even for this question: an empty home.
  const scratch = await mkdtemp(join(tmpdir(), 'beadsmith-version-'));
  const homes = [
    'HOME USERPROFILE APPDATA LOCALAPPDATA',
    'XDG_DATA_HOME XDG_CONFIG_HOME XDG_CACHE_HOME XDG_STATE_HOME',
  ].flatMap((line) => line.split(' '));
  const slim: Record<string, string> = {
    ...variablesOf(env, ['SystemRoot', 'TMPDIR', 'TEMP']),
    PATH: safePath(env),
  };
  for (const name of homes) slim[name] = scratch;
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], {
      cwd: scratch,
      env: slim,
      timeout: 15_000,
      shell: path.endsWith('.cmd'),
    });
    const last = stdout.trim().split('\n').at(-1) ?? '';
    return last.trim().replace(/^v/, '').slice(0, 100);
  } catch {
    return '';
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
