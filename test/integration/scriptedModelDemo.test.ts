import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import * as z from 'zod';
import { tempFolder } from '../support/tempFolder.ts';

const demo = join(import.meta.dirname, '../../.build/demo.mjs');
const Summary = z.object({
  ok: z.boolean(),
  ticket: z.string(),
  status: z.string(),
  worktree: z.string(),
  pullRequest: z.string(),
  commits: z.array(z.object({ sha: z.string(), subject: z.string() })),
  evidence: z.array(z.object({ of: z.string(), command: z.string(), exitCode: z.number() })),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
});

function run(folder: string): Promise<{ readonly stdout: string; readonly stderr: string; readonly code: number }> {
  // Node's test runner inside of another one reports to that one instead of failing by its exit code.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  return new Promise((resolve) => {
    execFile(process.execPath, [demo, '--json', '--dir', folder], { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ stdout, stderr, code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1 });
    });
  });
}

describe('the demo', function () {
  this.timeout(480_000);

  it('takes the sample ticket from DRAFT to COMPLETED, and every check holds', async () => {
    const folder = tempFolder('demo');
    try {
      const { stdout, stderr, code } = await run(folder.path);
      assert.equal(code, 0, `${stderr.slice(-4_000)}\n${stdout}`);
      const summary = Summary.parse(JSON.parse(stdout));
      assert.deepEqual([summary.ok, summary.status, summary.ticket], [true, 'COMPLETED', 'STOCK-1']);
      assert.deepEqual(
        summary.commits.map(({ subject }) => subject.replace(/:.*/, '')),
        ['bead(report-filters)', 'bead(csv-encoder)', 'bead(report-csv)', 'bead(cli-csv-option)', 'test(STOCK-1)'],
      );
      assert.ok(summary.checks.length >= 12);
    } finally {
      folder.remove();
    }
  });
});
