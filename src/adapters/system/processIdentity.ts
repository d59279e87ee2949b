import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import * as z from 'zod';

const run = promisify(execFile);

/**
 * What tells one process from every other, also after a reboot and when its number was given to another one. `boot` and `started` are empty
 * where the system doesn't tell them; `namespace` tells containers apart that share a host name.
 */
export const ProcessIdentity = z.object({
  host: z.string(),
  boot: z.string(),
  namespace: z.string(),
  pid: z.number().int().positive(),
  started: z.string(),
});
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** `elsewhere`: on a machine or in a container whose processes can't be seen from here. */
export type Fate = 'alive' | 'dead' | 'elsewhere';

export async function ownIdentity(): Promise<ProcessIdentity> {
  const started = await startOf(process.pid);
  return { host: hostname(), boot: await bootId(), namespace: await namespaceId(), pid: process.pid, started: started ?? '' };
}

/** Whether a process still lives, as seen from `here`. `dead` is only said when it is proved (docs/decisions/004-one-driver.md). */
export async function fateOf(other: ProcessIdentity, here: ProcessIdentity): Promise<Fate> {
  if (other.host !== here.host) return 'elsewhere';
  if (other.boot !== here.boot) return other.boot !== '' && here.boot !== '' ? 'dead' : 'elsewhere';
  if (other.namespace !== here.namespace) return 'elsewhere';
  const started = await startOf(other.pid);
  if (started === undefined) return 'dead';
  return started !== '' && other.started !== '' && started !== other.started ? 'dead' : 'alive';
}

/** When a process began, in whatever words its system has for that; undefined when there is no such process. */
async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return startFromProc(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there and belongs to somebody else.
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return undefined;
  }
  if (process.platform === 'win32') return '';
  const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)], {
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
  }).catch(() => ({ stdout: '' }));
  return stdout.trim();
}

async function startFromProc(pid: number): Promise<string | undefined> {
  let stat: string;
  try {
    stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may hold anything; the state follows it as field 3, the start time is field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : (fields[19] ?? '');
}

async function bootId(): Promise<string> {
  if (process.platform === 'linux') return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim();
  if (process.platform !== 'darwin') return '';
  const { stdout } = await run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']).catch(() => ({ stdout: '' }));
  return stdout.trim();
}

async function namespaceId(): Promise<string> {
  return process.platform === 'linux' ? readlink('/proc/self/ns/pid').catch(() => '') : '';
}
