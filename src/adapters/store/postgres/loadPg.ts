import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type * as Pg from 'pg';
import { passwordKept } from './postgresErrors.ts';

/**
 * Settings made before anything is asked, so that neither a role's defaults nor the URL change what is read,
 * how long a lock is waited for, or when a commit counts. Limits are milliseconds: a lock is asked for again,
 * and a stopped process loses its transaction.
 */
export const session = Object.entries({
  search_path: 'pg_catalog',
  client_encoding: `'UTF8'`,
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  row_security: 'on',
  lock_timeout: '2000',
  statement_timeout: '30000',
  idle_in_transaction_session_timeout: '15000',
  idle_session_timeout: '0',
  synchronous_commit: 'on',
  default_transaction_isolation: `'read committed'`,
  default_transaction_deferrable: 'off',
})
  .map(([name, value]) => `SET ${name} = ${value}; `)
  .join('');

/** A server asked for the password in a form that lets others use it. Nothing was sent. */
class PasswordKept extends Error {
  override readonly name = 'PasswordKept';
  readonly code = passwordKept;
  readonly severity = 'FATAL';

  constructor() {
    super('the server asks for the password in a form that others could read');
  }
}

/** Milliseconds. A server that is silent for longer is taken for gone: a network may swallow what is sent. */
export const connectMs = 20_000;
const answerMs = 40_000;

interface Asked {
  readonly connection: { readonly stream: Duplex };
  readonly ssl: unknown;
}

let loaded: Promise<typeof Pg> | undefined;
const guarded = new WeakSet<object>();

/** The library for PostgreSQL, guarded. */
export function loadPg(): Promise<typeof Pg> {
  loaded ??= import('pg').then((pg) => guardPg(pg));
  return loaded;
}

/**
 * Has each client of a copy of the library send a password itself, or its MD5, only to this machine or a
 * server that proved its name, and wait for an answer for a limited time. Another library has a copy of its
 * own where ours is part of a bundle.
 */
export function guardPg(pg: typeof Pg): typeof Pg {
  if (guarded.has(pg.Client.prototype)) return pg;
  guarded.add(pg.Client.prototype);
  for (const name of ['_handleAuthCleartextPassword', '_handleAuthMD5Password'])
    replace(pg.Client.prototype, name, function (this: Asked, send, request) {
      if (isPrivate(this)) Reflect.apply(send, this, [request]);
      else this.connection.stream.destroy(new PasswordKept());
    });
  Reflect.set(pg.defaults, 'query_timeout', answerMs);
  replace(pg.Query.prototype, 'handleError', function (this: unknown, fail, error, on) {
    // The rest of the answer would go to the next query, for which a pool gives the connection out again.
    if (error instanceof Error && error.message === 'Query read timeout')
      (on as Asked['connection']).stream.destroy();
    Reflect.apply(fail, this, [error, on]);
  });
  return pg;
}

type Replacing<T> = (this: T, original: (...args: unknown[]) => unknown, ...args: unknown[]) => void;

function replace<T>(prototype: object, name: string, by: Replacing<T>): void {
  const original: unknown = Reflect.get(prototype, name);
  if (typeof original !== 'function') throw new Error(`pg has no ${name}: this version isn't known`);
  Reflect.set(prototype, name, function (this: T, ...args: unknown[]): void {
    Reflect.apply(by, this, [original, ...args]);
  });
}

function isPrivate({ connection: { stream }, ssl }: Asked): boolean {
  const isNameChecked = typeof ssl !== 'object' || ssl === null || !('checkServerIdentity' in ssl);
  if (stream instanceof TLSSocket && stream.authorized && isNameChecked) return true;
  const address: unknown = Reflect.get(stream, 'remoteAddress');
  // A Unix socket has none, and is of this machine.
  return typeof address !== 'string' || /^(?:(?:::ffff:)?127\.|::1$)/.test(address);
}
