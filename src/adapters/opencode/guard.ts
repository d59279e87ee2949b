import { GuardOrders } from './serverSetup.ts';
import { runGuard } from './runGuard.ts';

/**
 * A process of its own beside each OpenCode server (dist/opencodeGuard.js). It reads its orders from standard input, starts the server, and ends
 * it when nobody needs it any more. It answers one line, `{"ok":true}` or `{"ok":false,"reason":…}`, and then has no ties to who started it.
 */
const chunks: Uint8Array[] = [];
for await (const chunk of process.stdin) if (chunk instanceof Uint8Array) chunks.push(chunk);
const orders = GuardOrders.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
await runGuard(orders, (answer) => {
  process.stdout.on('error', () => undefined);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
});
