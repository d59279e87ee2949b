import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { FileLock } from '../../src/adapters/system/lock.ts';

/**
 * A real process that takes a lock: `lockChild.ts <job> <lock file> <proof file> <hard links: yes or no>`. It
 * starts when a line comes in. `hold` keeps the lock until it is killed; `turns` takes it five times, each
 * time with the proof file, which must not be there.
 */
const [job, file = '', proof = '', links] = process.argv.slice(2);
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const lock = new FileLock(file, { hardLinks: links !== 'no' });
const busy = (): Error => new Error('the lock was not free in time');
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

say('ready');
await lines.next();
if (job === 'hold') {
  await lock.run(
    () => {
      say('held');
      return new Promise<never>(() => undefined);
    },
    { patienceMs: 30_000, busy },
  );
}
for (let turn = 0; turn < 5; turn++) {
  await lock.run(
    async () => {
      // Fails when another process is inside.
      writeFileSync(proof, String(process.pid), { flag: 'wx' });
      await new Promise((resolve) => setImmediate(resolve));
      rmSync(proof);
      appendFileSync(`${proof}.log`, '.');
    },
    { patienceMs: 30_000, busy },
  );
}
say('done');
process.stdin.destroy();
