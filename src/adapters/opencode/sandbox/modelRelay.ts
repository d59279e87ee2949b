import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import {
  createServer,
  request as requestOf,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { dial, hopByHop } from '../../system/relay/registryRelay.ts';
import type { Upstream } from './providers.ts';
import type { Environment } from '../../system/commandEnvironment.ts';

/** Requests that ask models; others that the key would open, such as lists of files, are refused. */
const asks =
  /\/(?:chat\/completions|completions|responses|messages(?:\/count_tokens)?|chat|language-model|models\/[\w.:@-]+:(?:stream)?generateContent)$/i;

const catalogue = { host: 'models.opencode.ai', path: '/api.json' } as const;

/**
 * The way from a sandbox to models (docs/decisions/107-model-relay.md): HTTP on a Unix socket,
 * `/<provider>/<path>`. It adds the key, and connects only to the person's address for a provider that the
 * engine asked through this server.
 */
export async function openModelRelay(options: {
  readonly socket: string;
  readonly upstreams: Readonly<Record<string, Upstream>>;
  /** Has a file for each provider that the engine asked. */
  readonly asked: string;
  readonly env: Environment;
}): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const way = wayOf(incoming, options);
    if (typeof way === 'string') {
      const message = `Beadsmith's sandbox doesn't pass this on: ${way}.`;
      outgoing
        .writeHead(403, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message, type: 'sandbox' } }));
      incoming.resume();
    } else void pass(incoming, outgoing, { ...way, env: options.env });
  });
  // Models think for minutes before they answer.
  server.requestTimeout = 0;
  server.timeout = 0;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(options.socket, resolve));
  await chmod(options.socket, 0o600);
  return server;
}

export function askedFile(folder: string, provider: string): string {
  return join(folder, encodeURIComponent(provider).replaceAll('.', '%2E'));
}

interface Way {
  readonly url: URL;
  readonly path: string;
  readonly keys: Readonly<Record<string, string>>;
}

function wayOf(
  { method, url = '' }: IncomingMessage,
  options: Parameters<typeof openModelRelay>[0],
): Way | string {
  if (method === 'GET' && url === `/models${catalogue.path}`) {
    return { url: new URL(`https://${catalogue.host}`), path: catalogue.path, keys: {} };
  }
  const [, first = '', rest = '', query = ''] =
    /^\/([^/?#]+)(\/[\w./:@%~-]*)(\?[\w.=&%:~-]*)?$/.exec(url) ?? [];
  const id = decoded(first);
  const upstream = Object.hasOwn(options.upstreams, id) ? options.upstreams[id] : undefined;
  if (!upstream) return 'it is not for a provider of this ticket';
  if (/\/\/|\/\.{1,2}(?:\/|$)|%2e|%2f|%5c/i.test(rest)) return 'its path is not plain';
  if (method !== 'POST' || !asks.test(rest)) return 'it does not ask a model';
  if (!existsSync(askedFile(options.asked, id))) return 'no ticket here works with this provider';
  const base = new URL(upstream.base);
  return { url: base, path: `${base.pathname.replace(/\/+$/, '')}${rest}${query}`, keys: upstream.keys };
}

async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { url, path, keys, env }: Way & { env: Environment },
): Promise<void> {
  let socket: Socket | undefined;
  outgoing.on('close', () => socket?.destroy());
  incoming.on('error', () => socket?.destroy());
  const failed = () => {
    socket?.destroy();
    if (outgoing.headersSent) outgoing.destroy();
    else
      outgoing
        .writeHead(502, { 'content-type': 'application/json' })
        .end('{"error":{"message":"The provider can\'t be reached."}}');
  };
  try {
    const secure = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const plain = await dial({ host, port: Number(url.port) || (secure ? 443 : 80), env });
    socket = secure ? connectTls({ socket: plain, servername: host, ALPNProtocols: ['http/1.1'] }) : plain;
    if (outgoing.destroyed) return void socket.destroy();
    const connection = socket.on('error', failed);
    const sent = requestOf({
      method: incoming.method,
      path,
      headers: { ...headersOf(incoming, keys), host: url.host },
      createConnection: () => connection,
    });
    sent.on('error', failed);
    sent.on('response', (answer) => {
      const headers = Object.fromEntries(
        Object.entries(answer.headers).filter(([name]) => !hopByHop.has(name)),
      );
      outgoing.writeHead(answer.statusCode ?? 502, headers);
      outgoing.flushHeaders();
      answer.on('error', failed);
      answer.pipe(outgoing);
    });
    incoming.pipe(sent);
  } catch {
    failed();
  }
}

function headersOf(incoming: IncomingMessage, keys: Readonly<Record<string, string>>) {
  const withKeys = (text: string): string =>
    Object.entries(keys).reduce((done, [placeholder, key]) => done.replaceAll(placeholder, key), text);
  const kept = Object.entries(incoming.headers).filter(([name]) => !hopByHop.has(name) && name !== 'cookie');
  return Object.fromEntries(
    kept.map(([name, value]) => [name, typeof value === 'string' ? withKeys(value) : value?.map(withKeys)]),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
