import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { pathTooLong, socketPathBytes } from '../files.ts';
import { allows } from './registryHosts.ts';
import type { Environment } from '../commandEnvironment.ts';

export interface RegistryRelay {
  readonly socket: string;
  /** Each once. */
  readonly refused: readonly string[];
  close(): Promise<void>;
}

/**
 * The way from a sandbox to package registries: a proxy on a Unix socket, for listed hosts
 * (docs/decisions/108-registry-relay.md).
 */
export async function openRegistryRelay(options: {
  readonly hosts: readonly string[];
  readonly env: Environment;
  readonly socket: string;
  readonly onRefused?: (host: string) => void;
}): Promise<RegistryRelay> {
  const { hosts, env, socket } = options;
  const refused = new Set<string>();
  const open = new Set<Socket>();
  const refuse = (target: string): string => {
    if (refused.size < 100 && !refused.has(target)) {
      refused.add(target);
      options.onRefused?.(target);
    }
    return `Beadsmith's sandbox does not connect to ${target}. Add it to the setting beadsmith.sandboxHosts if the project needs it.\n`;
  };
  const track = (one: Socket): Socket => {
    open.add(one);
    one.on('close', () => open.delete(one)).on('error', () => one.destroy());
    return one;
  };
  const server = createServer(
    (incoming, outgoing) => void forward(incoming, outgoing, { hosts, env, refuse, track }),
  );
  server.on('connection', track);
  server.on('connect', (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    const target = targetOf(incoming.url ?? '');
    if (!target || !allows(hosts, target)) {
      const text = refuse((incoming.url ?? '').replace(/[^\w.:[\]-]/g, '').slice(0, 200));
      client.end(
        `HTTP/1.1 403 Not in beadsmith.sandboxHosts\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n${text}`,
      );
      return;
    }
    dial({ ...target, env }).then(
      (upstream) => {
        track(upstream);
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        if (head.length > 0) upstream.write(head);
        joinSockets(client, upstream);
      },
      () => client.end('HTTP/1.1 502 Bad gateway\r\nconnection: close\r\n\r\n'),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, resolve));
  await chmod(socket, 0o600);
  return {
    socket,
    get refused() {
      return [...refused];
    },
    close: async () => {
      for (const one of open) one.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A folder for this user alone. Throws PATH_TOO_LONG if socket names don't fit. */
export async function socketFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const tooLong = pathTooLong(join(tmpdir(), 'beadsmith-XXXXXX', 'registry.sock'), socketPathBytes);
  if (tooLong) throw tooLong;
  const path = await mkdtemp(join(tmpdir(), 'beadsmith-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

interface Target {
  readonly host: string;
  readonly port: number;
}

/** `host:port` only: no login, path or second host. */
function targetOf(text: string): Target | undefined {
  const [, host, port] = /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?):(\d{1,5})$/i.exec(text) ?? [];
  return host === undefined ? undefined : { host: host.toLowerCase(), port: Number(port) };
}

interface Forwarding {
  readonly hosts: readonly string[];
  readonly env: Environment;
  readonly refuse: (target: string) => string;
  readonly track: (socket: Socket) => Socket;
}

async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { hosts, env, refuse, track }: Forwarding,
): Promise<void> {
  const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : undefined;
  const target = url?.protocol === 'http:' ? targetOf(`${url.hostname}:${url.port || '80'}`) : undefined;
  if (!url || !target || !allows(hosts, target)) {
    outgoing.writeHead(403, 'Not in beadsmith.sandboxHosts').end(refuse(url?.host ?? 'an unknown host'));
    return;
  }
  try {
    const upstream = track(await dial({ ...target, env }));
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).filter(([name]) => !hopByHop.has(name)),
    );
    const sent = request({
      method: incoming.method,
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host },
      createConnection: () => upstream,
    });
    outgoing.on('close', () => upstream.destroy());
    sent.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    sent.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    incoming.pipe(sent);
  } catch {
    outgoing.writeHead(502).end();
  }
}

/** Headers of one connection (RFC 9110, 7.6.1). */
export const hopByHop: ReadonlySet<string> = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade host'.split(
    ' ',
  ),
);

/** Joins them until either ends. Each waits for the other, so nothing piles up. */
export function joinSockets(one: Socket, other: Socket): void {
  const end = () => {
    one.destroy();
    other.destroy();
  };
  for (const socket of [one, other]) {
    socket.setNoDelay(true);
    socket.on('error', end);
    socket.on('close', end);
  }
  one.pipe(other);
  other.pipe(one);
}

/** Milliseconds to connect. */
const limitMs = 30_000;

/** Connects directly, or by the environment's proxy, as the person's programs do. Rejects if it can't. */
export async function dial({ host, port, env }: Target & { readonly env: Environment }): Promise<Socket> {
  const proxy = proxyFor(host, port, env);
  if (!proxy) return connected(connect({ host, port }));
  const secure = proxy.protocol === 'https:';
  const proxyPort = Number(proxy.port) || (secure ? 443 : 80);
  const login =
    proxy.username === ''
      ? {}
      : {
          'proxy-authorization': `Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString('base64')}`,
        };
  const toProxy = await connected(
    secure
      ? connectTls({ host: proxy.hostname, port: proxyPort, servername: proxy.hostname })
      : connect(proxyPort, proxy.hostname),
  );
  return new Promise((resolve, reject) => {
    const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const asked = request({
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...login },
      createConnection: () => toProxy,
    });
    asked.setTimeout(limitMs, () => asked.destroy(new Error(`the proxy ${proxy.host} does not answer`)));
    asked.once('error', reject);
    asked.once('response', ({ statusCode }) =>
      asked.destroy(new Error(`the proxy ${proxy.host} answered ${String(statusCode)}`)),
    );
    asked.once('connect', ({ statusCode }, socket: Socket) => {
      if (statusCode === 200) resolve(socket.setTimeout(0));
      else reject(new Error(`the proxy ${proxy.host} answered ${String(statusCode)}`));
      if (statusCode !== 200) socket.destroy();
    });
    asked.end();
  });
}

function connected(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const giveUp = () => socket.destroy(new Error(`no connection after ${limitMs / 1_000} s`));
    socket.setTimeout(limitMs, giveUp);
    socket.once('error', reject);
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
      socket.off('error', reject).setTimeout(0).off('timeout', giveUp);
      resolve(socket);
    });
  });
}

function proxyFor(host: string, port: number, env: Environment): URL | undefined {
  const named = (name: string) => env[name.toLowerCase()] || env[name];
  const text = named(port === 80 ? 'HTTP_PROXY' : 'HTTPS_PROXY') || named('ALL_PROXY');
  if (text === undefined || !/^https?:/.test(text) || !URL.canParse(text)) return undefined;
  const loopback = host === 'localhost' || host === '::1' || host.startsWith('127.');
  const direct = (named('NO_PROXY') ?? '').split(/[\s,]+/).filter(Boolean);
  const covers = (entry: string) => {
    const name = entry.replace(/^\*?\./, '').replace(/:\d+$/, '');
    return entry === '*' || host === name || host.endsWith(`.${name}`);
  };
  return loopback || direct.some(covers) ? undefined : new URL(text);
}
