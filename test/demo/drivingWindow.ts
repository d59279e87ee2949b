// Works on all tickets of a repository as a VS Code window does, and watches their pull requests, with nobody
// at the keyboard. It ends when the one ticket has got so far.
//
//   node test/demo/drivingWindow.ts REPOSITORY OPENCODE OPENCODE_CONFIG commented|completed
import { readFileSync } from 'node:fs';
import { createApp } from '../../src/app/createApp.ts';
import { until } from '../support/until.ts';

const [folder = '', binary = '', config = '', end = ''] = process.argv.slice(2);
const limitMs = 120_000;

const app = await createApp({
  folder,
  drive: true,
  decisions: { decide: () => Promise.reject(new Error('Nobody is at this window.')) },
  env: process.env,
  sandbox: 'auto',
  isUnattended: true,
  opencode: { binary, config: JSON.parse(readFileSync(config, 'utf8')) as Record<string, unknown> },
  log: (message) => console.log(message),
});
app.client.onEvent((event) => {
  if (event.type === 'status') console.log(`${event.ticket}   ${event.from} → ${event.to}`);
  if (event.type === 'activity') console.log(`${event.ticket}   ${event.text}`);
});
const { store } = app.ports;
const ends: Readonly<Record<string, () => Promise<boolean>>> = {
  commented: async () => {
    const [id = ''] = await store.active();
    const { checks, threads } = (await store.ticket(id))?.forge ?? {};
    return (checks?.failed ?? 0) > 0 && (threads?.open ?? 0) > 0;
  },
  completed: async () => (await store.active()).length === 0,
};
try {
  await app.start('all');
  await until(ends[end] ?? (() => false), `the ticket is ${end}`, limitMs);
} finally {
  await app.dispose();
}
