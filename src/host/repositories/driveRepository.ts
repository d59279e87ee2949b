import { join } from 'node:path';
import { serverDomains, ServerFiles } from '../../adapters/opencode/server/serverFiles.ts';
import { findOpencode } from '../../adapters/opencode/server/findOpencode.ts';
import { homeOf } from '../../adapters/system/commandEnvironment.ts';
import { repositoryFolders } from '../../adapters/system/programs.ts';
import { codeOf } from '../../adapters/system/files.ts';
import { cleanDaily, Cleaner, type DailyParts } from '../../app/cleaning/cleaner.ts';
import { checkRepository } from '../../app/checkup.ts';
import { createApp, type AppOptions } from '../../app/createApp.ts';
import { PersonsCommands } from '../../app/tickets/personsCommands.ts';
import { SourceReader } from '../../app/tickets/sourceReader.ts';
import { offersFor } from '../../app/modelsFor.ts';
import type { OpenRepository } from '../../views/shared/repositories.ts';
import { openVerifier } from '../../app/verify/openVerifier.ts';
import { eventLog, type Log } from '../logging/log.ts';
import { enterpriseHosts, githubToken } from '../settings/githubToken.ts';
import type { HostSettings } from '../settings/hostSettings.ts';
import { lookForOpencode } from './findRepository.ts';
import type { OpenedRepository } from './openedRepository.ts';
import { watch, type FSWatcher } from 'node:fs';
import type { Disposable } from '../../base/disposable.ts';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { sha256 } from '../../base/sha256.ts';

export { openBackups } from '../../app/backups.ts';
export { checkMachine } from '../../app/checkup.ts';
export { joinTeam, openTeamTickets } from './teamTickets.ts';

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
  | 'github'
> & {
  readonly starred: OpenRepository['starred'];
  /** Scripted models need no person's answers. */
  readonly isScripted?: true;
};

/** Drives a trusted repository. Throws as `createApp`. */
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
    github: () => settings.github(),
    signIn: {
      get hosts() {
        return enterpriseHosts();
      },
      of: (host, isQuiet) => githubToken(host, (secret) => log.keepSecret([secret]), isQuiet),
    },
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
  const claims = new NotificationClaims(stateFolder);
  const cleaner = new Cleaner({
    repository: app.repository,
    agent: app.ports.agent,
    git: app.ports.git,
    env,
  });
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
    models: () => offersFor(app.ports),
    starred: settings.starred,
    logIn: async () => {
      const { binary } = await settings.opencode();
      const inside = repositoryFolders(root);
      const program = await findOpencode({
        env,
        inside,
        ...(binary === undefined ? {} : { setting: binary }),
      });
      // In the repository it would load the repository's configuration, which can run code.
      return { program, args: ['auth', 'login'], folder: homeOf(env) };
    },
    branches: async () => ({
      all: await app.ports.git.branches(),
      usual: await app.ports.git.defaultBranch().catch(() => undefined),
      current: (await app.ports.git.branchOf(root).catch(() => null)) ?? undefined,
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
    verifier: (ticket) => openVerifier({ folder: root, env, of: ticket, sandbox, sandboxHosts }),
    commands: new PersonsCommands(app.client, app.ports),
    sources: new SourceReader(app.client, root, app.ports),
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

/** A file each, or tables after `--ref-format=reftable`. */
const places = ['refs/heads', 'reftable'];

/** Calls after a branch may have moved. */
export function watchBranches(commonDir: string, listener: () => void): Disposable {
  const watchers = places
    .map((place) => join(commonDir, place))
    .flatMap((folder) => watchFolder(folder, listener));
  return { dispose: () => watchers.forEach((watcher) => watcher.close()) };
}

/** Without a folder or a free watch, Refresh still works. */
function watchFolder(folder: string, listener: () => void): readonly FSWatcher[] {
  try {
    const watcher = watch(folder, { recursive: true, persistent: false }, listener);
    return [watcher.on('error', () => watcher.close())];
  } catch {
    return [];
  }
}

const keptMs = 30 * 24 * 3_600_000;

/** Shown notifications, as a file each, so that one window shows them. */
export class NotificationClaims {
  readonly #folder: string;

  /** `<git common dir>/beadsmith`. */
  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, 'notices');
  }

  /** True if this window shows it, or nothing can be written. */
  async claim(key: string): Promise<boolean> {
    await mkdir(this.#folder, { recursive: true }).catch(() => undefined);
    try {
      await writeFile(join(this.#folder, sha256(key).slice(0, 24)), '', { flag: 'wx' });
    } catch (error) {
      return codeOf(error) !== 'EEXIST';
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
