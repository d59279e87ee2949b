import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { statuses } from '../../src/domain/workflow/workflow.ts';
import { fingerprint, simulate } from './simulation.ts';

const runs = 1_000;
const program = fileURLToPath(new URL('./main.ts', import.meta.url));
const Report = z.object({
  failed: z.array(z.number()),
  visited: z.array(z.string()),
  kills: z.number(),
  freezes: z.number(),
  faults: z.number(),
});

/** Tickets in a world where calls are late, disks are full, threads and processes die, and clocks jump. */
describe('simulated tickets', function () {
  this.timeout(450_000);

  it(`keep every rule in ${String(runs)} runs, come to every status, and live through hundreds of kills`, async () => {
    const halves = await Promise.all([half(1), half(1 + runs / 2)]);
    const sum = (name: 'kills' | 'freezes' | 'faults'): number => halves.reduce((total, { report }) => total + report[name], 0);
    for (const { report, text } of halves) assert.deepEqual(report.failed, [], text);
    const visited = new Set(halves.flatMap(({ report }) => report.visited));
    assert.deepEqual(
      statuses.filter((status) => !visited.has(status)),
      [],
    );
    assert.ok(sum('kills') > 500 && sum('freezes') > 200 && sum('faults') > 3_000, halves.map(({ text }) => text).join(''));
  });

  it('go the same way again with the same seed', async () => {
    for (const seed of [3, 4]) {
      const [first, again] = [await simulate(seed), await simulate(seed)];
      assert.equal(fingerprint(again), fingerprint(first));
    }
    assert.notEqual(fingerprint(await simulate(3)), fingerprint(await simulate(4)));
  });
});

/** Half of the runs in a process of their own, so that two processors share them. What it prints names the seeds that broke a rule. */
async function half(seed: number): Promise<{ readonly report: z.infer<typeof Report>; readonly text: string }> {
  const args = [program, '--seed', String(seed), '--runs', String(runs / 2), '--json'];
  // It ends with 1 if a rule was broken, and its report says which.
  const { stdout } = await promisify(execFile)(process.execPath, args).catch((error: unknown) =>
    z.object({ stdout: z.string() }).parse(error),
  );
  const line = stdout.split('\n').find((text) => text.startsWith('{')) ?? '{}';
  return { report: Report.parse(JSON.parse(line)), text: stdout };
}
