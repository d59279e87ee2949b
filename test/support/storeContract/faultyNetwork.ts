import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** What happens to a commit on its way. */
export type Fault = 'lostBefore' | 'lostAfter' | 'slow';

interface Planned {
  readonly kind: Fault;
  readonly ms: number;
}

/** The way to a server, which fails in the ways that it is asked to. */
export class FaultyNetwork {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #fault: Planned | undefined;
  #port = 0;
  #isCut = false;
  /** Messages that it swallowed. */
  swallowed = 0;
  /** Milliseconds that whatever is sent to the server takes. */
  delayMs = 0;

  private constructor(target: URL) {
    this.#server = createServer((client) => this.#join(client, target));
  }

  static async to(url: string): Promise<FaultyNetwork> {
    const network = new FaultyNetwork(new URL(url));
    network.#server.listen(0, '127.0.0.1');
    await once(network.#server, 'listening');
    const address = network.#server.address();
    if (typeof address === 'object' && address) network.#port = address.port;
    return network;
  }

  /** The same login, by this way. */
  url(direct: string): string {
    const url = new URL(direct);
    url.port = String(this.#port);
    return url.href;
  }

  /** `ms`: of a slow answer. */
  failNext(kind: Fault, ms = 0): void {
    this.#fault = { kind, ms };
  }

  /** From now on it swallows everything, and closes nothing. */
  cut(): void {
    this.#isCut = true;
  }

  /** New connections reach the server; what was swallowed stays silent. */
  mend(): void {
    this.#isCut = false;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket, target: URL): void {
    const server = connect(Number(target.port), target.hostname);
    let fault: Planned | undefined;
    let isLost = false;
    const isSwallowed = (): boolean => (isLost ||= this.#isCut);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        if (isSwallowed() && socket === server) return;
        client.destroy();
        server.destroy();
      });
    }
    client.on('data', (data) => {
      if (isSwallowed()) return void this.swallowed++;
      if (this.#fault && data.includes('COMMIT')) {
        fault = this.#fault;
        this.#fault = undefined;
        if (fault.kind === 'lostBefore') {
          client.destroy();
          return;
        }
      }
      if (this.delayMs > 0) setTimeout(() => !isSwallowed() && server.write(data), this.delayMs);
      else server.write(data);
    });
    server.on('data', (data) => {
      if (isSwallowed()) return void this.swallowed++;
      const { kind, ms } = fault ?? {};
      fault = undefined;
      // The server committed, and its answer is lost.
      if (kind === 'lostAfter') client.destroy();
      else if (kind === 'slow') setTimeout(() => client.write(data), ms);
      else client.write(data);
    });
  }
}
