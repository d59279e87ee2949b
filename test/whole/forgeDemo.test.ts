import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import * as z from 'zod';
import { tempFolder } from '../support/tempFolder.ts';

const demo = join(import.meta.dirname, '../../.build/demo.mjs');
const Summary = z.object({
  ok: z.boolean(),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
});

/** From an issue to its merge, checked from outside. */
describe('the demo with --forge', function () {
  this.timeout(600_000);
  const folder = tempFolder('forge-demo');
  after(() => folder.remove());

  it('keeps every promise that it shows', async () => {
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    const { stdout, stderr } = await new Promise<{ readonly stdout: string; readonly stderr: string }>(
      (resolve) => {
        const args = [demo, '--forge', '--json', '--dir', folder.path];
        execFile(process.execPath, args, { env, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout, stderr) =>
          resolve({ stdout, stderr }),
        );
      },
    );
    assert.notEqual(stdout, '', stderr.slice(-4_000));
    const { ok, checks } = Summary.parse(JSON.parse(stdout));
    assert.deepEqual(
      checks.filter((check) => !check.ok),
      [],
    );
    assert.equal(checks.length, 10);
    assert.ok(ok);
  });
});
