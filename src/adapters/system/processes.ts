import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { promisify } from 'node:util';
import * as z from 'zod';
import { keepNewest } from '../../base/keepNewest.ts';
import { codeOf, textAt } from './files.ts';

const run = promisify(execFile);

/**
 * Unique also after a reboot and for a reused pid. `boot` and `started` are empty where the system doesn't
 * say; `namespace` tells containers of one host name apart.
 */
export const ProcessIdentity = z.object({
  host: z.string(),
  boot: z.string(),
  namespace: z.string(),
  pid: z.number().int().positive(),
  started: z.string(),
  machine: z.string().optional(),
});
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** `elsewhere`: its processes can't be seen from here. */
export type Liveness = 'alive' | 'dead' | 'elsewhere';

export async function ownIdentity(): Promise<ProcessIdentity> {
  return { ...(await here()), pid: process.pid, started: (await startOf(process.pid)) ?? '' };
}

/** Undefined for none, a zombie, or an unknown start. */
export async function identityOf(pid: number): Promise<ProcessIdentity | undefined> {
  const started = await startOf(pid);
  return started === undefined || started === '' ? undefined : { ...(await here()), pid, started };
}

/**
 * `dead` only when proved (docs/decisions/125-who-owns-a-repository.md). `seenMs`: its last sign, if it gives
 * any.
 */
export async function livenessOf(other: ProcessIdentity, seenMs = 0): Promise<Liveness> {
  const me = await here();
  if (!isOneBoot(other, me)) return isEarlierBoot(other, me, seenMs) ? 'dead' : 'elsewhere';
  if (other.namespace !== me.namespace) return 'elsewhere';
  const started = await startOf(other.pid);
  if (started === undefined) return 'dead';
  return started !== '' && other.started !== '' && started !== other.started ? 'dead' : 'alive';
}

/** Proved to be alive: only such a process may be signalled. */
export async function isAlive(id: ProcessIdentity): Promise<boolean> {
  const me = await here();
  return (
    isOneBoot(id, me) &&
    id.namespace === me.namespace &&
    id.started !== '' &&
    (await startOf(id.pid)) === id.started
  );
}

/** A host may be renamed: names count only where boots have no ids. */
function isOneBoot(a: Place, b: Place): boolean {
  return a.boot === b.boot && (a.boot !== '' || a.host === b.host);
}

/** This machine before a restart. A copy shares its id: with a later sign, it runs beside us. */
function isEarlierBoot(other: Place, me: Place, seenMs: number): boolean {
  if (other.boot === '' || me.boot === '' || seenMs > Date.now() - uptime() * 1_000) return false;
  const known = other.machine !== undefined && other.machine !== '' && me.machine !== '';
  return known ? other.machine === me.machine : other.host === me.host;
}

interface ProcessQueries {
  /** Costs nothing. */
  isThere(pid: number): boolean;
  /** Undefined for none, `''` if unknown. Costs a process. */
  startOf(pid: number): Promise<string | undefined>;
  /** Milliseconds that only go forward. */
  now(): number;
}

/** No pid is reused so soon. */
const trustMs = 60_000;
const mostKnown = 100;

/**
 * Starts of processes, where asking costs a process and a guard asks every second: a minute old is true while
 * the pid is in use.
 */
export class StartTimes {
  readonly #queries: ProcessQueries;
  readonly #known = new Map<number, { readonly started: string; readonly at: number }>();

  constructor(queries: ProcessQueries) {
    this.#queries = queries;
  }

  async of(pid: number): Promise<string | undefined> {
    const known = this.#known.get(pid);
    this.#known.delete(pid);
    if (!this.#queries.isThere(pid)) return undefined;
    const at = this.#queries.now();
    const isFresh = known !== undefined && at - known.at < trustMs;
    const started = isFresh ? known.started : await this.#queries.startOf(pid);
    if (started !== undefined && started !== '')
      keepNewest(this.#known.set(pid, isFresh ? known : { started, at }), mostKnown);
    return started;
  }
}

const startTimes = new StartTimes({ isThere, startOf: psStart, now: () => performance.now() });

/** The start in the system's words; undefined for no process, `''` if unknown. */
function startOf(pid: number): Promise<string | undefined> {
  return process.platform === 'linux' ? linuxStart(pid) : startTimes.of(pid);
}

/** Clock ticks since boot. A zombie counts as gone. */
async function linuxStart(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  if (stat === undefined) return isThere(pid) ? '' : undefined;
  // The name in parentheses may hold anything; the state follows it as field 3, the start time is field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : (fields[19] ?? '');
}

/** The start by `ps` or Windows: the same text for every caller. */
export async function psStart(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === 'win32') {
      const script = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`;
      return (await run('powershell', ['-NoProfile', '-NonInteractive', '-Command', script])).stdout.trim();
    }
    // Dates depend on language and time zone, which a terminal and the editor may see differently.
    const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' };
    const [state, ...start] = (await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { env })).stdout
      .trim()
      .split(/\s+/);
    return state?.startsWith('Z') === true ? undefined : start.join(' ');
  } catch (error) {
    // 1: no such process; any other failure says nothing.
    return error instanceof Error && 'code' in error && error.code === 1 ? undefined : '';
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    return codeOf(error) === 'EPERM';
  }
}

type Place = Omit<ProcessIdentity, 'pid' | 'started'>;
let place: Promise<Place> | undefined;

function here(): Promise<Place> {
  place ??= (async () => ({
    host: hostname(),
    boot: await bootId(),
    namespace: await namespaceId(),
    machine: await machineId(),
  }))();
  return place;
}

async function machineId(): Promise<string> {
  return process.platform === 'linux' ? (await textAt('/etc/machine-id')).trim() : '';
}

async function bootId(): Promise<string> {
  if (process.platform === 'linux') return (await textAt('/proc/sys/kernel/random/boot_id')).trim();
  if (process.platform !== 'darwin') return '';
  const { stdout } = await run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']).catch(() => ({
    stdout: '',
  }));
  return stdout.trim();
}

async function namespaceId(): Promise<string> {
  return process.platform === 'linux' ? readlink('/proc/self/ns/pid').catch(() => '') : '';
}
