import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { safePath } from '../../system/programs.ts';
import { cachedOpencode, opencodeConfigFolder, opencodeFolder, opencodeVersion } from './findOpencode.ts';
import type { Environment } from '../../system/commandEnvironment.ts';

/** OpenCode searches with it, or downloads one; same as set-up's. */
export const ripgrepVersion = '1.18.0';

interface InstallOptions {
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/**
 * Puts OpenCode into the user's cache by npm, and its package into our configuration folder: 420 MB. All or
 * nothing. Answers its binary. Throws NPM_MISSING, REGISTRY_UNREACHABLE, OPENCODE_INSTALL_FAILED.
 */
export async function installOpencode({ env, signal }: InstallOptions): Promise<string> {
  const binary = await installBinary({ env, signal });
  await installPluginPackage({ env, signal });
  return binary;
}

/** OpenCode installs it itself if missing, so a failure is none. */
async function installPluginPackage({ env, signal }: InstallOptions): Promise<void> {
  const folder = join(opencodeConfigFolder(env), 'opencode');
  if (existsSync(join(folder, 'node_modules', '@opencode-ai', 'plugin'))) return;
  try {
    const npm = findNpm(env);
    await inTemporary(`${folder}-`, async (cwd) => {
      const manifest = { dependencies: { '@opencode-ai/plugin': opencodeVersion } };
      await writeFile(join(cwd, 'package.json'), JSON.stringify(manifest));
      await run([...npm, 'install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd, env, signal });
      await rm(folder, { recursive: true, force: true });
      await rename(cwd, folder);
    });
  } catch {
    signal.throwIfAborted();
  }
}

async function inTemporary(prefix: string, work: (folder: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(prefix), { recursive: true });
  const folder = await mkdtemp(prefix);
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function installBinary({ env, signal }: InstallOptions): Promise<string> {
  const [folder, binary] = [opencodeFolder(env), cachedOpencode(env)];
  if (existsSync(binary)) return binary;
  try {
    const npm = findNpm(env);
    await inTemporary(join(dirname(folder), `.${basename(folder)}-`), async (temp) => {
      // Its own manifest keeps npm from searching further up.
      await writeFile(join(temp, 'package.json'), '{ "private": true }\n');
      const packages = [`opencode-ai@${opencodeVersion}`, `@vscode/ripgrep@${ripgrepVersion}`];
      const quiet = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
      await run([...npm, 'install', ...quiet, ...packages], { cwd: temp, env, signal });
      // By hand: it only picks this processor's binary.
      await run([process.execPath, 'postinstall.mjs'], {
        cwd: join(temp, 'node_modules', 'opencode-ai'),
        env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
        signal,
      });
      const made = join(temp, relative(folder, binary));
      if (!existsSync(made)) throw failed('the package was installed, but its binary is missing');
      await moveInto(temp, folder, binary);
    });
    return binary;
  } catch (error) {
    if (error instanceof BeadsmithError) throw error;
    throw explain(error);
  }
}

/** The second of two installations yields; a folder without its binary is replaced. */
async function moveInto(temp: string, folder: string, binary: string): Promise<void> {
  if (!existsSync(binary)) await rm(folder, { recursive: true, force: true });
  try {
    await rename(temp, folder);
  } catch (error) {
    if (!existsSync(binary)) throw error;
  }
}

/** On Windows its JavaScript: the script there needs a shell. */
function findNpm(env: InstallOptions['env']): readonly string[] {
  for (const folder of safePath(env).split(delimiter)) {
    if (process.platform !== 'win32' && existsSync(join(folder, 'npm'))) return [join(folder, 'npm')];
    const script = join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js');
    if (process.platform === 'win32' && existsSync(script)) return [join(folder, 'node.exe'), script];
  }
  throw new BeadsmithError('NPM_MISSING');
}

async function run(
  [command = '', ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: InstallOptions['env']; readonly signal: AbortSignal },
): Promise<void> {
  await promisify(execFile)(command, args, {
    ...options,
    env: { ...options.env },
    maxBuffer: 16 * 1024 * 1024,
    windowsHide: true,
  });
}

const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET|network/i;

function explain(error: unknown): BeadsmithError {
  const output =
    error instanceof Error && 'stderr' in error && typeof error.stderr === 'string' ? error.stderr : '';
  if (offline.test(`${String(error)}\n${output}`))
    return new BeadsmithError('REGISTRY_UNREACHABLE', { version: opencodeVersion });
  const said = output
    .split('\n')
    .findLast((line) => /^npm (?:ERR!|error) \S/.test(line) && !/complete log/.test(line));
  return failed(
    said?.replace(/^npm (?:ERR!|error) /, '') ??
      (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)),
  );
}

function failed(reason: string): BeadsmithError {
  return new BeadsmithError('OPENCODE_INSTALL_FAILED', { reason, version: opencodeVersion });
}
