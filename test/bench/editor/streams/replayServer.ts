import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import * as z from 'zod';
import { opencodeVersion } from '../../../../src/adapters/opencode/server/findOpencode.ts';
import { recordedStreams, StreamPlayer } from './recordedStreams.ts';

const tickMs = 10;
const mostWaiting = 1_000_000;

/**
 * As much of OpenCode's API as the product uses, on loopback. A session with a prompt works for ever, and
 * says a recorded stream.
 */
export class ReplayServer {
  readonly url: string;
  readonly #server: Server;
  readonly #recorded = recordedStreams();
  readonly #players = new Map<string, StreamPlayer>();
  readonly #listeners = new Set<ServerResponse>();
  #sessions = 0;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${String(port)}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#serve(request, response);
    });
  }

  static async start(): Promise<ReplayServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ReplayServer(server, z.object({ port: z.number() }).parse(server.address()).port);
  }

  get working(): number {
    return this.#players.size;
  }

  /** All streams side by side, until `work` has ended. Answers how many events a second it came to. */
  async playing(perSecond: number, work: () => Promise<void>): Promise<number> {
    const players = [...this.#players.values()];
    const start = performance.now();
    let sent = 0;
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - start) * perSecond) / 1_000);
      for (; sent < due; sent++) this.#say(players[sent % players.length]?.next() ?? '');
    }, tickMs);
    try {
      await work();
    } finally {
      clearInterval(timer);
    }
    return sent / ((performance.now() - start) / 1_000);
  }

  /** All streams side by side. Waits for a listener that is behind. */
  async play(perSecond: number, events: number): Promise<void> {
    const players = [...this.#players.values()];
    for (let sent = 0; sent < events;) {
      for (
        let left = Math.round((perSecond * tickMs) / 1_000);
        left > 0 && this.waiting < mostWaiting;
        left--, sent++
      )
        this.#say(players[sent % players.length]?.next() ?? '');
      await new Promise((resolve) => setTimeout(resolve, tickMs));
    }
  }

  /** Bytes that the other side hasn't taken yet. */
  get waiting(): number {
    return [...this.#listeners].reduce((sum, { writableLength }) => sum + writableLength, 0);
  }

  async end(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #say(data: string): void {
    for (const listener of this.#listeners) listener.write(`data: ${data}\n\n`);
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', this.url);
    request.resume();
    if (pathname === '/global/event') {
      this.#listen(response);
      return;
    }
    const answer = this.#answer(`${request.method ?? ''} ${pathname}`);
    response
      .writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer ?? null));
  }

  #listen(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.write(`data: ${JSON.stringify({ payload: { type: 'server.connected', properties: {} } })}\n\n`);
    this.#listeners.add(response);
    response.once('close', () => this.#listeners.delete(response));
  }

  #answer(request: string): unknown {
    const of = /^(?:GET|POST) \/session\/([^/]+)\/(message|prompt_async|abort)$/.exec(request);
    if (of?.[2] === 'prompt_async') this.#work(of[1] ?? '');
    if (of) return request.startsWith('GET') ? [] : {};
    switch (request) {
      case 'GET /global/health':
        return { healthy: true, version: opencodeVersion };
      case 'GET /config/providers':
        return { providers: [{ id: 'scripted', models: { alpha: {}, beta: {} } }] };
      case 'POST /session':
        this.#sessions += 1;
        return { id: `ses_played${String(this.#sessions)}`, title: '' };
      case 'GET /session/status':
        return Object.fromEntries([...this.#players.keys()].map((session) => [session, { type: 'busy' }]));
      case 'GET /agent':
      case 'GET /session':
      case 'GET /permission':
      case 'GET /question':
        return [];
      default:
        return undefined;
    }
  }

  #work(session: string): void {
    const recorded = this.#recorded[this.#players.size % this.#recorded.length] ?? [];
    if (!this.#players.has(session)) this.#players.set(session, new StreamPlayer(recorded, session));
  }
}
