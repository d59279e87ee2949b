import { TLSSocket } from 'node:tls';
import type { Duplex } from 'node:stream';
import type { Client } from 'pg';

/** A server asked for the password in a form that lets others use it. Nothing was sent. */
export class PasswordKept extends Error {
  override readonly name = 'PasswordKept';
  readonly advice =
    'Have the server use scram-sha-256, or put sslmode=verify-full into the URL, which needs a certificate that this machine trusts.';

  constructor() {
    super('the server asks for the password in a form that others could read');
  }
}

/**
 * Lets a client answer a request for the password itself, or its MD5, only to this machine or a server that
 * proved its name. `sslmode`: as the URL or the environment has it.
 */
export function keepPassword(client: Client, sslmode: string | undefined): void {
  const connection = Reflect.get(client, 'connection') as { readonly stream: Duplex };
  for (const name of ['_handleAuthCleartextPassword', '_handleAuthMD5Password']) {
    const send: unknown = Reflect.get(client, name);
    if (typeof send !== 'function') throw new Error(`pg has no ${name}: this version isn't known`);
    Reflect.set(client, name, (request: unknown): void => {
      if (isPrivate(connection.stream, sslmode)) Reflect.apply(send, client, [request]);
      else connection.stream.destroy(new PasswordKept());
    });
  }
}

function isPrivate(stream: Duplex, sslmode: string | undefined): boolean {
  if (stream instanceof TLSSocket && stream.authorized && sslmode === 'verify-full') return true;
  const address: unknown = Reflect.get(stream, 'remoteAddress');
  // A Unix socket has none, and is of this machine.
  return typeof address !== 'string' || /^(?:(?:::ffff:)?127\.|::1$)/.test(address);
}
