import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { openRegistryRelay } from '../../system/relay/registryRelay.ts';
import type { BoxOrders } from './sandboxedServer.ts';
import { openModelRelay } from './modelRelay.ts';
import { openServerRelay } from './serverRelay.ts';

/** The relays between a sandboxed server and everything else, for the lifetime of its guard. */
export class Relays {
  /** The password of the server itself. Everything in its box can read it, and it opens nothing outside. */
  readonly innerPassword = randomBytes(32).toString('base64url');
  readonly #orders: BoxOrders;
  readonly #password: string;
  /** The functions that end each of them. */
  readonly #ends: (() => Promise<unknown>)[];

  private constructor(orders: BoxOrders, password: string, ends: (() => Promise<unknown>)[]) {
    this.#orders = orders;
    this.#password = password;
    this.#ends = ends;
  }

  /**
   * Opens the ways out, which have to be there before the server is. `password`: what is asked for on the way
   * in.
   */
  static async open(orders: BoxOrders, password: string, log: (text: string) => void): Promise<Relays> {
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

  /** Opens the way in, and answers its address. Throws if the server's socket isn't there. */
  async openInward(): Promise<string> {
    const { innerPassword } = this;
    const socket = join(this.#orders.sockets, 'server.sock');
    const { server, url } = await openServerRelay({ socket, password: this.#password, innerPassword });
    this.#ends.push(() => closed(server));
    return url;
  }

  /** Closes every way, with what is under way on it. */
  async close(): Promise<void> {
    await Promise.all(this.#ends.splice(0).map((end) => end()));
  }
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
