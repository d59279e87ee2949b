import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Mutex } from '../../../base/mutex.ts';
import { sha256 } from '../../../base/sha256.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Environment } from '../../system/commandEnvironment.ts';
import { exists, realAt } from '../../system/files.ts';
import { FileLock, type HeldLock } from '../../system/lock.ts';
import { GitCli, type Place } from '../cli/gitCli.ts';
import { withoutLogins } from '../cli/parseGit.ts';
import { givesUp, inSight, remoteSilentMs } from '../cli/remotes.ts';
import { removeLockOf } from '../cli/staleLock.ts';

/** A repository of a team. `name` and `url` come from its database. */
export interface TeamOrigin {
  readonly name: string;
  readonly url: string;
}

interface ClonesOptions {
  /** A private folder of the runner, for nothing else. */
  readonly folder: string;
  readonly environment: Environment;
  /** Wait for a lock of another git, in milliseconds. Default: 15 s. */
  readonly lockPatienceMs?: number;
  readonly log?: (message: string) => void;
}

interface Held {
  readonly folder: string;
  readonly lock: HeldLock;
  fetchedAt: number;
}

/** Milliseconds. */
const freshMs = 30_000;
/** More processes of one machine never share a folder. */
const mostClones = 50;

/**
 * Clones of a team's repositories, each of one process for as long as it lives (docs/team.md). Another
 * process of the machine gets another clone.
 */
export class Clones {
  readonly #options: ClonesOptions;
  readonly #turns = new Mutex();
  readonly #held = new Map<string, Held>();

  constructor(options: ClonesOptions) {
    this.#options = options;
  }

  /**
   * Answers the folder of a whole clone with the newest commits of its remote. Throws INVALID_INPUT for an
   * address, GIT_FAILED with git's words, GIT_LOCKED.
   */
  async open({ name, url }: TeamOrigin): Promise<string> {
    const address = addressOf(url);
    const key = keyOf(name, address);
    return this.#turns.run(key, async () => {
      const held = this.#held.get(key) ?? (await this.#take(key, folderOf(name, address)));
      await this.#update(held.folder, address);
      held.fetchedAt = performance.now();
      return held.folder;
    });
  }

  /**
   * Fetches into an open clone while tickets are driven in it, unless that was done just now. Throws
   * GIT_FAILED with git's words.
   */
  async refresh({ name, url }: TeamOrigin): Promise<void> {
    const key = keyOf(name, addressOf(url));
    await this.#turns.run(key, async () => {
      const held = this.#held.get(key);
      if (!held || performance.now() - held.fetchedAt < freshMs) return;
      await fetchBranches(this.#gitIn(held.folder));
      held.fetchedAt = performance.now();
    });
  }

  /** Leaves the clones to other processes. */
  async close(): Promise<void> {
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const { lock } of held) await lock.release();
  }

  async #take(key: string, name: string): Promise<Held> {
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
    const parent = (await realAt(this.#options.folder)) ?? this.#options.folder;
    for (let number = 1; number <= mostClones; number += 1) {
      const folder = join(parent, number === 1 ? name : `${name}-${String(number)}`);
      const attempt = await new FileLock(`${folder}.lock`).tryTake();
      if (attempt.kind !== 'held') continue;
      attempt.lock.giveSigns();
      const held = { folder, lock: attempt.lock, fetchedAt: 0 };
      this.#held.set(key, held);
      return held;
    }
    throw new BeadsmithError('GIT_LOCKED', { path: join(parent, name) });
  }

  async #update(folder: string, url: string): Promise<void> {
    if ((await exists(folder)) && !(await this.#isClone(folder, url))) await this.#setAside(folder);
    if (!(await exists(folder))) return this.#make(folder, url);
    await removeLeftLocks(folder, this.#patienceMs);
    const git = this.#gitIn(folder);
    try {
      await fetchBranches(git);
    } catch (error) {
      // A server that doesn't answer is no reason to look.
      const whole = { args: ['fsck', '--connectivity-only', '--no-dangling'], allow: anyEnd };
      if ((await git.run(whole)) === 0) throw error;
      await this.#setAside(folder);
      await this.#make(folder, url);
    }
  }

  /** Nobody sees a half one: it gets its name when it is whole. */
  async #make(folder: string, url: string): Promise<void> {
    const part = `${folder}.making`;
    await rm(part, { recursive: true, force: true });
    await mkdir(part, { mode: 0o700 });
    const git = this.#gitIn(part);
    // simple-git refuses any template; this is none.
    await git.run({ args: ['init', '--quiet', '--template=', '--initial-branch=main'], anySetting: true });
    for (const [name, value] of [
      ['remote.origin.url', url],
      ['remote.origin.fetch', allBranches],
    ] as const)
      await git.run({ args: ['config', '--local', name, value] });
    await fetchBranches(git);
    await rename(part, folder);
  }

  async #isClone(folder: string, url: string): Promise<boolean> {
    const found = await this.#gitIn(folder)
      .text({ args: ['rev-parse', '--path-format=absolute', '--git-common-dir'] })
      .catch(() => '');
    if (found !== join(folder, '.git')) return false;
    const read = { args: ['config', '--local', '--get-all', 'remote.origin.url'], allow: [0, 1] };
    return (await this.#gitIn(folder).text(read)) === url;
  }

  /** A damaged clone may have the only copy of something. */
  async #setAside(folder: string): Promise<void> {
    for (let number = 1; ; number += 1) {
      const aside = `${folder}.broken-${String(number)}`;
      if (await exists(aside)) continue;
      await rename(folder, aside);
      this.#options.log?.(`The clone ${folder} was damaged. It is kept as ${aside}, and made again.`);
      return;
    }
  }

  get #patienceMs(): number {
    return this.#options.lockPatienceMs ?? 15_000;
  }

  #gitIn(cwd: string): CloneGit {
    const { environment } = this.#options;
    const lockPatienceMs = this.#patienceMs;
    const removeStaleLock = (lock: string): Promise<boolean> => removeLockOf(lock, cwd);
    return cloneGit(new GitCli({ environment, folder: cwd, lockPatienceMs, removeStaleLock }), { cwd });
  }
}

interface CloneCall {
  readonly args: readonly string[];
  readonly silentMs?: number;
  readonly config?: readonly string[];
  readonly allow?: readonly number[];
  readonly anySetting?: boolean;
}

interface CloneGit {
  /** The exit code. */
  run(call: CloneCall): Promise<number>;
  text(call: CloneCall): Promise<string>;
}

function cloneGit(cli: GitCli, place: Place): CloneGit {
  return {
    run: async (call) => (await cli.run(place, call)).code,
    text: async (call) => (await cli.run(place, call)).stdout.trim(),
  };
}

const anyEnd = Array.from({ length: 256 }, (_none, code) => code);
const allBranches = '+refs/heads/*:refs/remotes/origin/*';
/** No submodule, and nothing that a person's `git pull` would read. */
const quietly = ['--no-write-fetch-head', '--recurse-submodules=no'];

async function fetchBranches(git: CloneGit): Promise<void> {
  const asked = { silentMs: remoteSilentMs, config: givesUp };
  // First, because a server that says nothing is found out soonest by it.
  const listed = await git.text({ args: ['ls-remote', '--symref', '--', 'origin', 'HEAD'], ...asked });
  const fetch = inSight(['fetch', ...quietly, '--prune', '--', 'origin', allBranches]);
  await git.run({ args: fetch, ...asked });
  const branch = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(listed)?.[1];
  if (branch === undefined) return;
  const there = await git.text({
    args: ['rev-parse', '--verify', '--quiet', `refs/remotes/origin/${branch}^{commit}`],
    allow: [0, 1],
  });
  if (there === '') return;
  await git.run({
    args: ['symbolic-ref', 'refs/remotes/origin/HEAD', `refs/remotes/origin/${branch}`],
  });
  await checkOut(git, branch, there);
}

/** Follows the remote's default branch. Commits that only this clone has stay where they are. */
async function checkOut(git: CloneGit, branch: string, commit: string): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const own = await git.text({ args: ['rev-parse', '--verify', '--quiet', ref], allow: [0, 1] });
  const isCurrent = (await git.text({ args: ['symbolic-ref', '--quiet', 'HEAD'], allow: [0, 1] })) === ref;
  if (own === commit && isCurrent) return;
  if (own !== '') {
    const asked = ['merge-base', '--is-ancestor', own, commit];
    if ((await git.run({ args: asked, allow: [0, 1] })) !== 0) return;
  }
  await git.run({ args: ['symbolic-ref', 'HEAD', ref] });
  await git.run({ args: ['update-ref', ref, commit] });
  // Nobody works in this checkout.
  await git.run({ args: ['reset', '--hard', '--quiet'] });
}

/** Of gits that were killed: a lock goes only when no git works in the clone. */
async function removeLeftLocks(folder: string, patienceMs: number): Promise<void> {
  const below = await readdir(join(folder, '.git'), { recursive: true, withFileTypes: true });
  for (const entry of below) {
    const path = join(entry.parentPath, entry.name);
    const isOurs = path.startsWith(join(folder, '.git', 'beadsmith') + sep);
    if (!entry.isFile() || !entry.name.endsWith('.lock') || isOurs) continue;
    const deadline = performance.now() + patienceMs;
    while (!(await removeLockOf(path, folder)) && performance.now() < deadline) await pause(200);
  }
}

function keyOf(name: string, address: string): string {
  return `${name}\0${address}`;
}

/** A name for a folder, readable, and another one for each name and address. */
function folderOf(name: string, url: string): string {
  const words =
    /[^/\\]*$/
      .exec(name)?.[0]
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-') ?? '';
  const plain = words.replace(/^-+|-+$/g, '').slice(0, 40) || 'repository';
  return `${plain}-${sha256(`${name}\0${url}`).slice(0, 12)}`;
}

/** Without a sign-in: that is the business of git's own helpers. */
function addressOf(url: string): string {
  // In an address of SSH the name is no secret, and needed.
  const plain = /^(?:ssh|git\+ssh):/i.test(url)
    ? url.replace(/(\/\/[^/@:]*):[^/@]*@/, '$1@')
    : withoutLogins(url);
  const isHelper = /^[\w+.-]*::/.test(plain);
  if (plain !== '' && plain.length <= 2_000 && !plain.startsWith('-') && !isHelper && !/\p{Cc}/u.test(plain))
    return plain;
  throw new BeadsmithError('INVALID_INPUT', {
    what: 'The address of the repository',
    reason: JSON.stringify(withoutLogins(plain.slice(0, 200))),
  });
}
