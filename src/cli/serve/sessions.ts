import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Recent } from './recentUses.ts';

export interface Session {
  readonly key: string;
  /** Sent with each change, so that no other site can. */
  readonly token: string;
  readonly expiresAt: number;
}

/** Milliseconds. A browser signs again by itself. */
const sessionMs = 15 * 60_000;
const nonceMs = 60_000;
const mostSessions = 1_000;
const mostNonces = 1_000;

/** Nonces for one signature each, and the people who are signed in. Nothing of it outlives the process. */
export class Sessions {
  readonly #now: () => number;
  readonly #nonces = new Recent<string>(mostNonces);
  readonly #sessions = new Recent<Session>(mostSessions);

  constructor(now: () => number) {
    this.#now = now;
  }

  challenge(origin: string): string {
    const nonce = random();
    this.#nonces.set(nonce, origin, this.#now() + nonceMs);
    return nonce;
  }

  /** True once for each challenge. */
  use(origin: string, nonce: string): boolean {
    const known = this.#nonces.take(nonce, this.#now());
    return known === origin;
  }

  open(key: string): { readonly cookie: string; readonly session: Session } {
    const cookie = random();
    const expiresAt = this.#now() + sessionMs;
    const session = { key, token: random(), expiresAt };
    this.#sessions.set(digest(cookie), session, expiresAt);
    return { cookie, session };
  }

  of(cookie: string): Session | undefined {
    return this.#sessions.get(digest(cookie), this.#now());
  }

  close(cookie: string): void {
    this.#sessions.take(digest(cookie), this.#now());
  }
}

export function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(digest(a)), Buffer.from(digest(b)));
}

function random(): string {
  return randomBytes(32).toString('base64url');
}

function digest(text: string): string {
  return hash('sha256', text);
}
