import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

type Environment = Readonly<Record<string, string | undefined>>;

/** A connection that takes longer to be made is given up. */
const limitMs = 30_000;

/**
 * Connects to a host as the person's own programs do: directly, or through the proxy that their environment
 * names. Rejects if it can't.
 */
export async function dial({
  host,
  port,
  env,
}: {
  readonly host: string;
  readonly port: number;
  readonly env: Environment;
}): Promise<Socket> {
  const proxy = proxyFor(host, port, env);
  if (!proxy) return opened(connect({ host, port }));
  const secure = proxy.protocol === 'https:';
  const proxyPort = Number(proxy.port) || (secure ? 443 : 80);
  const login =
    proxy.username === ''
      ? {}
      : {
          'proxy-authorization': `Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString('base64')}`,
        };
  const toProxy = await opened(
    secure
      ? connectTls({ host: proxy.hostname, port: proxyPort, servername: proxy.hostname })
      : connect(proxyPort, proxy.hostname),
  );
  return new Promise((resolve, reject) => {
    const target = `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
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

function opened(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const giveUp = () => socket.destroy(new Error(`no connection after ${String(limitMs / 1_000)} s`));
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
