import { parseArgs } from 'node:util';
import { statuses } from '../../src/domain/workflow/workflow.ts';
import { cellLines } from './cells.ts';
import { simulate } from './simulation.ts';

/**
 * `npm run simulate -- [--seed 1] [--runs 1000] [--trace] [--json] [--cells]`: tickets in a world where
 * everything goes wrong that a seed says. Prints the seeds that broke a rule, for `--seed N --runs 1
 * --trace`. `--cells` prints the points at which drivers end (`cells.test.ts`).
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    cells: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

if (values.cells) {
  for (const line of cellLines()) console.log(line);
  process.exit();
}

const began = performance.now();
const [first, runs] = [Number(values.seed), Number(values.runs)];
const visited = new Set<string>();
const totals = { kills: 0, freezes: 0, faults: 0, drivers: 0, restarts: 0 };
const failed: number[] = [];
let virtualMs = 0;
let events = 0;
for (let seed = first; seed < first + runs; seed++) {
  const outcome = await simulate(seed);
  for (const status of outcome.visited) visited.add(status);
  for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += outcome.counts[name];
  virtualMs += outcome.virtualMs;
  events += outcome.events;
  if (values.trace) for (const line of outcome.trace) console.log(line);
  if (runs === 1)
    console.log(
      `seed ${String(seed)}: ${outcome.status}, ${String(outcome.events)} events, ${JSON.stringify(outcome.counts)}`,
    );
  if (outcome.problems.length === 0) continue;
  failed.push(seed);
  console.log(`✘ seed ${String(seed)} (npm run simulate -- --seed ${String(seed)} --trace)`);
  for (const problem of outcome.problems.slice(0, 10)) console.log(`  ${problem}`);
}
if (values.json) console.log(JSON.stringify({ failed, visited: [...visited], ...totals }));
const missed = statuses.filter((status) => !visited.has(status));
console.log(
  `${String(runs)} runs in ${((performance.now() - began) / 1_000).toFixed(1)} s (${(virtualMs / 3_600_000).toFixed(0)} hours of the tickets' time, ${String(events)} events): ` +
    `${String(totals.kills)} kills, ${String(totals.freezes)} take-overs from a stopped process, ${String(totals.faults)} faults in all, ` +
    `${String(visited.size)} of ${String(statuses.length)} statuses visited${missed.length > 0 && runs > 100 ? ` (not ${missed.join(', ')})` : ''}.`,
);
console.log(
  failed.length === 0
    ? 'Everything held.'
    : `${String(failed.length)} seeds broke a rule: ${failed.join(', ')}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
