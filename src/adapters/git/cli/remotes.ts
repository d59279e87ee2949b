import { isAbsolute, parse } from 'node:path';
import { plainOutput } from '../../../base/lastLines.ts';
import { BeadsmithError, invalidInput } from '../../../domain/core/errors.ts';
import { CommitSha } from '../../../domain/core/ids.ts';
import { type ForgeRepository, leadsTo, type Remote, shownName } from '../../../domain/forge/forgePlace.ts';
import { because } from '../../../domain/forge/forgeReasons.ts';
import { commitPlaceOf } from '../../../domain/team/commitPlace.ts';
import type { Git, Reach } from '../../../engine/ports/gitPort.ts';
import type { GitCli, Place } from './gitCli.ts';
import { silentReason } from '../start/runGit.ts';
import { exists } from '../../system/files.ts';
import { withoutLogins } from './parseGit.ts';

/** A push of a ticket's branch. */
export type PushRequest = Parameters<Git['push']>[0];

/** A ref of the remote. `from`: the hash that it must have; undefined: it must not exist. */
export interface RefUpdate {
  readonly ref: string;
  readonly to: string;
  readonly from?: string | undefined;
}

/** A remote and the address that it must have. `isNamed`: no remote of the clone, whose name is shown. */
export interface Led {
  readonly remote: string;
  readonly address: string;
  readonly isNamed?: boolean;
}

type Asking = Pick<PushRequest, 'remote' | 'branch' | 'to' | 'signal'> & Partial<Led>;

type Calls = Pick<GitCli, 'run' | 'text' | 'settings'>;

/** Remotes, reached as the person's git reaches them (docs/decisions/202-the-forge.md). */
export class Remotes {
  readonly #cli: Calls;

  constructor(cli: Calls) {
    this.#cli = cli;
  }

  /** With the addresses that git pushes to. */
  async all(place: Place): Promise<readonly Remote[]> {
    const settings = await this.#cli.settings(place);
    const addresses = await this.#addresses(place);
    const pushDefault = settings.findLast((one) => one.name === 'remote.pushdefault')?.value;
    const names = [...new Set(addresses.map(({ name }) => name))].filter(isRemote);
    return names.map((name) => {
      const [url = '', ...more] = addressesOf(addresses, name, 'push');
      // gh keeps there which remote a person chose.
      const isBase = settings.some(
        (one) => one.name === `remote.${name}.gh-resolved` && one.value === 'base',
      );
      return {
        name,
        url,
        ...(isBase ? { isBase } : {}),
        ...(name === pushDefault ? { isPushDefault: true } : {}),
        ...(more.length > 0 ? { hasMore: true } : {}),
      };
    });
  }

  /** Of the repository that a push goes to, which may be another than the one that git fetches from. */
  async tip(place: Place, remote: string, branch: string, reach: Reach = {}): Promise<string | undefined> {
    const ref = `refs/heads/${checked(remote, branch)}`;
    const request = { remote, branch, ...reach };
    const from = await this.#address(place, request);
    const { stdout } = await this.#asked(place, request, ['ls-remote', '--', from, ref]);
    const line = stdout.split('\n').find((one) => one.endsWith(`\t${ref}`));
    return line === undefined ? undefined : CommitSha.parse(line.split('\t')[0]);
  }

  async fetchPull(place: Place, to: ForgeRepository, number: number): Promise<void> {
    const ref = `refs/pull/${String(number)}/head`;
    const request = { remote: to.remote, branch: ref, to };
    try {
      const from = await this.#address(place, request);
      const { code, stderr } = await this.#asked(place, request, ['fetch', ...onlyThere, '--', from, ref]);
      if (code !== 0)
        throw new BeadsmithError('FORGE_UNREACHABLE', { host: to.host, reason: reasonIn(stderr) });
    } catch (error) {
      if (!(error instanceof BeadsmithError) || error.code !== 'PUSH_REFUSED') throw error;
      const why = because('fetchRefused', { said: error.args['reason'] ?? '', remote: to.remote, ref });
      throw new BeadsmithError('FORGE_REFUSED', { host: to.host, ...why });
    }
  }

  async push(place: Place, request: PushRequest): Promise<void> {
    const { remote, branch, commit, expected } = request;
    const ref = `refs/heads/${checked(remote, branch)}`;
    const lease = `--force-with-lease=${ref}:${expected === undefined ? '' : CommitSha.parse(expected)}`;
    const refspec = `${CommitSha.parse(commit)}:${ref}`;
    const to = await this.#address(place, request);
    const args = ['push', '--porcelain', ...onlyThis, lease, '--', to, refspec];
    const { code, stdout, stderr } = await this.#asked(place, request, args, onlyPush);
    if (code === 0) return this.#track(place, { remote, ref, commit });
    const refused = /^!\t[^\t]*\t(?<why>.*)$/m.exec(stdout)?.groups?.['why'] ?? '';
    if (refused.includes('stale info'))
      throw new BeadsmithError('PUSH_REFUSED', { branch, remote, ...because('pushedMeanwhile') });
    throw refusal({ remote, branch, why: refused, stderr });
  }

  /** Reads the address of a remote. Throws PUSH_REFUSED unless there is one. */
  async led(place: Place, remote: string): Promise<Led> {
    return { remote, address: await this.#address(place, { remote: checkedRemote(remote), branch: '' }) };
  }

  /**
   * Leads to a repository that no remote of the clone has. Only the person's own configuration may rewrite
   * its address. Throws INVALID_INPUT.
   */
  async named({ cwd }: Place, url: string): Promise<Led> {
    const remote = withoutLogins(url);
    const plain = commitPlaceOf(url);
    if (plain === undefined)
      throw invalidInput('The address for commits of tickets', JSON.stringify(remote.slice(0, 200)));
    const outside = { cwd: parse(cwd).root };
    const address = await this.#cli.text(outside, 'ls-remote', '--get-url', '--', plain);
    return { remote, address, isNamed: true };
  }

  /** The hashes of refs below a folder of the remote, by name. */
  async refs(place: Place, led: Led, folder: string): Promise<ReadonlyMap<string, string>> {
    const { remote } = led;
    const request = { ...led, branch: checkedRef(folder) };
    const from = await this.#address(place, request);
    const { code, stdout, stderr } = await this.#asked(place, request, [
      'ls-remote',
      '--',
      from,
      `${folder}*`,
    ]);
    if (code !== 0) throw new BeadsmithError('FORGE_UNREACHABLE', { host: remote, reason: reasonIn(stderr) });
    const lines = stdout.split('\n').map((line) => line.split('\t'));
    return new Map(
      lines.flatMap(([hash = '', ref = '']) =>
        ref.startsWith(folder) ? [[ref, CommitSha.parse(hash)] as const] : [],
      ),
    );
  }

  /** Fetches refs below one folder of the remote to another one here, and nothing else. */
  async fetchRefs(place: Place, led: Led, refspecs: readonly string[]): Promise<void> {
    const { remote } = led;
    const request = { ...led, branch: checkedRef(refspecs[0] ?? '') };
    const from = await this.#address(place, request);
    const args = ['fetch', ...onlyThere, '--', from, ...refspecs];
    const { code, stderr } = await this.#asked(place, request, args);
    if (code !== 0) throw new BeadsmithError('FORGE_UNREACHABLE', { host: remote, reason: reasonIn(stderr) });
  }

  /** Sets refs below `refs/beadsmith/` there: all, or none and answers those that weren't as expected. */
  async pushRefs(place: Place, led: Led, updates: readonly RefUpdate[]): Promise<readonly string[]> {
    const { remote } = led;
    const [first] = updates;
    if (!first) return [];
    const request = { ...led, branch: first.ref };
    const to = await this.#address(place, request);
    const leases = updates.map(({ ref, from = '' }) => `--force-with-lease=${checkedRef(ref)}:${from}`);
    const refspecs = updates.map(({ ref, to: commit }) => `${CommitSha.parse(commit)}:${ref}`);
    const args = ['push', '--porcelain', '--atomic', ...onlyThis, ...leases, '--', to, ...refspecs];
    const { code, stdout, stderr } = await this.#asked(place, request, args, onlyPush);
    if (code === 0) return [];
    const refused = [...stdout.matchAll(/^!\t[^\t]*:(?<ref>[^\t:]+)\t(?<why>.*)$/gm)]
      .map(({ groups }) => ({ ref: groups?.['ref'] ?? '', why: groups?.['why'] ?? '' }))
      .filter(({ why }) => !/atomic (?:push failed|transaction failed)/.test(why));
    // The second is of a ref that moved between its announcement and the push.
    const stale = refused
      .filter(({ why }) => /stale info|failed to update ref/.test(why))
      .map(({ ref }) => ref);
    if (stale.length > 0 && stale.length === refused.length) return stale;
    const { ref = first.ref, why = '' } = refused.find((one) => !stale.includes(one.ref)) ?? {};
    throw refusal({ remote, branch: ref, why, stderr });
  }

  /** As git does where a push names the remote; it is how a branch that was pushed is known. */
  async #track(
    place: Place,
    { remote, ref, commit }: { readonly remote: string; readonly ref: string; readonly commit: string },
  ): Promise<void> {
    const fetched = `refs/heads/*:refs/remotes/${remote}/*`;
    const isTracked = (await this.#cli.settings(place)).some(
      ({ name, value }) => name === `remote.${remote}.fetch` && value.replace(/^\+/, '') === fetched,
    );
    if (!isTracked) return;
    const args = ['update-ref', ref.replace(/^refs\/heads\//, `refs/remotes/${remote}/`), commit];
    await this.#cli.run(place, { args });
  }

  /**
   * The one address that the remote pushes to, which is used itself: the remote's name may mean another one
   * a moment later. Throws PUSH_REFUSED.
   */
  async #address(place: Place, { remote, branch, to, address: known, isNamed }: Asking): Promise<string> {
    const [address, ...more] =
      isNamed && known !== undefined ? [known] : addressesOf(await this.#addresses(place), remote, 'push');
    const refused = (...why: Parameters<typeof because>): BeadsmithError =>
      new BeadsmithError('PUSH_REFUSED', { branch, ...because(why[0], { remote, ...why[1] }) });
    if (address === undefined) throw refused('remoteMissing');
    if (more.length > 0) throw refused('severalPushAddresses');
    if (to && !leadsTo({ name: remote, url: address }, to))
      throw refused('leadsElsewhere', { repository: shownName(to) });
    // An agent may have changed it.
    if (known !== undefined && known !== address)
      throw refused('leadsElsewhere', { repository: withoutLogins(known) });
    // git would turn the address into yet another one.
    const asked = await this.#cli.text(place, 'ls-remote', '--get-url', '--', address);
    const isRewritten = (await this.#cli.settings(place)).some(
      ({ name, value }) =>
        (/^url\..*\.pushinsteadof$/i.test(name) && value !== '' && address.startsWith(value)) ||
        // A remote that is called like the address.
        name === `remote.${address}.pushurl`,
    );
    if (asked !== address || isRewritten) throw refused('addressRewritten');
    return address;
  }

  async #addresses(place: Place): Promise<readonly Address[]> {
    const lines = (await this.#cli.text(place, 'remote', '--verbose')).split('\n');
    return lines.flatMap((line) => {
      const { name, url, use } =
        /^(?<name>[^\t]+)\t(?<url>.+) \((?<use>fetch|push)\)(?: \[[^\]]*\])?$/.exec(line)?.groups ?? {};
      return name === undefined || url === undefined || use === undefined ? [] : [{ name, url, use }];
    });
  }

  /** A remote that doesn't answer is told from one that refuses. No sign-in is in what git says. */
  async #asked(
    place: Place,
    { remote, branch, signal, isNamed, address }: Asking,
    args: readonly string[],
    config: readonly string[] = [],
  ): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
    const output = await this.#cli
      .run(place, {
        args: inSight(args),
        config: [...config, ...givesUp],
        allow: [0, 1, 128],
        silentMs: remoteSilentMs,
        ...(signal && { signal }),
      })
      .catch((error: unknown) => {
        if (!isSilence(error)) throw error;
        const reason = `it said nothing for ${remoteSilentMs / 1_000} s`;
        throw new BeadsmithError('FORGE_UNREACHABLE', { host: remote, reason }, { cause: error });
      });
    const [stdout, stderr] = [withoutLogins(output.stdout), withoutProgress(withoutLogins(output.stderr))];
    if (output.code !== 128) return { code: output.code, stdout, stderr };
    const reason = reasonIn(stderr);
    // As of a disk that isn't mounted now.
    const path = (address ?? '').replace(/^file:\/\//i, '');
    const isGone = isNamed === true && isAbsolute(path) && !(await exists(path));
    if (isGone || !login.test(stderr))
      throw new BeadsmithError('FORGE_UNREACHABLE', { host: remote, reason });
    throw new BeadsmithError('PUSH_REFUSED', because('loginMissing', { said: reason, remote, branch }));
  }
}

/** Milliseconds. git itself waits for ever for a server that says nothing. */
export const remoteSilentMs = 60_000;
/** Over HTTP, git's own program would outlive git. */
export const givesUp = ['http.lowSpeedLimit=1', 'http.lowSpeedTime=50'];

/** Arguments of a git that says how far it is where it takes long. */
export function inSight([command = '', ...args]: readonly string[]): readonly string[] {
  return command === 'fetch' || command === 'push' ? [command, '--progress', ...args] : [command, ...args];
}

function withoutProgress(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.replace(/^.*\r(?=.)/, ''));
  return lines.filter((line) => !progress.test(line)).join('\n');
}

const progress =
  /^(?:remote: )?(?:(?:Enumerating|Counting|Compressing|Receiving|Resolving|Writing|Unpacking) (?:objects|deltas): |Total \d+ \(delta |Delta compression using )/;

function isSilence(error: unknown): boolean {
  return error instanceof BeadsmithError && String(error.args['reason']).includes(silentReason);
}

interface Address {
  readonly name: string;
  readonly url: string;
  readonly use: string;
}

function addressesOf(all: readonly Address[], remote: string, use: 'fetch' | 'push'): readonly string[] {
  return [...new Set(all.flatMap((one) => (one.name === remote && one.use === use ? [one.url] : [])))];
}

/** Whatever the configuration says: no hook, no other ref, no other repository, and no program that signs. */
const onlyThis = ['--no-verify', '--no-follow-tags', '--no-signed', '--recurse-submodules=no'];

/** No tag, no submodule, and no ref of any kind. */
const onlyThere = ['--no-tags', '--no-write-fetch-head', '--recurse-submodules=no', '--refmap='];

/** git would fetch first, from the address for fetches. */
const onlyPush = ['push.negotiate=false'];

const login =
  /Authentication failed|could not read (?:Username|Password)|Permission denied|Host key verification failed|error: 40[134]|Repository not found|Permission to|can't be combined|repository '[^']*' not found|does not appear to be a git repository/i;

const telling = /^(?:fatal|ERROR|error|ssh|remote): |: Permission denied|^Host key verification failed/;

/** The first line that says why: git ends with advice. */
function reasonIn(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const found = lines.find((line) => telling.test(line)) ?? lines.findLast((line) => line !== '') ?? '';
  return found.replace(/^(?:fatal|ERROR|error|remote): (?:ERROR: )?/, '').slice(0, 500);
}

function refusal(refused: {
  readonly remote: string;
  readonly branch: string;
  readonly why: string;
  readonly stderr: string;
}): BeadsmithError {
  const { remote, branch, why, stderr } = refused;
  const lines = plainOutput(stderr).split('\n');
  const said = lines.flatMap((line) => (line.startsWith('remote: ') ? [line.slice(8).trimEnd()] : []));
  const text = [why, ...said].join('\n').trim().slice(0, 2_000) || reasonIn(stderr);
  return new BeadsmithError('PUSH_REFUSED', { branch, remote, ...because('refused', { said: text }) });
}

function isRemote(name: string): boolean {
  return /^[\w][\w./-]{0,200}$/.test(name);
}

/** Only branches of tickets are pushed, never a base. */
function checkedRemote(remote: string): string {
  if (isRemote(remote)) return remote;
  throw new BeadsmithError('INVALID_INPUT', { what: 'The remote', reason: remote });
}

/** Of these refs all are a ticket's. */
function checkedRef(ref: string): string {
  if (/^\+?refs\/beadsmith\/[\w./:*-]+$/.test(ref)) return ref;
  throw new BeadsmithError('OUTSIDE_WORKTREE', { path: ref });
}

function checked(remote: string, branch: string): string {
  checkedRemote(remote);
  if (!/^ticket\/[\w.-]+$/.test(branch)) throw new BeadsmithError('OUTSIDE_WORKTREE', { path: branch });
  return branch;
}
