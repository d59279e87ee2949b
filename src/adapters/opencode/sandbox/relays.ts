import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Server, createServer, request as requestOf } from 'node:http';
import { join } from 'node:path';
import { close, constants, fstat, open } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { openRegistryRelay } from '../../system/relay/registryRelay.ts';
import type { SandboxOrders } from './sandboxedServer.ts';
import { openModelRelay } from './modelRelay.ts';
import { basicAuth } from './serverHealth.ts';

export class Relays {
  /** Everything in the sandbox can read it; it opens nothing outside. */
  readonly innerPassword = randomBytes(32).toString('base64url');
  readonly #orders: SandboxOrders;
  readonly #password: string;
  readonly #ends: (() => Promise<unknown>)[];

  private constructor(orders: SandboxOrders, password: string, ends: (() => Promise<unknown>)[]) {
    this.#orders = orders;
    this.#password = password;
    this.#ends = ends;
  }

  static async open(orders: SandboxOrders, password: string, log: (text: string) => void): Promise<Relays> {
    const { sockets, upstreams, asked, hosts, proxies: env } = orders;
    const model = await openModelRelay({ socket: join(sockets, 'model.sock'), upstreams, asked, env });
    const onRefused = (host: string) =>
      log(`beadsmith: connection to ${host} refused; the setting beadsmith.sandboxHosts allows hosts\n`);
    const ends = [() => closed(model)];
    if (hosts.length > 0) {
      const registry = await openRegistryRelay({
        socket: join(sockets, 'registry.sock'),
        hosts,
        env,
        onRefused,
      });
      ends.push(() => registry.close());
    }
    return new Relays(orders, password, ends);
  }

  /** Opens the way in; answers its address. Throws without the server's socket. */
  async openInward(): Promise<string> {
    const { innerPassword } = this;
    const socket = join(this.#orders.sockets, 'server.sock');
    const { server, url } = await openServerRelay({ socket, password: this.#password, innerPassword });
    this.#ends.push(() => closed(server));
    return url;
  }

  async close(): Promise<void> {
    await Promise.all(this.#ends.splice(0).map((end) => end()));
  }
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** `O_PATH`, which Node doesn't name: the place itself. */
const placeOnly = 0o10000000;

/**
 * The way into a sandbox: a loopback port that passes requests to the server's socket. Its password differs
 * from the server's, which the sandbox can read (docs/decisions/107-model-relay.md). The socket is opened
 * before the server runs anything: a later link at its path could lead to this machine's sockets.
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
  if ((await promisify(fstat)(handle)).isSocket()) return `/proc/self/fd/${handle}`;
  close(handle);
  throw new Error(`${socket} is no socket`);
}
