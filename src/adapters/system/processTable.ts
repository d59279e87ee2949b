import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import * as z from 'zod';
import { keepNewest } from '../../base/keepNewest.ts';

/** No system gives a process's number to another one so soon after. */
const trustMs = 60_000;
const mostKnown = 100;

interface ProcessLook {
  /** Whether there is any process with this number. Costs nothing. */
  isThere(pid: number): boolean;
  /** When the process with this number began. Costs a process of its own. */
  startOf(pid: number): Promise<string | undefined>;
  /** Milliseconds that only go forward. */
  now(): number;
}

/**
 * Whether processes live, where asking for more than a number costs a process of its own and a guard asks every second: one that was recognised within
 * the last minute, and whose number is still there, is taken for the same.
 */
export class KnownProcesses {
  readonly #look: ProcessLook;
  readonly #recognised = new Map<string, number>();

  constructor(look: ProcessLook) {
    this.#look = look;
  }

  async isAlive({ pid, start }: { readonly pid: number; readonly start: string }): Promise<boolean> {
    const key = `${String(pid)} ${start}`;
    const at = this.#recognised.get(key);
    if (!this.#look.isThere(pid)) return false;
    if (at !== undefined && this.#look.now() - at < trustMs) return true;
    this.#recognised.delete(key);
    if ((await this.#look.startOf(pid)) !== start) return false;
    keepNewest(this.#recognised.set(key, this.#look.now()), mostKnown);
    return true;
  }
}

/** A process that can't be mistaken for a later one with the same number. `start` is opaque: equal for the same process, and no other. */
export const ProcessId = z.object({ pid: z.number().int().positive(), start: z.string().min(1) });
export type ProcessId = z.infer<typeof ProcessId>;

const run = promisify(execFile);
const isLinux = process.platform === 'linux';
/** Dates are written by language and time zone, which a terminal and the editor may see otherwise. */
const plain = { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' };

const known = new KnownProcesses({ isThere, startOf: psStart, now: () => performance.now() });

/** The process with this number now, or undefined if there is none (or only its remains, waiting to be collected). */
export async function processWith(pid: number): Promise<ProcessId | undefined> {
  const start = isLinux ? linuxStart(pid) : await psStart(pid);
  return start === undefined ? undefined : { pid, start };
}

export async function isAlive(id: ProcessId): Promise<boolean> {
  return isLinux ? linuxStart(id.pid) === id.start : known.isAlive(id);
}

/** Resident memory in bytes; 0 where it can't be told. */
export async function residentBytes(pid: number): Promise<number> {
  try {
    if (process.platform === 'linux') return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
    if (process.platform === 'win32') return 0;
    return Number((await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout.trim()) * 1024;
  } catch {
    return 0;
  }
}

/**
 * Ends a server and all that came from it: SIGTERM, `patienceMs`, SIGKILL, and a look whether that worked. Commands of the agent run in
 * process groups of their own and outlive a killed server, so they are found by parentage and by the nonce in their environment.
 */
export async function endTree(root: ProcessId | undefined, nonce: string, patienceMs = 2_000): Promise<void> {
  const rest = await family(root, nonce);
  if (process.platform === 'win32') {
    if (root && (await isAlive(root))) await run('taskkill', ['/PID', String(root.pid), '/T', '/F']).catch(() => undefined);
    return;
  }
  for (const member of rest) signal(member, 'SIGTERM');
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline && (await someAlive(rest))) await pause(25);
  for (let round = 0; round < 20; round++) {
    // Looked for again: a process that was being started when the signal came is not in the first list.
    const left = [...new Map([...rest, ...(await family(root, nonce))].map((member) => [member.pid, member])).values()];
    const alive = [];
    for (const member of left) if (await isAlive(member)) alive.push(member);
    if (alive.length === 0) return;
    for (const member of alive) signal(member, 'SIGKILL');
    await pause(50);
  }
}

async function family(root: ProcessId | undefined, nonce: string): Promise<readonly ProcessId[]> {
  const pids = new Set(await pidsWithNonce(nonce));
  const alive = root !== undefined && (await isAlive(root));
  if (alive) for (const pid of [root.pid, ...(await descendants(root.pid))]) pids.add(pid);
  pids.delete(process.pid);
  const found: ProcessId[] = [];
  for (const pid of pids) {
    const id = await processWith(pid);
    if (id) found.push(id);
  }
  return found;
}

/** Processes that carry this nonce in their environment, whoever their parent is by now. */
async function pidsWithNonce(nonce: string): Promise<number[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-A', '-E', '-ww', '-o', 'pid=,command='], { maxBuffer: 64_000_000 }).catch(() => ({ stdout: '' }));
    return stdout.split('\n').flatMap((line) => (line.includes(`${nonceVariable}=${nonce}`) ? [Number.parseInt(line, 10)] : []));
  }
  const wanted = `${nonceVariable}=${nonce}\0`;
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').includes(wanted) ? [Number(name)] : [];
    } catch {
      return []; // gone, or another user's
    }
  });
}

/** The variable by which everything that a server started is recognised. It is no secret. */
export const nonceVariable = 'BEADSMITH_SERVER';

async function descendants(pid: number): Promise<number[]> {
  if (process.platform === 'win32') return [];
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid='], { maxBuffer: 16_000_000 });
  const children = new Map<number, number[]>();
  for (const line of stdout.split('\n')) {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    if (child !== undefined && parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const found: number[] = [];
  const open = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const below = children.get(next) ?? [];
    found.push(...below);
    open.push(...below);
  }
  return found;
}

function signal({ pid }: ProcessId, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It was faster.
  }
}

async function someAlive(members: readonly ProcessId[]): Promise<boolean> {
  for (const member of members) if (await isAlive(member)) return true;
  return false;
}

/** Clock ticks since this boot. A process that has ended but wasn't collected counts as gone. */
function linuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X' || fields[19] === undefined) return undefined;
    bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${bootId}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

let bootId: string | undefined;

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's is there, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** What `ps` says, or Windows. Other processes compare it with what they are told, so it is in the same words whoever asks. */
export async function psStart(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === 'win32') {
      const script = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`;
      return (await run('powershell', ['-NoProfile', '-NonInteractive', '-Command', script])).stdout.trim() || undefined;
    }
    const [state, ...start] = (await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { env: plain })).stdout.trim().split(/\s+/);
    return state === undefined || state.startsWith('Z') || start.length === 0 ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
