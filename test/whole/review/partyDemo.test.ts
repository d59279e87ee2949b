import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import * as z from 'zod';
import { tempFolder } from '../../support/tempFolder.ts';

const demo = join(import.meta.dirname, '../../../.build/demo.mjs');
const Summary = z.object({
  ok: z.boolean(),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
});

/** With everything that is off by default; checked from outside. */
describe('the demo with --party', function () {
  this.timeout(900_000);
  const folder = tempFolder('party');
  after(() => folder.remove());

  it('keeps every promise that it shows', async () => {
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    const output = await new Promise<string>((resolve) => {
      const args = [demo, '--party', '--json', '--dir', folder.path];
      execFile(process.execPath, args, { env, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) =>
        resolve(stdout),
      );
    });
    const { ok, checks } = Summary.parse(JSON.parse(output));
    assert.deepEqual(
      checks.filter((check) => !check.ok),
      [],
    );
    const promises = [
      /personas discussed each bead/,
      /a failing test proved it/,
      /the fix session repaired it/,
      /succeeded with the hint/,
      /context that was added/,
      /with the handoff of the first one/,
      /no reviewer and no persona was told/,
      /could write a file/,
    ];
    for (const shown of promises)
      assert.ok(
        checks.some(({ name }) => shown.test(name)),
        String(shown),
      );
    assert.ok(ok);
  });
});
