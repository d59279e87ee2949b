import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { sha256 } from '../../base/sha256.ts';

/**
 * Nothing in Linux enforces the limit on file locks any more, so its hard value can carry a mark: every
 * descendant has it, and only root can raise it.
 */
const mark = 964_207;
/** Lower values mark what one start left: of the engine's commands, and of agents' commands. */
const ownMarks = { commands: 100_000, tools: 500_000, each: 400_000 } as const;

/** The mark of what is started with this nonce. Two share one with a chance of 1 in 400,000. */
export function markOf(nonce: string): number {
  return ownMarks.commands + (Number.parseInt(sha256(nonce).slice(0, 8), 16) % ownMarks.each);
}

/** Lines for a shell that mark it and what it starts, and note its folder. `nonce`: of its server. */
export function markingLines(notes: string, nonce: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  const first = Number.parseInt(sha256(nonce).slice(0, 8), 16) % ownMarks.each;
  return [
    `mark=$((${String(ownMarks.tools)} + (${String(first)} + $$) % ${String(ownMarks.each)}))`,
    `printf '%s' "$PWD" 2>/dev/null > ${notes}/$mark`,
    'ulimit -x $mark 2>/dev/null || ulimit -w $mark 2>/dev/null',
    'unset mark',
  ];
}

/** True for a mark of an agent's command: agents write notes, which may name no other marks. */
export function isToolMark(found: number): boolean {
  return found >= ownMarks.tools && found < ownMarks.tools + ownMarks.each;
}

const marked = /(?:^|[\0 ])BEADSMITH_(?:SERVER|TOOL|COMMAND)=/;

/**
 * Returns the program and arguments that start a program that agents or the repository choose: with a mark on
 * it and on everything that it starts, so that none of it is taken for a person
 * (docs/decisions/110-decisions-are-sealed.md). It keeps its process number. Without Linux it is started as
 * it is. `nonce`: finds what it leaves.
 */
export function startMarked(
  program: string,
  args: readonly string[],
  nonce?: string,
): readonly [program: string, args: readonly string[]] {
  if (process.platform !== 'linux') return [program, args];
  const limit = String(nonce === undefined ? mark : markOf(nonce));
  const script = `ulimit -x ${limit} 2>/dev/null || ulimit -w ${limit} 2>/dev/null; exec "$0" "$@"`;
  return ['/bin/sh', ['-c', script, program, ...args]];
}

/**
 * Checks whether a process was started by an agent or by a command of a ticket, or is a descendant of
 * `driver`. Undefined if that can't be known: there is no such process, or the system doesn't say.
 */
export function startedByAgent(pid: number = process.pid, driver?: number): boolean | undefined {
  if (process.platform !== 'linux')
    return pid === process.pid ? Object.keys(process.env).some((name) => marked.test(`${name}=`)) : undefined;
  if (read(pid, 'stat') === undefined) return undefined;
  // A process whose parent ended is adopted by process 1, but its limit stays.
  for (let at = pid; at > 1; at = parentOf(at)) {
    if (at !== pid && at === driver) return true;
    if (markOn(at) <= mark || marked.test(read(at, 'environ') ?? '')) return true;
  }
  return false;
}

/**
 * True if this process or one above it has the environment of an agent's child, as far as `ps` shows that: a
 * child that sets its own environment aside is still below its shell. It starts a program, so the editor
 * doesn't ask. Where `ps` says nothing, the own environment counts alone.
 */
export function hasAgentAbove(): boolean {
  if (startedByAgent() === true) return true;
  if (process.platform === 'linux' || process.platform === 'win32') return false;
  const { stdout, error } = spawnSync('/bin/ps', ['-A', '-E', '-ww', '-o', 'pid=,ppid=,command='], {
    encoding: 'utf8',
    timeout: 5_000,
  });
  return error === undefined && isBelowMarked(stdout, process.pid);
}

/** The same of a list of processes with their environments: number, parent, and the rest of each line. */
export function isBelowMarked(list: string, pid: number): boolean {
  const rows = [...list.matchAll(/^ *(\d+) +(\d+)(.*)$/gm)];
  const known = new Map(
    rows.map(([, own, parent, text = '']) => [Number(own), { parent: Number(parent), text }]),
  );
  const seen = new Set<number>();
  for (let at = pid; at > 1 && !seen.has(at); at = known.get(at)?.parent ?? 0) {
    if (marked.test(known.get(at)?.text ?? '')) return true;
    seen.add(at);
  }
  return false;
}

/** The mark of a process: its limit, which is a higher number than any mark where it has none. */
export function markOn(pid: number): number {
  const hard = /^Max file locks +\S+ +(\d+)/m.exec(read(pid, 'limits') ?? '')?.[1];
  return hard === undefined ? Infinity : Number(hard);
}

/** 0 where it isn't known, for example in another container. */
function parentOf(pid: number): number {
  const stat = read(pid, 'stat') ?? '';
  // The name in parentheses may hold anything; the state and the parent follow it.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

function read(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${String(pid)}/${name}`, 'latin1');
  } catch {
    return undefined; // gone, or another user's
  }
}
