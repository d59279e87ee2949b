import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '../../base/json.ts';
import type { InboxEntry } from '../../domain/ticket/inbox.ts';
import { createExclusively } from '../system/files.ts';

/** The id is used once; the body hashes what a person saw. */
export type Sealed = Pick<InboxEntry, 'id' | 'ticket' | 'kind' | 'body'>;

/** A key that only this process's memory has. */
const processKey = randomBytes(32).toString('base64url');

/**
 * Seals decisions by two keyed hashes (docs/decisions/110-decisions-are-sealed.md): a secret key of the
 * editor's storage or this process, and this user's key, by which another process accepts a decision.
 */
export class Seals {
  readonly #secret: string;
  readonly #user: string | undefined;

  private constructor(secret: string, user: string | undefined) {
    this.#secret = secret;
    this.#user = user;
  }

  /** `secret`: of the editor's secret storage. No user key where their folder can't be written. */
  static async open(configFolder: string, secret: string = processKey): Promise<Seals> {
    return new Seals(secret, await userKey(configFolder).catch(() => undefined));
  }

  seal(entry: Sealed): string {
    return [this.#secret, ...(this.#user === undefined ? [] : [this.#user])]
      .map((key) => hashOf(key, entry))
      .join(' ');
  }

  check(entry: InboxEntry): 'secret' | 'user' | undefined {
    const [secret = '', user = ''] = (entry.seal ?? '').split(' ');
    if (isEqual(secret, hashOf(this.#secret, entry))) return 'secret';
    return this.#user !== undefined && isEqual(user, hashOf(this.#user, entry)) ? 'user' : undefined;
  }
}

function hashOf(key: string, { id, ticket, kind, body }: Sealed): string {
  return createHmac('sha256', key)
    .update(canonicalJson([id, ticket, kind, hash('sha256', canonicalJson(body))]))
    .digest('base64url');
}

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

async function userKey(folder: string): Promise<string> {
  const file = join(folder, 'seal-key');
  await mkdir(folder, { recursive: true });
  await createExclusively(file, randomBytes(32).toString('base64url'));
  return readFile(file, 'utf8');
}
