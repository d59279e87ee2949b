import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { sha256 } from '../../base/sha256.ts';

/**
 * Linux no longer enforces the limit on file locks, so its hard value can carry a mark: descendants have it,
 * and only root raises it.
 */
const mark = 964_207;
/** Lower values mark what one start left, of the engine or of agents. */
const ownMarks = { commands: 100_000, tools: 500_000, each: 400_000 } as const;

/** Two starts share one with a chance of 1 in 400,000. */
export function markOf(nonce: string): number {
  return ownMarks.commands + (Number.parseInt(sha256(nonce).slice(0, 8), 16) % ownMarks.each);
}

/** A text as a word of a shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Lines for a shell that mark it and what it starts, and note its folder. `nonce`: its server's. */
export function markingLines(notes: string, nonce: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  const first = Number.parseInt(sha256(nonce).slice(0, 8), 16) % ownMarks.each;
  return [
    `mark=$((${ownMarks.tools} + (${first} + $$) % ${ownMarks.each}))`,
    `printf '%s' "$PWD" 2>/dev/null > ${notes}/$mark`,
    'ulimit -x $mark 2>/dev/null || ulimit -w $mark 2>/dev/null',
    'unset mark',
  ];
}

/** A mark of an agent's command: notes of agents may name no other. */
export function isToolMark(found: number): boolean {
  return found >= ownMarks.tools && found < ownMarks.tools + ownMarks.each;
}

const marked = /(?:^|[\0 ])BEADSMITH_(?:SERVER|TOOL|COMMAND)=/;

/**
 * Starts a program of agents or the repository with a mark that its descendants keep, so that none is taken
 * for a person (docs/decisions/110-decisions-are-sealed.md). The pid stays. Only on Linux. `nonce`: finds
 * what it leaves.
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
 * True for descendants of an agent, of a ticket's command, or of `driver`. Undefined if that can't be known.
 */
export function startedByAgent(pid: number = process.pid, driver?: number): boolean | undefined {
  if (process.platform !== 'linux')
    return pid === process.pid ? Object.keys(process.env).some((name) => marked.test(`${name}=`)) : undefined;
  if (read(pid, 'stat') === undefined) return undefined;
  // Process 1 adopts orphans, but their limit stays.
  for (let at = pid; at > 1; at = parentOf(at)) {
    if (at !== pid && at === driver) return true;
    if (markOn(at) <= mark || marked.test(read(at, 'environ') ?? '')) return true;
  }
  return false;
}

/**
 * True if this process or one above it has an agent's environment, as far as `ps` shows: a child that cleared
 * its own is still below its shell. Starts a program, so the editor doesn't ask. Without `ps` the own
 * environment counts.
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

/** A limit without a mark is a higher number. */
export function markOn(pid: number): number {
  const hard = /^Max file locks +\S+ +(\d+)/m.exec(read(pid, 'limits') ?? '')?.[1];
  return hard === undefined ? Infinity : Number(hard);
}

/** 0 where it isn't known, as in another container. */
function parentOf(pid: number): number {
  const stat = read(pid, 'stat') ?? '';
  // The name in parentheses may hold anything; the state and the parent follow it.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

function read(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return undefined; // gone, or another user's
  }
}
