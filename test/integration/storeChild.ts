import { createInterface } from 'node:readline';
import { openStore } from '../../src/adapters/store/openStore.ts';
import { runOpened } from '../support/storeContract/samples.ts';
import { newTicket } from '../support/samples.ts';

/**
 * A real process that uses a store: `storeChild.ts <job> <commonDir> <configFolder>`. It begins when a line
 * comes in, says what it did line by line, and lives until it is killed or its input ends.
 */
const [job, commonDir = '', configFolder = ''] = process.argv.slice(2);
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

say('ready');
await lines.next();
const opened = await openStore({
  commonDir,
  configFolder,
  mode: job === 'post' ? 'follower' : 'driver',
  workerUrl: new URL('../../src/adapters/store/worker.ts', import.meta.url),
});
const { store } = opened;
say(`${opened.mode} ${String(opened.owner?.record.epoch ?? 0)}`);
if (!store) throw new Error('there is no store');

if (job === 'commit') {
  // Says so only after each was acknowledged.
  const ticket = await store.createTicket({ ...newTicket, prefix: 'ABC', title: 'T', key: 'one' });
  const run = `run-${String(opened.owner?.record.epoch)}`;
  await store.commit({ ticket: ticket.id, journal: [runOpened(ticket, run)] });
  for (let n = 0; ; n++) {
    const key = `step-${String(n)}`;
    await store.commit({ ticket: ticket.id, journal: [{ kind: 'step.intent', run, key }] });
    const result = n % 10 === 0 ? 'x'.repeat(70_000) : `result of ${key}`;
    const { seq } = await store.commit({
      ticket: ticket.id,
      journal: [{ kind: 'step.done', run, key, result }],
    });
    say(`acknowledged ${String(seq)} ${run} ${key}`);
  }
}
if (job === 'post') {
  for (let n = 0; n < 20; n++) {
    await store.post({
      id: `${String(process.pid)}-${String(n)}`,
      ticket: 'ABC-1',
      kind: 'context',
      body: { text: `note ${String(n)}`, scope: 'once' },
    });
    say(`posted ${String(process.pid)}-${String(n)}`);
  }
}
if (job === 'leave')
  process.exitCode = 7; // an open store must not keep a process alive
else {
  await lines.next();
  await opened.close();
}
process.stdin.destroy();
