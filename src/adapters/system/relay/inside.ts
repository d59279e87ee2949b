import { spawn } from 'node:child_process';
import { createServer, connect, type Socket } from 'node:net';

/**
 * Runs in a sandbox without network (dist/sandboxInside.js): makes its ways out and in, starts the command,
 * and ends as it ends. `node inside.js '{"out":[[PORT,SOCKET]],"in":[[SOCKET,PORT]]}' PROGRAM ARGUMENT…`. It
 * imports nothing of ours: the sandbox shows this file alone.
 */
const [ways = '{}', program = '', ...args] = process.argv.slice(2);
const { out = [], in: inward = [] } = JSON.parse(ways) as {
  out?: [port: number, socket: string][];
  in?: [socket: string, port: number][];
};

await Promise.all([
  ...out.map(([port, socket]) => listen({ host: '127.0.0.1', port }, () => connect(socket))),
  ...inward.map(([socket, port]) => listen({ path: socket }, () => connect(port, '127.0.0.1'))),
]);

// What our own start needed isn't for the command.
const { ELECTRON_RUN_AS_NODE: _, NODE_NO_WARNINGS: __, ...env } = process.env;
const child = spawn(program, args, { stdio: 'inherit', env });
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
child.once('error', (error) => {
  console.error(`${program} could not be started: ${error.message}`);
  process.exit(127);
});
child.once('exit', (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});

function listen(
  at: { readonly host: string; readonly port: number } | { readonly path: string },
  target: () => Socket,
): Promise<void> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const other = target();
    other.allowHalfOpen = true;
    for (const one of [socket, other])
      one.on('error', () => undefined).on('close', () => (socket.destroy(), other.destroy()));
    socket.pipe(other);
    other.pipe(socket);
  });
  return new Promise((resolve, reject) => server.once('error', reject).listen(at, resolve));
}
