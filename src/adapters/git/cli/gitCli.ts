import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Recent } from '../../../base/recent.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { type ForeignSettings, foreignSettings, type Setting } from '../settings/foreignSettings.ts';
import { type Place, reaches, SettingsGuard, signs } from '../settings/settingsGuard.ts';
import { type FoundObject, ObjectReader } from './objectReader.ts';
import { withoutLogins } from './parseGit.ts';
import { gitStarter } from '../start/gitStarter.ts';
import type { GitOutput } from '../start/runGit.ts';
import { findGit, repositoryFolders, safePath } from '../../system/programs.ts';
import { reasonOf, statAt } from '../../system/files.ts';
import { type Environment, variablesOf } from '../../system/commandEnvironment.ts';

export type { Place };

interface GitCall {
  readonly args: readonly string[];
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: readonly string[];
  /** Exit codes that aren't failures. Default: 0. */
  readonly allow?: readonly number[];
  readonly bytes?: boolean;
  readonly anySetting?: boolean;
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** Milliseconds without a word after which it is ended. */
  readonly silentMs?: number;
}

interface GitCliOptions {
  readonly environment: Environment;
  /** A folder of the repository: no program is taken from it or its worktrees. */
  readonly folder: string;
  /** Wait for a lock of another git, in milliseconds. */
  readonly lockPatienceMs: number;
  /** Called for a held lock; returns whether it was stale and is removed. */
  readonly removeStaleLock: (lock: string, place: Place) => Promise<boolean>;
}

/**
 * The one place that starts git (docs/decisions/012-git-calls.md). Throws GIT_FAILED, GIT_LOCKED,
 * GIT_NOT_FOUND, GIT_SETTING_REFUSED.
 */
export class GitCli {
  readonly #binary: string | undefined;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #network: Readonly<Record<string, string>>;
  readonly #agent: Readonly<Record<string, string>>;
  readonly #login: Readonly<Record<string, string>>;
  readonly #settings: SettingsGuard;
  readonly #options: GitCliOptions;
  readonly #versions = new Recent<string>(1);
  readonly #readers = new Map<string, { readonly reader: ObjectReader; readonly settings: string }>();

  constructor(options: GitCliOptions) {
    this.#options = options;
    const { environment } = options;
    const inside = repositoryFolders(options.folder);
    this.#binary = findGit(environment, inside);
    // git looks up ssh, gpg and its own parts there.
    this.#environment = {
      ...variablesOf(environment, inheritedNames),
      ...fixedEnvironment,
      PATH: safePath(environment, inside),
    };
    this.#agent = variablesOf(environment, ['SSH_AUTH_SOCK']);
    // The person's credential helper finds their keyring there.
    this.#login = variablesOf(environment, ['DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR']);
    this.#network = {
      ...variablesOf(environment, networkNames),
      ...this.#agent,
      ...transports(environment['GIT_ALLOW_PROTOCOL']),
    };
    // Outside of a repository there is only the person's configuration.
    this.#settings = new SettingsGuard(inside, environment['HOME'] ?? '', async (place, args) => {
      const { code, stdout } = await this.#spawn(place, { args }, foreignSettings([], '', []));
      // A search that finds nothing ends with 1.
      return code === 0 || (code === 1 && args[0] === 'grep') ? stdout : undefined;
    });
  }

  async run(place: Place, call: GitCall): Promise<GitOutput> {
    const deadline = performance.now() + this.#options.lockPatienceMs;
    for (let pause = 100; ; pause = Math.min(pause * 2, 2_000)) {
      const output = await this.#spawn(place, call, await this.#settings.check(place, call.args));
      if ((call.allow ?? [0]).includes(output.code)) return output;
      const lock = /Unable to create '(.+\.lock)': File exists/.exec(output.stderr)?.[1];
      // git read a half-written file of another worktree command.
      if (lock === undefined && !output.stderr.includes('commondir: Success')) throw failure(call, output);
      if (lock !== undefined && (await this.#options.removeStaleLock(lock, place))) continue;
      if (performance.now() + pause > deadline)
        throw lock === undefined ? failure(call, output) : new BeadsmithError('GIT_LOCKED', { path: lock });
      await sleep(pause);
    }
  }

  async text(place: Place, ...args: readonly string[]): Promise<string> {
    const { stdout } = await this.run(place, { args });
    return stdout.replace(/\n$/, '');
  }

  /** The fields that a command with `-z` lists. */
  async records(place: Place, args: readonly string[], allow?: readonly number[]): Promise<string[]> {
    const { stdout } = await this.run(place, { args, ...(allow ? { allow } : {}) });
    return stdout.split('\0').filter((record) => record !== '');
  }

  async settings(place: Place): Promise<readonly Setting[]> {
    return (await this.#settings.look(place)).all;
  }

  async version(place: Place): Promise<string> {
    const found = await statAt(this.#binary ?? '');
    const state = `${String(found?.ino)} ${String(found?.size)} ${String(found?.mtimeMs)}`;
    return this.#versions.of(state, async () =>
      (await this.text(place, '--version')).replace(/^git version /, ''),
    );
  }

  /** Reads the object of a name (one line), with its content for `contents`; undefined for nothing. */
  async object(place: Place, name: string, command: 'info' | 'contents'): Promise<FoundObject | undefined> {
    if (/\p{Cc}/u.test(name)) return undefined;
    const reader = await this.#reader(place);
    try {
      return await reader.ask(command, name);
    } catch {
      return this.#objectAlone(place, name, command);
    }
  }

  async #reader(place: Place): Promise<ObjectReader> {
    const found = await this.#settings.check(place, ['cat-file']);
    const settings = JSON.stringify(found);
    const key = `${place.cwd}\0${place.gitDir ?? ''}`;
    const known = this.#readers.get(key);
    if (known && !known.reader.ended && known.settings === settings) return known.reader;
    // It knows the configuration as of its start.
    known?.reader.end();
    const { binary, env, config } = this.#start(place, { args: ['cat-file'] }, found);
    // Not in a worktree of ours, which may be removed.
    const cwd = place.gitDir === undefined ? place.cwd : dirname(dirname(place.gitDir));
    const args = [...config.flatMap((setting) => ['-c', setting]), 'cat-file'];
    const reader = new ObjectReader(binary, args, { cwd, env });
    this.#readers.set(key, { reader, settings });
    return reader;
  }

  async #objectAlone(
    place: Place,
    name: string,
    command: 'info' | 'contents',
  ): Promise<FoundObject | undefined> {
    const args =
      command === 'info'
        ? ['rev-parse', '--verify', '--quiet', '--end-of-options', name]
        : ['cat-file', 'blob', name];
    const { code, stdout, bytes } = await this.run(place, { args, allow: [0, 1, 128], bytes: true });
    if (code !== 0) return undefined;
    return command === 'info'
      ? { sha: stdout.trim(), type: '' }
      : { sha: '', type: 'blob', ...(bytes ? { content: bytes } : {}) };
  }

  #start(
    place: Place,
    call: GitCall,
    { off, partial, foreign }: ForeignSettings,
  ): {
    readonly binary: string;
    readonly env: Readonly<Record<string, string>>;
    readonly config: string[];
    readonly connects: boolean;
  } {
    if (this.#binary === undefined) throw new BeadsmithError('GIT_NOT_FOUND');
    const pinned: Record<string, string> =
      place.gitDir === undefined ? {} : { GIT_DIR: place.gitDir, GIT_WORK_TREE: place.cwd };
    // With nothing to fetch no transport is allowed: no server is asked.
    const isAsked = reaches(call.args);
    const isShut = foreign.some(
      ({ occasion }) => occasion === 'network' || (occasion === 'server' && isAsked),
    );
    const mayAsk = (partial || isAsked) && !isShut;
    const reach = mayAsk
      ? { ...this.#network, ...(isAsked ? { ...this.#login, ...neverAsking } : {}) }
      : { GIT_ALLOW_PROTOCOL: '', ...(signs(call.args) ? this.#agent : {}) };
    const env = { ...this.#environment, ...reach, ...pinned, ...off, ...call.env };
    const config = [
      ...fixedConfig,
      ...(place.gitDir === undefined ? [] : worktreeConfig),
      ...(call.config ?? []),
    ];
    return { binary: this.#binary, env, config, connects: mayAsk };
  }

  async #spawn(place: Place, call: GitCall, settings: ForeignSettings): Promise<GitOutput> {
    const { args, input, bytes = false, anySetting = false, signal, silentMs } = call;
    const start = {
      ...this.#start(place, call, settings),
      cwd: place.cwd,
      args,
      bytes,
      anySetting,
      ...(input === undefined ? {} : { input }),
      ...(signal && { signal }),
      ...(silentMs !== undefined && { silentMs }),
    };
    try {
      return await gitStarter.run(start);
    } catch (error) {
      signal?.throwIfAborted();
      const command = args[0] ?? '';
      throw new BeadsmithError('GIT_FAILED', { command, reason: reasonOf(error) }, { cause: error });
    }
  }
}

const fixedConfig = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.pager=cat',
  'core.quotepath=off',
  // It warns, or refuses a commit whose line endings are converted anyway.
  'core.safecrlf=false',
  'protocol.ext.allow=never',
  'credential.interactive=false',
  'submodule.recurse=false',
  'log.showSignature=false',
  'gc.auto=0',
  'maintenance.auto=false',
];

/** Keeps agents' configuration files out of our worktrees. */
const worktreeConfig = ['core.sparseCheckout=true', 'core.sparseCheckoutCone=false', 'index.sparse=false'];

const fixedEnvironment = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_PAGER: 'cat',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_LFS_SKIP_SMUDGE: '1',
  LC_ALL: 'C',
};

const inheritedNames = [
  'PATH HOME USER LOGNAME TMPDIR TMP TEMP XDG_CONFIG_HOME',
  'GNUPGHOME',
  'SystemRoot USERPROFILE APPDATA LOCALAPPDATA ProgramData',
  'GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL',
].flatMap((line) => line.split(' '));

const networkNames = [
  'GIT_SSH GIT_SSH_COMMAND GIT_SSH_VARIANT GIT_PROXY_COMMAND HTTP_PROXY HTTPS_PROXY ALL_PROXY',
  'NO_PROXY http_proxy https_proxy all_proxy no_proxy',
].flatMap((line) => line.split(' '));

/** SSH would ask on the terminal of this process; gh and Git Credential Manager ask there or in a window. */
const neverAsking = {
  SSH_ASKPASS: '/bin/false',
  SSH_ASKPASS_REQUIRE: 'force',
  GH_PROMPT_DISABLED: '1',
  GCM_INTERACTIVE: 'never',
};

/** The transports a person allows, but for `ext::`, which starts any program. */
function transports(allowed: string | undefined): Record<string, string> {
  if (allowed === undefined) return {};
  const names = allowed.split(':').filter((name) => name !== 'ext');
  return { GIT_ALLOW_PROTOCOL: names.join(':') };
}

function failure(call: GitCall, output: GitOutput): BeadsmithError {
  const reason = withoutLogins(output.stderr).trim().slice(0, 2_000) || `it ended with ${output.code}`;
  const command = call.args[0] ?? '';
  const diagnostics = { code: output.code };
  if (/No space left on device|Disk quota exceeded/.test(output.stderr))
    return new BeadsmithError('DISK_FULL', {}, { diagnostics });
  return new BeadsmithError('GIT_FAILED', { command, reason }, { diagnostics });
}
