import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openRegistryRelay } from '../../system/relay/registryRelay.ts';
import type { BoxOrders } from './boxedServer.ts';
import { openModelRelay } from './modelRelay.ts';
import { openServerRelay } from './serverRelay.ts';

/** What stands between a boxed server and everything else, for as long as its guard lives. */
export class Relays {
  /** The password of the server itself. Everything in its box can read it, and it opens nothing outside. */
  readonly innerPassword = randomBytes(32).toString('base64url');
  readonly #orders: BoxOrders;
  readonly #password: string;

  private constructor(orders: BoxOrders, password: string) {
    this.#orders = orders;
    this.#password = password;
  }

  /** Opens the ways out, which have to be there before the server is. `password`: what is asked for on the way in. */
  static async open(orders: BoxOrders, password: string, log: (text: string) => void): Promise<Relays> {
    const { sockets, upstreams, asked, hosts, proxies: env } = orders;
    await openModelRelay({ socket: join(sockets, 'model.sock'), upstreams, asked, env });
    const onRefused = (host: string) => log(`beadsmith: connection to ${host} refused; the setting beadsmith.sandboxHosts allows hosts\n`);
    if (hosts.length > 0) await openRegistryRelay({ socket: join(sockets, 'registry.sock'), hosts, env, onRefused });
    return new Relays(orders, password);
  }

  /** Opens the way in, and answers its address. Throws if the server's socket isn't there. */
  async openInward(): Promise<string> {
    const { innerPassword } = this;
    const { url } = await openServerRelay({ socket: join(this.#orders.sockets, 'server.sock'), password: this.#password, innerPassword });
    return url;
  }
}
