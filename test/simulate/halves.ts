import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));
const Report = z.object({
  failed: z.array(z.number()),
  visited: z.array(z.string()),
  kills: z.number(),
  freezes: z.number(),
  faults: z.number(),
});
export type Report = z.infer<typeof Report>;

/** `text`: what the runs printed, with the seeds that broke a rule. */
export async function simulateInHalves(runs: number): Promise<Report & { readonly text: string }> {
  const halves = await Promise.all([half(1, runs / 2), half(1 + runs / 2, runs / 2)]);
  const sum = (name: 'kills' | 'freezes' | 'faults'): number =>
    halves.reduce((total, { report }) => total + report[name], 0);
  return {
    failed: halves.flatMap(({ report }) => report.failed),
    visited: halves.flatMap(({ report }) => report.visited),
    kills: sum('kills'),
    freezes: sum('freezes'),
    faults: sum('faults'),
    text: halves.map(({ text }) => text).join(''),
  };
}

/** In a process of its own: two processors share the runs. */
async function half(seed: number, runs: number): Promise<{ readonly report: Report; readonly text: string }> {
  const args = [program, '--seed', String(seed), '--runs', String(runs), '--json'];
  // It ends with 1 if a rule was broken.
  const { stdout } = await promisify(execFile)(process.execPath, args).catch((error: unknown) =>
    z.object({ stdout: z.string() }).parse(error),
  );
  const line = stdout.split('\n').find((text) => text.startsWith('{')) ?? '{}';
  return { report: Report.parse(JSON.parse(line)), text: stdout };
}
