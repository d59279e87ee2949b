import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { isRecord, jsonOf } from '../../base/json.ts';
import { type Address, originReader } from './address.ts';
import type { Asset } from './assets.ts';
import { type Failure, failureOf, Refusal } from './refusal.ts';
import { RateLimit, type Rate } from './recentUses.ts';

export interface ServerLimits {
  readonly bodyBytes: number;
  /** Milliseconds for all of a body. */
  readonly bodyMs: number;
  /** Of one address. */
  readonly requests: Rate;
}

/** A request that came from the page itself, as far as a server can tell. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly origin: string;
  /** The other end's address, as far as the connection tells. */
  readonly from: string;
  readonly cookie: string | undefined;
  readonly header: (name: string) => string | undefined;
  readonly body: () => Promise<unknown>;
}

export interface Answer {
  readonly value: unknown;
  /** A new cookie, or an empty one that ends it. */
  readonly cookie?: string;
}

interface HttpParts {
  readonly address: Address;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly limits: ServerLimits;
  readonly answer: (asked: Asked) => Promise<Answer>;
  /** Called with each refusal. */
  readonly onRefusal: (failure: Failure, about: { readonly path: string; readonly from: string }) => void;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const always: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cache-control': 'no-store',
};
const cookieName = 'beadsmith';
const mostDepth = 20;
const apiFolder = '/api/';

/** Starts to listen. Only what is in `assets` and `/api/` is there. */
export async function startHttp(parts: HttpParts): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { address, limits } = parts;
  const options = {
    maxHeaderSize: 16 * 1024,
    headersTimeout: limits.bodyMs,
    requestTimeout: limits.bodyMs * 2,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
  };
  const rate = new RateLimit(limits.requests, () => performance.now());
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    void handle(parts, { rate, originOf }, request, response);
  };
  const server: Server = address.tls
    ? createTlsServer({ ...options, ...address.tls, minVersion: 'TLSv1.2' }, listener)
    : createServer(options, listener);
  const originOf = originReader(address, () => portOf(server));
  server.maxConnections = 500;
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(address.listen);
  await once(server, 'listening');
  return {
    url: urlOf(address, server),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
}

interface Checks {
  readonly rate: RateLimit;
  readonly originOf: (host: string) => string | undefined;
}

async function handle(
  parts: HttpParts,
  checks: Checks,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isSecure = parts.address.tls !== undefined || parts.address.proxy !== undefined;
  for (const [name, value] of Object.entries(always)) response.setHeader(name, value);
  if (isSecure) response.setHeader('strict-transport-security', 'max-age=31536000');
  const from = fromOf(request, parts.address);
  const path = (request.url ?? '').split('?')[0] ?? '';
  try {
    if (!checks.rate.take(from)) throw new Refusal('TOO_MANY');
    const origin = checks.originOf(request.headers.host ?? '');
    if (origin === undefined) throw new Refusal('WRONG_HOST');
    const method = request.method ?? '';
    if (method !== 'GET' && method !== 'POST') throw new Refusal('WRONG_METHOD');
    assertOwn(request, method, path, origin);
    const asset = method === 'GET' ? parts.assets.get(request.url ?? '') : undefined;
    if (asset) {
      send(response, 200, asset.type, asset.content);
      return;
    }
    if (!path.startsWith(apiFolder)) throw new Refusal('UNKNOWN_PLACE');
    const { value, cookie } = await parts.answer({
      method,
      path,
      query: queryOf(request.url ?? ''),
      origin,
      from,
      cookie: cookieOf(request, isSecure),
      header: (name) => {
        const value = request.headers[name.toLowerCase()];
        return typeof value === 'string' ? value : undefined;
      },
      body: () => bodyOf(request, parts.limits),
    });
    if (cookie !== undefined) response.setHeader('set-cookie', cookieText(cookie, isSecure));
    send(response, 200, 'application/json; charset=utf-8', JSON.stringify(value));
  } catch (thrown) {
    const failure = failureOf(thrown);
    parts.onRefusal(failure, { path: path.slice(0, 200), from });
    const { status, code, message, nextStep } = failure;
    // What is left of the request isn't read.
    response.setHeader('connection', 'close');
    send(response, status, 'application/json; charset=utf-8', JSON.stringify({ code, message, nextStep }));
  }
}

/** A change, and every call of the API, comes from our own page. Throws FOREIGN. */
function assertOwn(request: IncomingMessage, method: string, path: string, origin: string): void {
  const { origin: given, 'sec-fetch-site': site } = request.headers;
  if (given !== undefined && given !== origin) throw new Refusal('FOREIGN');
  if (method === 'POST' && given === undefined) throw new Refusal('FOREIGN');
  // The page itself may be opened from anywhere.
  if (path.startsWith(apiFolder) && site !== undefined && site !== 'same-origin')
    throw new Refusal('FOREIGN');
}

/** Of each name its only value; a name twice is no request of the page. */
function queryOf(url: string): Readonly<Record<string, string>> {
  const query = new URLSearchParams(url.split('?').slice(1).join('?'));
  const names = [...query.keys()];
  if (new Set(names).size !== names.length) throw new Refusal('BAD_REQUEST');
  return Object.fromEntries(query);
}

async function bodyOf(request: IncomingMessage, { bodyBytes, bodyMs }: ServerLimits): Promise<unknown> {
  if (!/^application\/json(?:; ?charset=utf-8)?$/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal('WRONG_TYPE');
  if (request.headers['content-encoding'] !== undefined) throw new Refusal('WRONG_TYPE');
  if (Number(request.headers['content-length'] ?? 0) > bodyBytes) throw new Refusal('TOO_LARGE');
  let late: NodeJS.Timeout | undefined;
  const tooSlow = new Promise<never>((_resolve, reject) => {
    late = setTimeout(() => reject(new Refusal('TOO_SLOW')), bodyMs);
  });
  try {
    return await Promise.race([readBody(request, bodyBytes), tooSlow]);
  } finally {
    clearTimeout(late);
  }
}

async function readBody(request: IncomingMessage, most: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw new Refusal('TOO_LARGE');
    chunks.push(chunk);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Refusal('BAD_REQUEST');
  }
  const value = jsonOf(text);
  if (!isRecord(value) || isOdd(value)) throw new Refusal('BAD_REQUEST');
  return value;
}

/** True for what the page never sends: a name that means more than itself, or a value deep inside others. */
function isOdd(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth > mostDepth || Object.hasOwn(value, '__proto__')) return true;
  return Object.values(value).some((inner) => isOdd(inner, depth + 1));
}

/** Behind a proxy, the address that it saw: its own entry is the last one. */
function fromOf(request: IncomingMessage, { proxy }: Address): string {
  const forwarded = proxy === undefined ? undefined : request.headers['x-forwarded-for'];
  const last = typeof forwarded === 'string' ? forwarded.split(',').at(-1)?.trim() : undefined;
  return (last ?? request.socket.remoteAddress ?? '').slice(0, 60);
}

/** Only a cookie that this server set over HTTPS can have the prefix. */
function cookieText(value: string, isSecure: boolean): string {
  const rules = `; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  return `${nameOf(isSecure)}=${value}${rules}${value === '' ? '; Max-Age=0' : ''}`;
}

function cookieOf(request: IncomingMessage, isSecure: boolean): string | undefined {
  const start = `${nameOf(isSecure)}=`;
  const found = (request.headers.cookie ?? '').split(/; */).filter((one) => one.startsWith(start));
  return found.length === 1 ? found[0]?.slice(start.length) : undefined;
}

function nameOf(isSecure: boolean): string {
  return isSecure ? `__Host-${cookieName}` : cookieName;
}

function send(response: ServerResponse, status: number, type: string, content: string | Buffer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(content) });
  response.end(content);
}

function portOf(server: Server): number {
  const at = server.address();
  return typeof at === 'object' && at !== null ? at.port : 0;
}

function urlOf({ listen, tls, proxy }: Address, server: Server): string {
  if (proxy !== undefined) return proxy;
  const { port } = server.address() as AddressInfo;
  const host = listen.host.includes(':') ? `[${listen.host}]` : listen.host;
  return `${tls ? 'https' : 'http'}://${host}:${String(port)}`;
}
