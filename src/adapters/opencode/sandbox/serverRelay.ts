import { timingSafeEqual } from 'node:crypto';
import { close, constants, fstat, open } from 'node:fs';
import { createServer, request as requestOf, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { basicAuth } from './serverHealth.ts';

/** Opens the place itself and not what it contains (`O_PATH`, which Node doesn't name). */
const placeOnly = 0o10000000;

/**
 * The way into a box: a port on loopback that passes requests on to the server's socket. It has the password
 * that this process and its successors use, and the server has another one, so what a command in the box
 * reads of its server opens nothing outside (docs/decisions/107-model-relay.md).
 *
 * The socket is opened once, before the server has run anything: what lies at its path later may be a link to
 * a socket of this machine.
 */
export async function openServerRelay(options: {
  readonly socket: string;
  readonly password: string;
  readonly innerPassword: string;
}): Promise<{ readonly server: Server; readonly url: string }> {
  const path = await pinned(options.socket);
  const wanted = Buffer.from(basicAuth(options.password));
  const server = createServer((incoming, outgoing) => {
    const given = Buffer.from(incoming.headers.authorization ?? '');
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
      outgoing.writeHead(401).end();
      return;
    }
    const headers = { ...incoming.headers, authorization: basicAuth(options.innerPassword) };
    const sent = requestOf({ socketPath: path, method: incoming.method, path: incoming.url, headers });
    const failed = () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end());
    sent.on('error', failed);
    sent.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.on('error', failed);
      answer.pipe(outgoing);
    });
    outgoing.on('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  server.requestTimeout = 0;
  server.timeout = 0;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
}

async function pinned(socket: string): Promise<string> {
  if (process.platform !== 'linux') return socket;
  const handle = await promisify(open)(socket, placeOnly | constants.O_NOFOLLOW);
  if ((await promisify(fstat)(handle)).isSocket()) return `/proc/self/fd/${String(handle)}`;
  close(handle);
  throw new Error(`${socket} is no socket`);
}
