import { GuardOrders } from './serverSetup.ts';
import { runGuard } from './runGuard.ts';

/**
 * A process beside each OpenCode server (dist/opencodeGuard.js): reads orders from stdin, starts the server,
 * and ends it when unneeded. It answers one line, `{"ok":true}` or `{"ok":false,"reason":…}`, and then has no
 * ties to its starter.
 */
const chunks: Uint8Array[] = [];
for await (const chunk of process.stdin) if (chunk instanceof Uint8Array) chunks.push(chunk);
const orders = GuardOrders.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
const stop = Promise.withResolvers<void>();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.resolve());
process.on('SIGHUP', () => undefined);
await runGuard(orders, {
  stopped: stop.promise,
  answer: (answer) => {
    process.stdout.on('error', () => undefined);
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  },
});
// Open handles are nothing to wait for.
process.exit(0);
