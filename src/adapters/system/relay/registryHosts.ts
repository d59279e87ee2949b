import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, homeOf } from '../commandEnvironment.ts';

/**
 * Defaults of package managers, without hosts that take uploads without a login. `.host` stands for all below
 * it.
 */
const usual = [
  'registry.npmjs.org registry.yarnpkg.com repo.yarnpkg.com nodejs.org npm.jsr.io jsr.io deno.land',
  'pypi.org files.pythonhosted.org',
  'crates.io static.crates.io index.crates.io static.rust-lang.org',
  'proxy.golang.org sum.golang.org go.dev dl.google.com',
  'repo.maven.apache.org repo1.maven.org plugins.gradle.org plugins-artifacts.gradle.org services.gradle.org downloads.gradle.org maven.google.com',
  'rubygems.org index.rubygems.org',
  'api.nuget.org www.nuget.org globalcdn.nuget.org',
  'packagist.org repo.packagist.org repo.hex.pm builds.hex.pm pub.dev',
  'deb.debian.org security.debian.org archive.ubuntu.com security.ubuntu.com dl-cdn.alpinelinux.org',
  'codeload.github.com objects.githubusercontent.com release-assets.githubusercontent.com raw.githubusercontent.com',
].flatMap((line) => line.split(' '));

/** An entry without a port stands for 80 and 443. */
export function allows(
  hosts: readonly string[],
  { host, port }: { readonly host: string; readonly port: number },
): boolean {
  return hosts.some((entry) => {
    const [, name = '', own] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const ports = own === undefined ? [80, 443] : [Number(own)];
    return (
      ports.includes(port) && (name.startsWith('.') ? host.endsWith(name) : name !== '' && host === name)
    );
  });
}

/**
 * Hosts for a setup: usual registries, the setting's, and the person's. Nothing of the repository adds to it.
 */
export function registryHosts(env: Environment, further: readonly string[]): readonly string[] {
  return [
    ...new Set([...usual, ...further.map((host) => host.trim()).filter(Boolean), ...ownRegistries(env)]),
  ];
}

/** The person's registry settings for a sandbox, without a login. */
export function registryVariables(env: Environment): Readonly<Record<string, string>> {
  const named = variables.flatMap((name) => {
    const value = env[name];
    return value === undefined || value === '' || value.includes('@') ? [] : [[name, value] as const];
  });
  const npm = /^registry\s*=\s*"?(https?:\/\/[^\s"@]+)"?\s*$/m.exec(
    readText(join(homeOf(env), '.npmrc')),
  )?.[1];
  return { ...(npm === undefined ? {} : { npm_config_registry: npm }), ...Object.fromEntries(named) };
}

const variables = [
  'npm_config_registry NPM_CONFIG_REGISTRY YARN_NPM_REGISTRY_SERVER PIP_INDEX_URL PIP_EXTRA_INDEX_URL UV_INDEX_URL UV_DEFAULT_INDEX UV_INDEX',
  'GOPROXY GOSUMDB CARGO_REGISTRIES_CRATES_IO_INDEX BUNDLE_MIRROR__ALL RUSTUP_DIST_SERVER COREPACK_NPM_REGISTRY NUGET_SOURCE',
].flatMap((line) => line.split(' '));

const files = [
  '.npmrc .yarnrc .yarnrc.yml .bunfig.toml .config/pnpm/rc .config/pip/pip.conf .pip/pip.conf .config/uv/uv.toml .cargo/config.toml .cargo/config',
  '.m2/settings.xml .gradle/init.gradle .bundle/config .gemrc .nuget/NuGet/NuGet.Config .config/go/env',
].flatMap((line) => line.split(' '));

function ownRegistries(env: Environment): string[] {
  const home = homeOf(env);
  const named = [
    'npm_config_userconfig',
    'NPM_CONFIG_USERCONFIG',
    'npm_config_globalconfig',
    'PIP_CONFIG_FILE',
  ].flatMap((name) => env[name] ?? []);
  const texts = [
    ...variables.map((name) => env[name] ?? ''),
    ...[
      ...files.map((file) => join(home, file)),
      ...named,
      '/etc/pip.conf',
      '/etc/npmrc',
      '/usr/etc/npmrc',
    ].map(readText),
  ];
  // The name of an XML vocabulary is no place.
  const urls = texts.flatMap(
    (text) =>
      text.replace(/\bxmlns[^=]*="[^"]*"|schemaLocation="[^"]*"/g, '').match(/\bhttps?:\/\/[^\s"'<>|,;]+/g) ??
      [],
  );
  return urls.flatMap((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || url.hostname === '') return [];
    return [url.port === '' ? url.hostname : `${url.hostname}:${url.port}`];
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').slice(0, 200_000);
  } catch {
    return '';
  }
}

export const registryPort = 43_128;

/**
 * Send a sandbox's programs to the registry relay. `hosts`: of the relay, also on loopback. `apart`: loopback
 * addresses without it.
 */
export function proxyVariables(
  hosts: readonly string[],
  apart: readonly string[] = [],
): Readonly<Record<string, string>> {
  const proxy = `http://127.0.0.1:${registryPort}`;
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

/** A person's proxy: useless in a sandbox, and may hold a password. */
export const proxyNames: ReadonlySet<string> = new Set(
  ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
);
