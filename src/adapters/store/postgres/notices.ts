import * as z from 'zod';
import { sha256 } from '../../../base/sha256.ts';
import { TeamPool } from './teamPool.ts';
import { serverNow } from '../../system/teamSql.ts';

/** Something that people are told once. `about`: the same for all who tell it. */
export interface NoticeKey {
  readonly repository: string;
  readonly ticket: string;
  readonly about: string;
}

const At = z.object({ at: z.coerce.number() });
const Tries = z.object({ tries: z.coerce.number() });
/** The row that says since when notices are sent. */
const start = { repository: '', ticket: '', about: '' };

/** The notices of a team that were sent, or are being sent by one of several processes. */
export class Notices {
  readonly #pool: TeamPool;

  constructor(url: string) {
    this.#pool = new TeamPool(url, 'beadsmith notices');
  }

  /** Returns since when the team is told: what began before is no news. Milliseconds since 1970. */
  async since(): Promise<number> {
    const [row] = await this.#pool.ask(
      At,
      `INSERT INTO beadsmith.notices (repository, ticket, about, tries, next_at, done_at)
        VALUES ($1, $2, $3, 0, 0, ${serverNow})
        ON CONFLICT (repository, ticket, about) DO UPDATE SET tries = 0 RETURNING done_at AS at`,
      ...valuesOf(start),
    );
    return row?.at ?? 0;
  }

  /**
   * Claims a notice for so many milliseconds. Returns the number of the try; `over` if it was sent or tried
   * `most` times, and `later` while another process has it or it is too early to try again.
   */
  async claim(
    key: NoticeKey,
    { ms, most }: { readonly ms: number; readonly most: number },
  ): Promise<number | 'over' | 'later'> {
    const [row] = await this.#pool.ask(
      Tries,
      `INSERT INTO beadsmith.notices AS one (repository, ticket, about, tries, next_at)
        VALUES ($1, $2, $3, 1, ${serverNow} + $4)
        ON CONFLICT (repository, ticket, about) DO UPDATE SET tries = one.tries + 1, next_at = excluded.next_at
          WHERE one.done_at IS NULL AND one.next_at <= ${serverNow} AND one.tries < $5
        RETURNING tries`,
      ...valuesOf(key),
      ms,
      most,
    );
    if (row) return row.tries;
    const [known] = await this.#pool.ask(
      z.object({ over: z.boolean() }),
      `SELECT done_at IS NOT NULL OR (tries >= $4 AND next_at <= ${serverNow}) AS over FROM beadsmith.notices
        WHERE repository = $1 AND ticket = $2 AND about = $3`,
      ...valuesOf(key),
      most,
    );
    return known?.over === true ? 'over' : 'later';
  }

  async sent(key: NoticeKey): Promise<void> {
    await this.#pool.ask(
      z.unknown(),
      `UPDATE beadsmith.notices SET done_at = ${serverNow} WHERE repository = $1 AND ticket = $2 AND about = $3`,
      ...valuesOf(key),
    );
  }

  /** It may be tried again after so many milliseconds. */
  async failed(key: NoticeKey, ms: number): Promise<void> {
    await this.#pool.ask(
      z.unknown(),
      `UPDATE beadsmith.notices SET next_at = ${serverNow} + $4 WHERE repository = $1 AND ticket = $2 AND about = $3`,
      ...valuesOf(key),
      ms,
    );
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Of any length and with any text, it is a short value. */
function valuesOf({ repository, ticket, about }: NoticeKey): readonly [string, string, string] {
  return [repository, ticket, about === '' ? '' : sha256(about)];
}
