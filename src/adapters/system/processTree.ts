import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isWithin } from './files.ts';
import { type ProcessIdentity, identityOf, isAlive } from './processes.ts';
import { isToolMark, markOn } from './startedBy.ts';

const run = promisify(execFile);

/** Marks everything a server started. It isn't a secret. */
export const nonceVariable = 'BEADSMITH_SERVER';
/** The folder of an agent's tool, by which what it left is found. */
export const toolVariable = 'BEADSMITH_TOOL';

/** Resident memory in bytes; 0 where it can't be told. */
export async function residentBytes(pid: number): Promise<number> {
  try {
    if (process.platform === 'linux')
      return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
    if (process.platform === 'win32') return 0;
    return Number((await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout.trim()) * 1024;
  } catch {
    return 0;
  }
}

export async function familyBytes(pid: number): Promise<number> {
  const bytes = await Promise.all([pid, ...(await descendants(pid))].map(residentBytes));
  return bytes.reduce((sum, one) => sum + one, 0);
}

/**
 * Ends a server and all it started: SIGTERM, `patienceMs`, SIGKILL, and a check. Agents' commands outlive a
 * server in groups of their own, so they are found by parentage and nonce.
 */
export async function endTree(
  root: ProcessIdentity | undefined,
  nonce: string,
  patienceMs = 2_000,
): Promise<void> {
  const rest = await family(root, nonce);
  if (process.platform === 'win32') {
    if (root && (await isAlive(root)))
      await run('taskkill', ['/PID', String(root.pid), '/T', '/F']).catch(() => undefined);
    return;
  }
  for (const member of rest) signal(member, 'SIGTERM');
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline && (await someAlive(rest))) await pause(25);
  for (let round = 0; round < 20; round++) {
    const left = [
      ...new Map([...rest, ...(await family(root, nonce))].map((member) => [member.pid, member])).values(),
    ];
    const alive = [];
    for (const member of left) if (await isAlive(member)) alive.push(member);
    if (alive.length === 0) return;
    for (const member of alive) signal(member, 'SIGKILL');
    await pause(50);
  }
}

/** Kills what agents' tools left in this folder. `notes`: folders of their shells' marks. */
export async function endTools(folder: string, notes: readonly string[]): Promise<void> {
  const noted = notes.flatMap(notesIn).filter(({ text }) => isWithin(folder, text));
  await endNoted(toolVariable, folder, noted);
}

/** Kills what an ended server left, by nonce and by noted marks. */
export async function endLeft(nonce: string, notes: string): Promise<void> {
  await endNoted(nonceVariable, nonce, notesIn(notes));
}

async function endNoted(variable: string, value: string, noted: ReturnType<typeof notesIn>): Promise<void> {
  const marks = noted.map(({ mark }) => mark);
  await endMarked(variable, value, marks);
  for (const { file } of noted) rmSync(file, { force: true });
}

function notesIn(
  folder: string,
): readonly { readonly mark: number; readonly text: string; readonly file: string }[] {
  try {
    const names = readdirSync(folder).filter((name) => isToolMark(Number(name)));
    return names.map((name) => ({
      mark: Number(name),
      text: readFileSync(join(folder, name), 'utf8'),
      file: join(folder, name),
    }));
  } catch {
    return []; // no tool ran
  }
}

/**
 * Kills all with this variable (its value, or a path below it) or one of these marks, whatever parent and
 * group, and confirms it. Windows: finds nothing. macOS: not what cleared its environment. Linux: not what
 * also lowered its limits.
 */
export async function endMarked(
  variable: string,
  value: string,
  marks: readonly number[] = [],
): Promise<void> {
  if (process.platform === 'win32') return;
  let killed: ProcessIdentity[] = [];
  // Several rounds: what is starting isn't in the first list.
  for (let round = 0; round < 40; round++) {
    const pids = (await pidsMarked(variable, value, new Set(marks))).filter((pid) => pid !== process.pid);
    // A process loses its environment before it closes files and ports.
    if (pids.length === 0 && !(await someAlive(killed))) return;
    const found = (await Promise.all(pids.map((pid) => identityOf(pid)))).filter((one) => one !== undefined);
    for (const one of found) signal(one, 'SIGKILL');
    killed = [...killed, ...found];
    await pause(round === 0 ? 5 : 25);
  }
}

/** Asks them to end, once, but for programs of this name. Only on Linux. */
export async function askMarked(variable: string, value: string, except: string): Promise<void> {
  for (const pid of await pidsMarked(variable, value)) {
    try {
      if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== except) process.kill(pid, 'SIGTERM');
    } catch {
      // It was faster.
    }
  }
}

async function family(root: ProcessIdentity | undefined, nonce: string): Promise<readonly ProcessIdentity[]> {
  const pids = new Set(await pidsMarked(nonceVariable, nonce));
  const alive = root !== undefined && (await isAlive(root));
  if (alive) for (const pid of [root.pid, ...(await descendants(root.pid))]) pids.add(pid);
  pids.delete(process.pid);
  const found: ProcessIdentity[] = [];
  for (const pid of pids) {
    const id = await identityOf(pid);
    if (id) found.push(id);
  }
  return found;
}

async function pidsMarked(
  variable: string,
  value: string,
  marks: ReadonlySet<number> = new Set(),
): Promise<number[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-A', '-E', '-ww', '-o', 'pid=,command='], {
      maxBuffer: 64_000_000,
    }).catch(() => ({ stdout: '' }));
    return stdout
      .split('\n')
      .flatMap((line) => (line.includes(`${variable}=${value}`) ? [Number.parseInt(line, 10)] : []));
  }
  const wanted = [`${variable}=${value}\0`, `${variable}=${value}/`];
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
      const isMarked =
        wanted.some((text) => environment.includes(text)) ||
        (marks.size > 0 && marks.has(markOn(Number(name))) && !hasEnded(name));
      return isMarked ? [Number(name)] : [];
    } catch {
      return []; // gone, or another user's
    }
  });
}

/** A zombie is still listed, with its limits. */
function hasEnded(pid: string): boolean {
  return /\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
}

async function descendants(pid: number): Promise<number[]> {
  if (process.platform === 'win32') return [];
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid='], { maxBuffer: 16_000_000 });
  const children = new Map<number, number[]>();
  for (const line of stdout.split('\n')) {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    if (child !== undefined && parent !== undefined)
      children.set(parent, [...(children.get(parent) ?? []), child]);
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

export function signal({ pid }: Pick<ProcessIdentity, 'pid'>, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It was faster.
  }
}

async function someAlive(members: readonly ProcessIdentity[]): Promise<boolean> {
  for (const member of members) if (await isAlive(member)) return true;
  return false;
}
