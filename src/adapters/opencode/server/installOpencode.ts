import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { safePath } from '../../system/programs.ts';
import { cachedOpencode, opencodeConfigFolder, opencodeFolder, opencodeVersion } from './findOpencode.ts';

/** OpenCode searches with it, and would download it else; the same one that set-up installs. */
export const ripgrepVersion = '1.18.0';

export interface InstallOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Puts the pinned OpenCode into the user's cache by npm, where `findOpencode` looks last, and the package
 * that it would install at its first start into the configuration folder of our servers: about 420 MB. All or
 * nothing, because the folder is filled beside its place and renamed at the end. Answers its binary.
 * NPM_MISSING, REGISTRY_UNREACHABLE, OPENCODE_INSTALL_FAILED.
 */
export async function installOpencode({ env, signal }: InstallOptions): Promise<string> {
  const binary = await installBinary({ env, signal });
  await installPluginPackage({ env, signal });
  return binary;
}

/** OpenCode installs it by itself if it is missing, so a failure here is none. */
async function installPluginPackage({ env, signal }: InstallOptions): Promise<void> {
  const folder = join(opencodeConfigFolder(env), 'opencode');
  if (await exists(join(folder, 'node_modules', '@opencode-ai', 'plugin'))) return;
  let temp: string | undefined;
  try {
    const npm = await findNpm(env);
    await mkdir(dirname(folder), { recursive: true });
    temp = await mkdtemp(`${folder}-`);
    await writeFile(
      join(temp, 'package.json'),
      JSON.stringify({ dependencies: { '@opencode-ai/plugin': opencodeVersion } }),
    );
    await run([...npm, 'install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: temp, env, signal });
    await rm(folder, { recursive: true, force: true });
    await rename(temp, folder);
  } catch {
    signal.throwIfAborted();
  } finally {
    if (temp !== undefined) await rm(temp, { recursive: true, force: true });
  }
}

async function installBinary({ env, signal }: InstallOptions): Promise<string> {
  const [folder, binary] = [opencodeFolder(env), cachedOpencode(env)];
  if (await exists(binary)) return binary;
  let temp: string | undefined;
  try {
    const npm = await findNpm(env);
    await mkdir(dirname(folder), { recursive: true });
    temp = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
    // A manifest of its own keeps npm from looking for a project further up.
    await writeFile(join(temp, 'package.json'), '{ "private": true }\n');
    const packages = [`opencode-ai@${opencodeVersion}`, `@vscode/ripgrep@${ripgrepVersion}`];
    const quiet = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
    await run([...npm, 'install', ...quiet, ...packages], { cwd: temp, env, signal });
    // Run by hand: it only picks the binary that fits this processor.
    await run([process.execPath, 'postinstall.mjs'], {
      cwd: join(temp, 'node_modules', 'opencode-ai'),
      env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
      signal,
    });
    const made = join(temp, relative(folder, binary));
    if (!(await exists(made))) throw failed('the package was installed, but its binary is missing');
    await moveInto(temp, folder, binary);
    return binary;
  } catch (error) {
    if (error instanceof BeadsmithError) throw error;
    throw explain(error);
  } finally {
    if (temp !== undefined) await rm(temp, { recursive: true, force: true });
  }
}

/** Of two installations at once the second one yields; a folder without its binary is ours to replace. */
async function moveInto(temp: string, folder: string, binary: string): Promise<void> {
  if (!(await exists(binary))) await rm(folder, { recursive: true, force: true });
  try {
    await rename(temp, folder);
  } catch (error) {
    if (!(await exists(binary))) throw error;
  }
}

/** npm as an argument list: on Windows its JavaScript, because the script there needs a shell. */
async function findNpm(env: InstallOptions['env']): Promise<readonly string[]> {
  for (const folder of safePath(env).split(delimiter)) {
    if (process.platform !== 'win32' && (await exists(join(folder, 'npm')))) return [join(folder, 'npm')];
    const script = join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js');
    if (process.platform === 'win32' && (await exists(script))) return [join(folder, 'node.exe'), script];
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

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
