import { GuardOrders } from './serverSetup.ts';
import { runGuard } from './runGuard.ts';

/**
 * A process of its own beside each OpenCode server (dist/opencodeGuard.js). It reads its orders from standard
 * input, starts the server, and ends it when nobody needs it any more. It answers one line, `{"ok":true}` or
 * `{"ok":false,"reason":…}`, and then has no ties to who started it.
 */
const chunks: Uint8Array[] = [];
for await (const chunk of process.stdin) if (chunk instanceof Uint8Array) chunks.push(chunk);
const orders = GuardOrders.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
const stop = Promise.withResolvers<void>();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.resolve());
// The terminal in which it was started may be closed.
process.on('SIGHUP', () => undefined);
await runGuard(orders, {
  stopped: stop.promise,
  answer: (answer) => {
    process.stdout.on('error', () => undefined);
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  },
});
// Whatever is still open is nothing to wait for.
process.exit(0);
