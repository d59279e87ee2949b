import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { inTemporary, installError, runNpm, runScript } from '../../system/npm.ts';
import { cachedOpencode, opencodeConfigFolder, opencodeFolder, opencodeVersion } from './findOpencode.ts';
import type { Environment } from '../../system/commandEnvironment.ts';

/** OpenCode searches with it, or downloads one; same as set-up's. */
export const ripgrepVersion = '1.18.0';

const what = `OpenCode ${opencodeVersion}`;

interface InstallOptions {
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/**
 * Puts OpenCode into the user's cache by npm, and its package into our configuration folder: 420 MB. All or
 * nothing. Answers its binary. Throws NPM_MISSING, REGISTRY_UNREACHABLE, INSTALL_FAILED.
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
    await inTemporary(`${folder}-`, async (cwd) => {
      const manifest = { dependencies: { '@opencode-ai/plugin': opencodeVersion } };
      await writeFile(join(cwd, 'package.json'), JSON.stringify(manifest));
      await runNpm(['install'], what, { cwd, env, signal });
      await rm(folder, { recursive: true, force: true });
      await rename(cwd, folder);
    });
  } catch {
    signal.throwIfAborted();
  }
}

async function installBinary({ env, signal }: InstallOptions): Promise<string> {
  const [folder, binary] = [opencodeFolder(env), cachedOpencode(env)];
  if (existsSync(binary)) return binary;
  try {
    await inTemporary(join(dirname(folder), `.${basename(folder)}-`), async (temp) => {
      // Its own manifest keeps npm from searching further up.
      await writeFile(join(temp, 'package.json'), '{ "private": true }\n');
      const packages = [`opencode-ai@${opencodeVersion}`, `@vscode/ripgrep@${ripgrepVersion}`];
      const words = ['install', '--no-save', '--no-package-lock', ...packages];
      await runNpm(words, what, { cwd: temp, env, signal });
      // By hand: it only picks this processor's binary.
      await runScript('postinstall.mjs', { cwd: join(temp, 'node_modules', 'opencode-ai'), env, signal });
      const made = join(temp, relative(folder, binary));
      if (!existsSync(made))
        throw new BeadsmithError('INSTALL_FAILED', {
          what,
          reason: 'the package was installed, but its binary is missing',
        });
      await moveInto(temp, folder, binary);
    });
    return binary;
  } catch (error) {
    throw installError(what, error);
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
