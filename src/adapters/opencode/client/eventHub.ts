import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { Disposable } from '../../../base/disposable.ts';
import type { OpencodeClient } from './opencodeClient.ts';

/** A hint: events get lost, repeated and reordered, so facts are read from the server. */
export type SessionEvent =
  | { readonly kind: 'delta'; readonly part: string; readonly field: string; readonly text: string }
  | { readonly kind: 'part'; readonly part: z.infer<typeof Part> }
  | { readonly kind: 'error'; readonly error: { readonly name: string; readonly data?: unknown } }
  | { readonly kind: 'look' }
  | { readonly kind: 'request' };

const Part = z.object({
  id: z.string(),
  type: z.string(),
  tool: z.string().optional(),
  callID: z.string().optional(),
  /** Of a text, whole, when it ended. */
  text: z.string().optional().catch(undefined),
  state: z
    .object({
      status: z.string(),
      input: z.unknown(),
      title: z.string().optional(),
      output: z.string().optional().catch(undefined),
      error: z.string().optional().catch(undefined),
      metadata: z.unknown().optional(),
    })
    .optional(),
  tokens: z.unknown().optional(),
  cost: z.unknown().optional(),
});

const Envelope = z.object({
  payload: z.object({
    type: z.string(),
    properties: z
      .object({
        sessionID: z.string().optional(),
        partID: z.string().optional(),
        field: z.string().optional(),
        delta: z.string().optional(),
        part: z.unknown(),
        error: z.unknown(),
        status: z.object({ type: z.string() }).optional().catch(undefined),
      })
      .partial(),
  }),
});

/** `heard`: settles when events arrive, or can't. Earlier events aren't told. */
export interface Listening extends Disposable {
  readonly heard: Promise<void>;
}

interface Connection {
  readonly ended: AbortController;
  heard: PromiseWithResolvers<void>;
}

/** Milliseconds that an unused connection is kept. */
const lingerMs = 1_000;

export class EventHub implements Disposable {
  readonly #client: Pick<OpencodeClient, 'events'>;
  readonly #listeners = new Map<string, Set<(event: SessionEvent) => void>>();
  #connection: Connection | undefined;
  #linger: NodeJS.Timeout | undefined;

  constructor(client: Pick<OpencodeClient, 'events'>) {
    this.#client = client;
  }

  listen(session: string, listener: (event: SessionEvent) => void): Listening {
    clearTimeout(this.#linger);
    const listeners = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, listeners.add(listener));
    this.#connection ??= this.#connect();
    return {
      heard: this.#connection.heard.promise,
      dispose: () => {
        listeners.delete(listener);
        if (listeners.size === 0) this.#listeners.delete(session);
        if (this.#listeners.size === 0) this.#linger = setTimeout(() => this.dispose(), lingerMs);
      },
    };
  }

  dispose(): void {
    clearTimeout(this.#linger);
    this.#connection?.ended.abort();
    this.#connection = undefined;
  }

  #connect(): Connection {
    const connection = { ended: new AbortController(), heard: Promise.withResolvers<void>() };
    void this.#hear(connection);
    return connection;
  }

  async #hear(connection: Connection): Promise<void> {
    const { signal } = connection.ended;
    while (!signal.aborted) {
      try {
        for await (const event of await this.#client.events(signal)) {
          connection.heard.resolve();
          this.#hand(event);
        }
      } catch {
        // The loop tries again; callers poll meanwhile.
      }
      connection.heard.resolve();
      connection.heard = Promise.withResolvers();
      // Jitter, so that listeners don't reconnect at once.
      await pause(200 + Math.random() * 300);
    }
  }

  #hand(raw: unknown): void {
    const parsed = Envelope.safeParse(raw);
    if (!parsed.success) return;
    const { type, properties } = parsed.data.payload;
    if (type === 'server.connected') {
      for (const listeners of this.#listeners.values())
        for (const listener of listeners) listener({ kind: 'look' });
      return;
    }
    const listeners =
      properties.sessionID === undefined ? undefined : this.#listeners.get(properties.sessionID);
    const event = listeners && eventOf(type, properties);
    if (event) for (const listener of [...listeners]) listener(event);
  }
}

function eventOf(
  type: string,
  properties: z.infer<typeof Envelope>['payload']['properties'],
): SessionEvent | undefined {
  if (type === 'message.part.delta') {
    return {
      kind: 'delta',
      part: properties.partID ?? '',
      field: properties.field ?? '',
      text: properties.delta ?? '',
    };
  }
  if (type === 'message.part.updated') {
    const part = Part.safeParse(properties.part);
    return part.success ? { kind: 'part', part: part.data } : undefined;
  }
  if (type === 'session.error') {
    const error = z.object({ name: z.string(), data: z.unknown().optional() }).safeParse(properties.error);
    return error.success ? { kind: 'error', error: error.data } : { kind: 'look' };
  }
  if (type === 'permission.asked' || type === 'question.asked') return { kind: 'request' };
  // Each step says that a session works; only its end is worth a request.
  if (type === 'session.status' && properties.status?.type === 'busy') return undefined;
  return type === 'session.status' || type === 'session.idle' ? { kind: 'look' } : undefined;
}
