import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelScript } from '../../../src/demo/script/modelScript.ts';
import { benchForEach } from '../../support/team/benchForEach.ts';
import type { TeamBench } from '../../support/team/teamBench.ts';
import { tempFolder } from '../../support/tempFolder.ts';

/** A provider with a limit. */
const limited = ModelScript.parse({
  version: 1,
  name: 'limited',
  tasks: { 'quick-plan': [{ fault: 'http-429' }] },
});

describe('a runner whose clock is ahead by an hour', function () {
  this.timeout(300_000);
  const folder = tempFolder('clock');
  after(() => folder.remove());
  let bench: TeamBench;
  benchForEach((opened) => (bench = opened), limited);

  it('holds a ticket until a time that is the same for all machines', async () => {
    const file = join(folder.path, 'ahead.mjs');
    writeFileSync(file, 'const { now } = Date;\nDate.now = () => now() + 3_600_000;\n');
    bench.env = { NODE_OPTIONS: `--import=${file}` };
    await bench.run('ahead');
    const id = await bench.start('Greet by name');
    const hold = await bench.driveUntil(id, (ticket) => ticket.hold?.until !== undefined && ticket.hold, {
      what: 'the provider’s limit is waited for',
    });
    const leftMs = (hold.until ?? 0) - Date.now();
    assert.ok(leftMs > 0 && leftMs < 600_000, `${String(leftMs)} ms`);
    bench.forgetScript();
    await bench.driveTo(id, 'WAITING_PLAN_APPROVAL');
  });
});
