import { readFileSync, readdirSync } from 'node:fs';
import { setInterval } from 'node:timers';

const everyMs = 500;

/**
 * Watches the memory of a process and of everything below it, also of what has lost its parent. Shared pages
 * count once (PSS). Answers how to end it, which answers the most that there was at once, in MB; undefined
 * where the system has no /proc.
 */
export function watchMemory(root: number): () => number | undefined {
  if (process.platform !== 'linux') return () => undefined;
  const known = new Set([root]);
  let most = 0;
  const look = (): void => {
    const parents = new Map(processes().map((pid) => [pid, parentOf(pid)]));
    // Parents come before their children, but for numbers that begin again.
    for (let size = -1; size !== known.size;) {
      size = known.size;
      for (const [pid, parent] of parents) if (parent !== undefined && known.has(parent)) known.add(pid);
    }
    for (const pid of known) if (!parents.has(pid)) known.delete(pid);
    most = Math.max(
      most,
      [...known].map(shareOf).reduce((sum, bytes) => sum + bytes, 0),
    );
  };
  const timer = setInterval(look, everyMs);
  return () => {
    clearInterval(timer);
    return most / 1e6;
  };
}

function processes(): readonly number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

function parentOf(pid: number): number | undefined {
  const stat = read(pid, 'stat');
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function shareOf(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(read(pid, 'smaps_rollup') ?? '')?.[1] ?? 0) * 1024;
}

function read(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${String(pid)}/${name}`, 'utf8');
  } catch {
    return undefined; // it has ended
  }
}
