import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/** The address that a server listens at, and how people reach it. */
export interface Address {
  readonly listen: { readonly host: string; readonly port: number };
  readonly tls?: { readonly cert: string; readonly key: string };
  /** The origin of the proxy in front, such as `https://team.example.com`. */
  readonly proxy?: string;
  /** The header in which an authenticating proxy names the person. */
  readonly trustHeader?: string;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Tells the origin of a request by its `Host`: undefined for another server's name, such as one that a
 * foreign page resolves to this machine.
 */
export function originReader(
  { tls, proxy }: Address,
  port: () => number,
): (host: string) => string | undefined {
  if (proxy !== undefined) {
    const { host: known } = new URL(proxy);
    return (host) => (host === known ? proxy : undefined);
  }
  const certificate = tls && new X509Certificate(tls.cert);
  return (host) => {
    const [, name = '', given] = /^([a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?$/.exec(host) ?? [];
    const bare = name.replace(/^\[|\]$/g, '');
    if (bare === '' || Number(given ?? (certificate ? 443 : 80)) !== port()) return undefined;
    if (!certificate) return isLoopback(bare) ? `http://${host}` : undefined;
    const isKnown = isIP(bare) === 0 ? certificate.checkHost(bare) : certificate.checkIP(bare);
    return isKnown === undefined && !isLoopback(bare) ? undefined : `https://${host}`;
  };
}
