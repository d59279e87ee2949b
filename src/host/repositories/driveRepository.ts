import { join } from 'node:path';
import { serverDomains, ServerFiles } from '../../adapters/opencode/server/serverFiles.ts';
import { cleanDaily, type DailyParts } from '../../app/cleaning/cleanDaily.ts';
import { Cleaner } from '../../app/cleaning/cleaner.ts';
import { checkRepository } from '../../app/checkup.ts';
import { type AppOptions, createApp } from '../../app/createApp.ts';
import { modelsFor } from '../../app/modelsFor.ts';
import type { OpenRepository } from '../../views/shared/repositories.ts';
import { openVerifier } from '../../app/verify/openVerifier.ts';
import { eventLog, type Log } from '../logging/log.ts';
import type { HostSettings } from '../settings/hostSettings.ts';
import { lookForOpencode } from './findRepository.ts';
import { type FSWatcher, watch } from 'node:fs';
import type { Disposable } from '../../base/disposable.ts';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { sha256 } from '../../base/sha256.ts';

export { openBackups } from '../../app/backups.ts';

/** An open repository with what only its owner does. */
export interface OpenedRepository extends OpenRepository {
  /** Asked every few seconds: whether opening again would help, as when the driver is gone. */
  wantsReopening(): Promise<boolean>;
  /** Passwords that a report must not hold. */
  passwords(): Promise<readonly string[]>;
  /** Ends it. OpenCode's server stays for a while, so that the next window takes over what runs on it. */
  close(): Promise<void>;
}

/** The settings of a person that opening a repository depends on. */
export type DriveSettings = Pick<
  HostSettings,
  | 'repository'
  | 'opencode'
  | 'decisions'
  | 'promptFolder'
  | 'sandbox'
  | 'sandboxHosts'
  | 'cleanUp'
  | 'start'
  | 'rememberModels'
> & {
  /** Set if its models are scripted: what they do is known, so nobody is asked. */
  readonly isScripted?: true;
};

/** Opens a repository of a trusted workspace and drives its tickets. Throws what `createApp` throws. */
export async function driveRepository(
  root: string,
  settings: DriveSettings,
  env: AppOptions['env'],
  log: Log,
  takeOver = false,
): Promise<OpenedRepository> {
  const promptFolder = settings.promptFolder();
  const sandbox = settings.sandbox(env);
  const sandboxHosts = settings.sandboxHosts(env);
  const app = await createApp({
    folder: root,
    drive: true,
    decisions: await settings.decisions(),
    takeOver,
    env,
    sandbox,
    isUnattended: settings.isScripted === true,
    ...(settings.isScripted ? { isScripted: true } : {}),
    sandboxHosts,
    settings: settings.repository(root),
    opencode: await settings.opencode(),
    ...(promptFolder === undefined ? {} : { promptFolder }),
    log: (message) => log.info(message),
  });
  app.client.onEvent((event) => {
    const line = eventLog(event);
    if (line) log.write(line.level, line.text, line.detail);
  });
  try {
    await app.start('all');
  } catch (error) {
    await app.dispose();
    throw error;
  }
  const stateFolder = join(app.repository.commonDir, 'beadsmith');
  const claims = new NoticeClaims(stateFolder);
  const cleaner = new Cleaner({ repository: app.repository, agent: app.ports.agent, env });
  const daily: DailyParts = {
    cleaner,
    stateFolder,
    rule: () => settings.cleanUp(),
    say: (line) => log.info(line),
    now: () => Date.now(),
  };
  const endCleaning = app.mode === 'driver' ? cleanDaily(daily) : undefined;
  return {
    root,
    isDemo: false,
    client: app.client,
    claim: (key) => claims.claim(key),
    models: () => modelsFor(app.ports),
    branches: async () => ({
      all: await app.ports.git.branches(),
      usual: await app.ports.git.defaultBranch().catch(() => undefined),
    }),
    apart: async (branch) => (await app.ports.git.base(branch)) ?? { ahead: 0, behind: 0 },
    readiness: async () => ({
      hasCommits: (await app.ports.git.repository()).hasCommits,
      opencode: await lookForOpencode(await settings.opencode(), env),
    }),
    watchBranches: (listener) => watchBranches(app.repository.commonDir, listener),
    check: async function* () {
      const { mainImplementer, councilMembers = [] } = settings.start(root);
      const chosen = [...(mainImplementer === undefined ? [] : [mainImplementer]), ...councilMembers];
      yield* checkRepository(app, { opencode: await settings.opencode() }, chosen);
    },
    cleaner: {
      rule: daily.rule,
      list: () => cleaner.list(),
      remove: (wanted, options) => cleaner.remove(wanted, options),
    },
    verifier: (ticket) => openVerifier({ folder: root, env, ticket, sandbox, sandboxHosts }),
    passwords: async () => {
      const records = (await serverDomains(stateFolder)).map((domain) =>
        new ServerFiles(stateFolder, domain).read(),
      );
      return (await Promise.all(records)).flatMap((record) => record?.password ?? []);
    },
    startSettings: () => settings.start(root),
    rememberModels: (chosen) => settings.rememberModels(chosen),
    wantsReopening: async () => app.lost() !== undefined || (await app.driverIsGone()),
    close: async () => {
      await Promise.all([endCleaning?.(), app.stop()]);
      await app.ports.agent.stop({ keep: true });
      await app.dispose();
    },
  };
}

/** The places of git's branches: a file each, or tables after `--ref-format=reftable`. */
const places = ['refs/heads', 'reftable'];

/** Calls whenever a branch may have moved, once the new commit is there. */
export function watchBranches(commonDir: string, listener: () => void): Disposable {
  const watchers = places
    .map((place) => join(commonDir, place))
    .flatMap((folder) => watchFolder(folder, listener));
  return { dispose: () => watchers.forEach((watcher) => watcher.close()) };
}

/** Nothing where there is no folder or no watch left: Refresh brings up to date what is shown. */
function watchFolder(folder: string, listener: () => void): readonly FSWatcher[] {
  try {
    const watcher = watch(folder, { recursive: true, persistent: false }, listener);
    return [watcher.on('error', () => watcher.close())];
  } catch {
    return [];
  }
}

/** Longer than a notification is of interest. */
const keptMs = 30 * 24 * 3_600_000;

/** The notifications that a window on a repository has shown: a small file each, by the first one. */
export class NoticeClaims {
  readonly #folder: string;

  /** `stateFolder`: `<git common dir>/beadsmith`. */
  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, 'notices');
  }

  /** Returns true if this window is the one to show the notification; also where nothing can be written. */
  async claim(key: string): Promise<boolean> {
    await mkdir(this.#folder, { recursive: true }).catch(() => undefined);
    try {
      await writeFile(join(this.#folder, sha256(key).slice(0, 24)), '', { flag: 'wx' });
    } catch (error) {
      return !(error instanceof Error && 'code' in error && error.code === 'EEXIST');
    }
    void this.#forget();
    return true;
  }

  async #forget(): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found && Date.now() - found.mtimeMs > keptMs) await rm(path, { force: true });
    }
  }
}
