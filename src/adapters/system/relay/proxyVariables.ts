/** The port of the registry relay on the loopback of a box. */
export const registryPort = 43_128;

/**
 * The variables that send programs in a box to the registry relay. `hosts`: of the relay; a registry on
 * loopback is reached through it as well. `apart`: addresses on loopback that are reached without it all the
 * same.
 */
export function proxyVariables(
  hosts: readonly string[],
  apart: readonly string[] = [],
): Readonly<Record<string, string>> {
  const proxy = `http://127.0.0.1:${String(registryPort)}`;
  const own = hosts.some((host) => /^(?:localhost|127\.)/.test(host));
  const direct = own ? apart.map((url) => new URL(url).host).join(',') : 'localhost,127.0.0.1,::1';
  const named = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: direct };
  const small = Object.fromEntries(Object.entries(named).map(([name, value]) => [name.toLowerCase(), value]));
  const npm = { npm_config_proxy: proxy, npm_config_https_proxy: proxy, npm_config_noproxy: direct };
  const [host, port] = ['127.0.0.1', String(registryPort)];
  const java = ['http', 'https']
    .map((kind) => `-D${kind}.proxyHost=${host} -D${kind}.proxyPort=${port}`)
    .join(' ');
  return {
    ...named,
    ...small,
    ...npm,
    YARN_HTTP_PROXY: proxy,
    YARN_HTTPS_PROXY: proxy,
    NODE_USE_ENV_PROXY: '1',
    JAVA_TOOL_OPTIONS: java,
  };
}

/** The names by which a proxy of the person is found: of no use in a box, and they may hold a password. */
export const proxyNames: ReadonlySet<string> = new Set(
  ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
);
