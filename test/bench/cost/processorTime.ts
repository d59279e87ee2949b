import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../support/until.ts';

/** Of a program and of everything below it, also of what it leaves to others to wait for. */
export interface ProcessorTime {
  /** A shell's command line that becomes the program in `"$@"` and is counted. */
  readonly script: string;
  /** Waits until nothing of it runs; answers seconds. `said`: what the script wrote to file descriptor 3. */
  seconds(said: string): Promise<number>;
}

/** By the kernel's group of processes where one may be made, else by what the shell waited for. */
export function processorTime(): ProcessorTime {
  return (
    groupTime() ?? {
      script: '"$@"; code=$?; times >&3; exit $code',
      seconds: (said) => Promise.resolve(secondsOf(said)),
    }
  );
}

function groupTime(): ProcessorTime | undefined {
  const name = `beadsmith-bench-${String(process.pid)}`;
  const roots: readonly (readonly [string, (folder: string) => number])[] = [
    [
      '/sys/fs/cgroup',
      (folder) =>
        Number(/^usage_usec (\d+)$/m.exec(readFileSync(join(folder, 'cpu.stat'), 'utf8'))?.[1]) / 1e6,
    ],
    ['/sys/fs/cgroup/cpuacct', (folder) => Number(readFileSync(join(folder, 'cpuacct.usage'), 'utf8')) / 1e9],
  ];
  for (const [root, used] of roots) {
    const folder = join(root, name);
    const members = join(folder, 'cgroup.procs');
    try {
      mkdirSync(folder, { recursive: true });
      // A file system that only holds groups has no members.
      if (!existsSync(members) || !Number.isFinite(used(folder))) {
        rmdirSync(folder);
        continue;
      }
      writeFileSync(members, '', { flag: 'a' });
    } catch {
      continue; // it isn't this user's
    }
    const before = used(folder);
    const seconds = async (): Promise<number> => {
      await until(() => readFileSync(members, 'utf8') === '', 'everything that was started ends', 120_000);
      const after = used(folder);
      rmdirSync(folder);
      return after - before;
    };
    return { script: `echo $$ > ${members} && exec "$@"`, seconds };
  }
  return undefined;
}

/** What a shell's `times` says of its children: `0m1.250s 0m0.120s`, in the second line. */
export function secondsOf(times: string): number {
  const [, children = ''] = times.trim().split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}
