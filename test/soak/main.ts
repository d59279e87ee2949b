import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DriverProcess } from './driverProcess.ts';
import { lostCommands, repeated, type Snapshot, snapshot } from './findings.ts';
import { randomOf } from '../support/randomOf.ts';
import { Scene } from './scene.ts';
import { soakTeam } from './team.ts';

/**
 * `npm run soak -- --kills 3 --seed 1 [--seeds 10] [--parallel 2] [--keep]`: drives the sample ticket, kills
 * the driver with SIGKILL at times drawn from the seed, starts it again, and compares with an undisturbed
 * run: the same final tree, no step with a receipt done again, no acknowledged command lost. `--from N`
 * continues with the seed N what was stopped; each line says how far it is. `--team`: see team.ts.
 */
if (process.argv.includes('--team')) process.exit(await soakTeam(process.argv.slice(2)));
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string' },
    seeds: { type: 'string', default: '1' },
    parallel: { type: 'string', default: '2' },
    keep: { type: 'boolean', default: false },
  },
});
const kills = Number(values.kills);

const reference = await drive(() => 0, []);
console.log(
  `undisturbed: ${reference.status} in ${seconds(reference.ms)}, ${String(reference.steps)} steps, tree ${reference.tree.slice(0, 12)}`,
);
let failures = reference.problems.length === 0 ? 0 : 1;
for (const problem of reference.problems) console.log(`  ✘ ${problem}`);
const first = Number(values.seed);
const last = first + Number(values.seeds) - 1;
let next = Number(values.from ?? first);
let done = 0;
let killedInAll = 0;
const began = performance.now();
await Promise.all(Array.from({ length: Number(values.parallel) }, work));

/** Takes one seed after the other until none is left. */
async function work(): Promise<void> {
  for (let seed = next++; seed <= last; seed = next++) {
    const random = randomOf(seed);
    // Drawn over the steps of an undisturbed run, so that every kill falls into it however fast the machine
    // is; and a moment more, to hit any point.
    const points = Array.from({ length: kills }, () => Math.floor(random() * reference.steps * 0.98)).sort(
      (a, b) => a - b,
    );
    const result = await drive(() => random() * 400, points);
    const problems = [
      ...result.problems,
      ...(result.tree === reference.tree ? [] : [`the final tree ${result.tree} differs`]),
    ];
    if (problems.length > 0) failures++;
    done++;
    killedInAll += result.killed.length;
    const rate = `${String(killedInAll)} kills, ${seconds((performance.now() - began) / done)} a seed, ${String(last - seed)} left`;
    console.log(
      `${problems.length === 0 ? '✔' : '✘'} seed ${String(seed)}: ${String(result.killed.length)} kills (${result.killed.join('; ')}), ${result.status} in ${seconds(result.ms)} (${rate})`,
    );
    for (const problem of problems) console.log(`  ✘ ${problem}`);
  }
}
console.log(
  failures === 0 ? 'Nothing was lost and nothing was done twice.' : `${String(failures)} runs went wrong.`,
);
process.exitCode = failures === 0 ? 0 : 1;

interface Result {
  readonly status: string;
  readonly tree: string;
  readonly ms: number;
  /** How many steps were done in all. */
  readonly steps: number;
  /** The ticket's status at each kill. */
  readonly killed: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Drives the ticket to its end; kills the driver when it has done so many steps in all, `delay` milliseconds
 * later.
 */
async function drive(delay: () => number, killAfter: readonly number[]): Promise<Result> {
  const scene = await Scene.open();
  const began = performance.now();
  const snapshots: Snapshot[] = [];
  const killed: string[] = [];
  const acknowledged: string[] = [];
  const problems: string[] = [];
  const due = [...killAfter];
  let steps = 0;
  let end: Readonly<Record<string, unknown>> | undefined;
  try {
    // A crash loop blocks by design; a person would retry, and so does this. Beyond that something is wrong.
    for (let start = 1; start <= killAfter.length + 3 && !end; start++) {
      const driver = new DriverProcess(scene.runArguments);
      const next = due.shift();
      const outcome =
        next === undefined
          ? await driver.ended
          : await Promise.race([
              driver.ended,
              driver.reached(next - steps).then(() => pause(delay(), 'due' as const)),
            ]);
      if (outcome === 'due') {
        driver.kill();
        await driver.ended;
        if (existsSync(scene.database)) snapshots.push(snapshot(scene.database));
        killed.push(textOf(lastOf(driver, 'status')?.['to']) ?? 'start');
      } else if (outcome === 4) {
        const retry = new DriverProcess(
          ['retry', String(lastOf(driver, 'end')?.['ticket']), '--repo', scene.repository, '--no-wait'],
          {
            confirms: true,
          },
        );
        await retry.ended;
        killed.push(`blocked by ${String(lastOf(driver, 'blocked')?.['code'])}`);
      } else if (outcome === 0) end = lastOf(driver, 'end');
      else
        problems.push(
          `the driver ended with ${String(outcome)}: ${driver.errors.trim() || JSON.stringify(lastOf(driver, 'error'))}`,
        );
      steps += driver.steps;
      acknowledged.push(
        ...driver.events.filter((event) => event['type'] === 'posted').map((event) => String(event['id'])),
      );
    }
    const ticket = String(end?.['ticket']);
    if (end?.['status'] !== 'COMPLETED') problems.push(`the ticket ended as ${String(end?.['status'])}`);
    problems.push(...repeated(scene.requests(), snapshots));
    problems.push(
      ...lostCommands(scene.database, acknowledged).map((id) => `command ${id} was acknowledged and lost`),
    );
    return {
      status: String(end?.['status']),
      tree: end ? scene.tree(ticket) : 'none',
      ms: performance.now() - began,
      steps,
      killed,
      problems,
    };
  } finally {
    const keep = values.keep || problems.length > 0;
    if (keep) console.log(`  kept: ${scene.folder}`);
    await scene.close({ keep });
  }
}

function lastOf(driver: DriverProcess, type: string): Readonly<Record<string, unknown>> | undefined {
  return driver.events.findLast((event) => event['type'] === type);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
