// Works on all tickets of a repository as a VS Code window does, and watches their pull requests, until no
// ticket is open.
//
//   node test/demo/drivingWindow.ts REPOSITORY OPENCODE OPENCODE_CONFIG
import { readFileSync } from 'node:fs';
import { createApp } from '../../src/app/createApp.ts';
import { until } from '../support/until.ts';

const [folder = '', binary = '', config = ''] = process.argv.slice(2);
const limitMs = 120_000;

const app = await createApp({
  folder,
  drive: true,
  // Nobody decides anything here.
  decisions: { decide: () => Promise.reject(new Error('Nobody is at this window.')) },
  env: process.env,
  sandbox: 'auto',
  isUnattended: true,
  opencode: { binary, config: JSON.parse(readFileSync(config, 'utf8')) as Record<string, unknown> },
  log: (message) => console.log(message),
});
app.client.onEvent((event) => {
  if (event.type === 'status') console.log(`${event.ticket}   ${event.from} → ${event.to}`);
});
try {
  await app.start('all');
  await until(async () => (await app.ports.store.active()).length === 0, 'every ticket ends', limitMs);
} finally {
  await app.dispose();
}
