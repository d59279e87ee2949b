// Processor seconds: of a process and everything it starts, and of the machine, by a fixed loop. Wall time
// says little on a busy machine.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Milliseconds that the fixed loop takes on the machine in whose seconds allowances are counted: the demo
 * takes 32 s there.
 */
const referenceMs = 40;
/** So often the machine is measured while tests run: the loop takes 2 % of one processor then. */
const sampleMs = 5_000;
let groups = 0;

/**
 * Measures the processes of one command. `wrap`: the command that has to be started instead. `seconds`: what
 * it has used so far, undefined where nothing tells. `variables`: what the command needs to read its own use.
 * `pids`: what of it is still running. `end`: to be called when everything has ended.
 * @param {string} folder a folder of its own for notes
 * @returns {{ wrap: (command: readonly string[]) => string[], variables: Record<string, string>, seconds: ()
 * => number | undefined, pids: () => number[], end: () => void }}
 */
export function processorMeter(folder) {
  if (process.platform === 'win32')
    return {
      wrap: (command) => [...command],
      variables: {},
      seconds: () => undefined,
      pids: () => [],
      end: () => {},
    };
  return groupMeter() ?? shellMeter(join(folder, 'times'));
}

/**
 * Counts in a control group of Linux, where one can be made: it keeps what detached and orphaned processes
 * used.
 */
function groupMeter() {
  const place = groupPlace();
  if (!place) return undefined;
  const group = join(place, `beadsmith-${process.pid}-${++groups}`);
  try {
    mkdirSync(group);
  } catch {
    return undefined; // not allowed here
  }
  return {
    wrap: (command) => ['/bin/sh', '-c', 'echo $$ > "$0/cgroup.procs"; exec "$@"', group, ...command],
    variables: { BEADSMITH_CPU_GROUP: group },
    seconds: () => groupSeconds(group),
    pids: () => linesOf(join(group, 'cgroup.procs')).map(Number),
    end() {
      try {
        rmdirSync(group);
      } catch {
        // A process that is still dying holds it. It costs nothing.
      }
    },
  };
}

function groupPlace() {
  const own = linesOf('/proc/self/cgroup').map((line) => line.split(':'));
  const version2 = existsSync('/sys/fs/cgroup/cgroup.controllers');
  const path = own.find(([id, controllers]) =>
    version2 ? id === '0' : controllers?.split(',').includes('cpuacct'),
  )?.[2];
  if (path === undefined) return undefined;
  return version2 ? join('/sys/fs/cgroup', path) : join('/sys/fs/cgroup/cpuacct', path);
}

/** Processor seconds that a control group has used. */
export function groupSeconds(group) {
  const nanoseconds = linesOf(join(group, 'cpuacct.usage'))[0];
  if (nanoseconds !== undefined) return Number(nanoseconds) / 1e9;
  const microseconds = linesOf(join(group, 'cpu.stat')).find((line) => line.startsWith('usage_usec '));
  return microseconds === undefined ? undefined : Number(microseconds.split(' ')[1]) / 1e6;
}

/** Counts with the shell's own `times`: everything that was waited for. */
function shellMeter(file) {
  return {
    wrap: (command) => ['/bin/sh', '-c', '"$@"; code=$?; times > "$0"; exit $code', file, ...command],
    variables: {},
    seconds: () => timesSeconds(linesOf(file)[1]),
    pids: () => [],
    end: () => {},
  };
}

/** Seconds of a line of `times`: `1m2.50s 0m3.25s`. */
export function timesSeconds(line) {
  const parts = [...(line ?? '').matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => 60 * Number(minutes) + Number(seconds),
  );
  return parts.length === 2 ? parts[0] + parts[1] : undefined;
}

/** Reads the processor seconds of this process and of the children that it waited for, or of its group. */
export function ownSeconds(group = process.env['BEADSMITH_CPU_GROUP']) {
  const ofGroup = group === undefined ? undefined : groupSeconds(group);
  if (ofGroup !== undefined) return ofGroup;
  const { user, system } = process.cpuUsage();
  // Fields 16 and 17 of the line, in hundredths of a second; the name of the program, in brackets, may hold
  // spaces.
  const fields = (linesOf('/proc/self/stat')[0] ?? '').split(') ').at(-1)?.split(' ') ?? [];
  const children = (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) / 100;
  return (user + system) / 1e6 + children;
}

/** Seconds of this machine's processor for one of the reference machine, now: the median of five loops. */
export function machineFactor() {
  for (let at = 0; at < 2; at++) fixedLoop(); // compiled by now
  const times = Array.from({ length: 5 }, fixedLoop).sort((a, b) => a - b);
  return (times[2] ?? referenceMs) / referenceMs;
}

/**
 * Watches how fast the machine is while tests run, because that changes from minute to minute with what
 * others do beside it. `factorSince`: seconds of this machine's processor for one of the reference machine
 * since a time, above 1 on a slower one; the mean, because what tests cost is a mean, too.
 * @returns {{ factorSince: (time: number) => number, end: () => void }}
 */
export function watchMachine() {
  for (let at = 0; at < 2; at++) fixedLoop(); // compiled by now
  const samples = [];
  const take = () => void samples.push({ at: Date.now(), ms: fixedLoop() });
  take();
  const timer = setInterval(take, sampleMs).unref();
  return {
    factorSince(time) {
      take();
      const within = samples.filter(({ at }) => at >= time);
      return within.reduce((sum, { ms }) => sum + ms, 0) / within.length / referenceMs;
    },
    end: () => clearInterval(timer),
  };
}

/**
 * A bit of everything that tests do: numbers, texts, hashes, and more objects than a processor's cache holds,
 * because memory is what others slow down most. Returns milliseconds of processor.
 */
function fixedLoop() {
  const start = process.cpuUsage();
  let number = 0;
  for (let at = 0; at < 4e6; at++) number = (number * 31 + at) | 0;
  const rows = Array.from({ length: 20_000 }, (_, at) => ({
    id: `row-${at}`,
    value: (at * 7919) % 20_000,
    words: [`a${at}`, `b${number}`],
  }));
  const text = JSON.stringify(rows);
  const known = new Map(JSON.parse(text).map((row) => [row.id, row.value]));
  let sum = 0;
  for (let at = 0; at < 100_000; at++) sum += known.get(`row-${(at * 7919) % 20_000}`);
  createHash('sha256').update(`${text}${sum}`).digest('hex');
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function linesOf(file) {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}
