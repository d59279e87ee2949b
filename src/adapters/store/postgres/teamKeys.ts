import { hash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { BeadsmithError, invalidInput } from '../../../domain/core/errors.ts';
import { TeamKey, TeamName, TeamRole } from '../../../domain/team/keys.ts';
import { TeamPool } from './teamPool.ts';
import { serverNow } from '../../system/teamSql.ts';

/** `code`: shown once. */
export interface Pairing {
  readonly code: string;
  /** Milliseconds since 1970, by the server's clock. */
  readonly expiresAt: number;
}

/** A decision of a device that was carried out. `at`: when it was sent, in milliseconds since 1970. */
const Decided = z.object({
  repository: z.string(),
  ticket: z.string(),
  kind: z.string(),
  at: z.coerce.number(),
});
export type Decided = z.infer<typeof Decided>;

type NewDevice = Pick<TeamKey, 'id' | 'publicKey' | 'device'>;

const columns = `id, public_key AS "publicKey", person, device, role, added_at AS "addedAt", revoked_at AS "revokedAt"`;
const Repository = z.object({ id: z.coerce.number().int(), name: z.string() });
const Row = TeamKey.extend({ addedAt: z.coerce.number(), revokedAt: z.coerce.number().nullable() });

/**
 * The devices of a team and their pairing codes (docs/decisions/221-devices-seal-decisions.md). Each call may
 * be made twice. Throws DATABASE_IO, and DATABASE_READ_ONLY where this login may not.
 */
export class TeamKeys {
  readonly #pool: TeamPool;

  constructor(url: string) {
    this.#pool = new TeamPool(url, 'beadsmith devices');
  }

  async find(id: string): Promise<TeamKey | undefined> {
    const [key] = await this.#keys(`SELECT ${columns} FROM beadsmith.keys WHERE id = $1`, id);
    return key;
  }

  /** In the order in which they were added. */
  all(): Promise<readonly TeamKey[]> {
    return this.#keys(`SELECT ${columns} FROM beadsmith.keys ORDER BY added_at, id`);
  }

  async pair(input: { readonly person: string; readonly role: TeamRole }): Promise<Pairing> {
    const person = nameOf('The name', input.person);
    const role = TeamRole.parse(input.role);
    const code = pairingCode(randomBytes(16));
    const [row] = await this.#pool.ask(
      z.object({ at: z.coerce.number() }),
      `INSERT INTO beadsmith.pairings (code_hash, person, role, expires_at) VALUES ($1, $2, $3, ${serverNow} + $4)
        ON CONFLICT (code_hash) DO UPDATE SET person = excluded.person RETURNING expires_at AS at`,
      hash('sha256', readPairingCode(code) ?? ''),
      person,
      role,
      pairingMs,
    );
    return { code, expiresAt: row?.at ?? 0 };
  }

  /** Registers a device by a code, which is used up. Throws PAIRING_INVALID, DEVICE_KNOWN, DEVICE_REVOKED. */
  async redeem({
    code: typed,
    id,
    publicKey,
    device,
  }: NewDevice & { readonly code: string }): Promise<TeamKey> {
    const code = readPairingCode(typed);
    if (code === undefined) throw new BeadsmithError('PAIRING_INVALID');
    const [row] = await this.#pool.ask(
      z.object({ done: z.string() }),
      'SELECT beadsmith.redeem($1, $2, $3) AS done',
      code,
      publicKey,
      nameOf('The device', device),
    );
    if (row?.done === 'known') throw new BeadsmithError('DEVICE_KNOWN');
    if (row?.done === 'revoked') throw new BeadsmithError('DEVICE_REVOKED');
    if (row?.done !== 'done') throw new BeadsmithError('PAIRING_INVALID');
    return this.#known(id);
  }

  /** Registers a device without a code: for the database's owner. A known one stays as it is. */
  async register(input: NewDevice & Pick<TeamKey, 'person' | 'role'>): Promise<TeamKey> {
    await this.#pool.ask(
      z.unknown(),
      `INSERT INTO beadsmith.keys (id, public_key, person, device, role, added_at) VALUES ($1, $2, $3, $4, $5, ${serverNow})
        ON CONFLICT DO NOTHING`,
      input.id,
      input.publicKey,
      nameOf('The name', input.person),
      nameOf('The device', input.device),
      input.role,
    );
    return this.#known(input.id);
  }

  /** Nothing that it sealed is carried out from now on. Throws DEVICE_UNKNOWN. */
  async revoke(id: string): Promise<TeamKey> {
    await this.#pool.ask(
      z.unknown(),
      `UPDATE beadsmith.keys SET revoked_at = ${serverNow} WHERE id = $1 AND revoked_at IS NULL`,
      id,
    );
    return this.#known(id);
  }

  /** Decisions that it sealed and that were carried out. */
  async decided(id: string): Promise<readonly Decided[]> {
    const found: Decided[] = [];
    const repositories = await this.#pool.ask(
      Repository,
      'SELECT id, name FROM beadsmith.repositories ORDER BY id',
    );
    for (const { id: number, name } of repositories) {
      const sql = `SELECT $2::text AS repository, ticket, kind, posted_at AS at FROM beadsmith_${String(number)}.inbox
        WHERE state = 'consumed' AND seal LIKE $1 ORDER BY number`;
      found.push(...(await this.#pool.ask(Decided, sql, `team:${id}:%`, name)));
    }
    return found;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #known(id: string): Promise<TeamKey> {
    const key = await this.find(id);
    if (!key) throw new BeadsmithError('DEVICE_UNKNOWN');
    return key;
  }

  #keys(sql: string, ...values: readonly (string | number)[]): Promise<readonly TeamKey[]> {
    return this.#pool.ask(Row, sql, ...values);
  }
}

function nameOf(what: string, text: string): string {
  const name = TeamName.safeParse(text);
  if (name.success) return name.data;
  throw invalidInput(what, 'it takes one line with 1 to 100 characters');
}

/** Letters and digits that nobody confuses (Crockford's): five bits each. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 16;

/** Milliseconds in which a code can be used. */
const pairingMs = 600_000;

/** A one-time code of 80 bits, as people type it. */
export function pairingCode(random: Uint8Array): string {
  const text = Array.from(random.subarray(0, length), (byte) => letters.charAt(byte % letters.length)).join(
    '',
  );
  return text.replace(/(.{4})(?=.)/g, '$1-');
}

/** A typed code as it was printed, without its dashes; undefined if it can't be one. */
export function readPairingCode(typed: string): string | undefined {
  if (typed.length > 100) return undefined;
  const text = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return text.length === length && text.split('').every((letter) => letters.includes(letter))
    ? text
    : undefined;
}
