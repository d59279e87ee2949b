import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Claim, Claims, CommitPlace, LogPiece } from '../../../engine/ports/storePort.ts';
import type { Database } from '../sql/database.ts';
import { type Fenced, SqlStore, type SqlStoreOptions } from '../sqlStore.ts';
import { positionOf } from '../tickets.ts';
import { silentSince } from '../../system/teamSql.ts';

const Row = z.object({ runner: z.string(), epoch: z.number() });
const Run = z.object({ ticket: z.string() });
const Piece = z.object({ number: z.number(), lines: z.string() });
const Place = z.object({ now: z.string(), wanted: z.string() });
const Living = z.object({ lives: z.number() });

type ClaimCalls = {
  readonly [M in keyof Claims]: (...args: Parameters<Claims[M]>) => Awaited<ReturnType<Claims[M]>>;
};

type LogCalls = {
  readonly appendLog: (ticket: string, lines: string) => void;
  readonly logAfter: (ticket: string, number: number) => readonly LogPiece[];
};

type PlaceCalls = {
  readonly placeOf: (ticket: string) => CommitPlace;
  readonly settle: (ticket: string, url: string) => void;
};

type FactCalls = Pick<SqlStore['calls'], 'summaries'>;

/** Pieces in one answer. */
const mostPieces = 500;

/** The runner of a ticket that is left to others. */
const nobody = '';

/**
 * A repository's tickets in a team's database. Each ticket is driven by the runner that claimed it last
 * (docs/decisions/217-a-claim-for-each-ticket.md).
 */
export class TeamStore extends SqlStore {
  readonly claims: ClaimCalls;
  readonly places: PlaceCalls;
  readonly log: LogCalls;
  /** With what is so for each of a team's tickets. */
  readonly facts: FactCalls;
  readonly #database: Database;
  readonly #now: () => number;
  readonly #runner: string | null;
  /** Epochs by ticket. A thread that replaces a dead one of the same runner begins without them. */
  readonly #held = new Map<string, number>();

  /** `runner`: null for a process that drives nothing. */
  constructor(
    database: Database,
    { runner, ...options }: SqlStoreOptions & { readonly runner: string | null },
  ) {
    super(database, options);
    this.#database = database;
    this.#now = options.now;
    this.#runner = runner;
    this.claims = {
      claim: (ticket, silentMs) => this.#claim(ticket, silentMs),
      release: (ticket) => this.#release(ticket),
    };
    this.places = {
      settle: (ticket, url) => this.#settle(ticket, url),
      placeOf: (ticket) =>
        Place.parse(
          database.get(
            `SELECT one.commits AS wanted,
                coalesce((SELECT url FROM beadsmith.places WHERE repository = one.id AND ticket = ?), '') AS now
              FROM beadsmith.repositories AS one WHERE 'beadsmith_' || one.id = current_schema()`,
            ticket,
          ),
        ),
    };
    this.facts = {
      summaries: (ids) => this.calls.summaries(ids).map((one) => ({ ...one, ofTeam: true })),
    };
    this.log = {
      // Neither told nor in line with commits: it is for viewing.
      appendLog: (ticket, lines) => {
        database.run('INSERT INTO log (ticket, lines) VALUES (?, ?)', ticket, lines);
      },
      logAfter: (ticket, number) =>
        database.rows(
          Piece,
          'SELECT number, lines FROM log WHERE ticket = ? AND number > ? ORDER BY number LIMIT ?',
          ticket,
          number,
          mostPieces,
        ),
    };
  }

  protected override fence(of: Fenced): number {
    const ticket = 'ticket' in of ? of.ticket : this.#ticketOf(of.run);
    const stored = this.#stored(ticket);
    const isMine =
      stored !== undefined &&
      stored.runner === this.#runner &&
      (this.#held.get(ticket) ?? stored.epoch) === stored.epoch;
    if (isMine) return stored.epoch;
    if (stored === undefined && 'ticket' in of) positionOf(this.#database, ticket);
    throw new BeadsmithError('EPOCH_LOST');
  }

  protected override mayAdd(): void {
    if (this.#runner === null) throw new BeadsmithError('EPOCH_LOST');
  }

  protected override firstEpoch(): number {
    return 0;
  }

  #claim(ticket: string, silentMs: number): Claim | null {
    const runner = this.#runner;
    if (runner === null) throw new BeadsmithError('EPOCH_LOST');
    const claim = this.write(() => {
      positionOf(this.#database, ticket);
      const stored = this.#stored(ticket) ?? { runner: nobody, epoch: 0 };
      const isLeft = stored.runner === nobody || stored.runner === runner;
      if (!isLeft && this.#lives(stored.runner, silentMs)) return null;
      const epoch = stored.epoch + 1;
      this.#database.run(
        `INSERT INTO claims VALUES (?1, ?2, ?3, ?4)
          ON CONFLICT (ticket) DO UPDATE SET runner = ?2, epoch = ?3, claimed_at = ?4`,
        ticket,
        runner,
        epoch,
        Math.round(this.#now()),
      );
      this.forgetWriters();
      return { epoch, from: isLeft ? null : stored.runner };
    });
    if (claim) this.#held.set(ticket, claim.epoch);
    return claim;
  }

  /** Nothing if another runner claimed it since. */
  #release(ticket: string): void {
    this.write(() =>
      this.#database.run(
        `UPDATE claims SET runner = '${nobody}' WHERE ticket = ? AND runner = ? AND epoch = ?`,
        ticket,
        this.#runner,
        this.#held.get(ticket) ?? this.#stored(ticket)?.epoch ?? 0,
      ),
    );
    this.#held.delete(ticket);
  }

  /** A ticket that comes from another database is no runner's yet. */
  #settle(ticket: string, url: string): void {
    this.write(() => {
      if (this.#database.get('SELECT id FROM tickets WHERE id = ?', ticket)) this.fence({ ticket });
      this.#database.run(
        `INSERT INTO beadsmith.places
          SELECT id, ?1, ?2 FROM beadsmith.repositories WHERE 'beadsmith_' || id = current_schema()
          ON CONFLICT (repository, ticket) DO UPDATE SET url = ?2`,
        ticket,
        url,
      );
    });
  }

  #stored(ticket: string): z.infer<typeof Row> | undefined {
    const row = this.#database.get('SELECT runner, epoch FROM claims WHERE ticket = ?', ticket);
    return row === undefined ? undefined : Row.parse(row);
  }

  #ticketOf(run: string): string {
    const row = this.#database.get('SELECT ticket FROM runs WHERE id = ?', run);
    return row === undefined ? '' : Run.parse(row).ticket;
  }

  /** By the server's clock, as its heartbeats are. */
  #lives(runner: string, silentMs: number): boolean {
    const row = this.#database.get(
      `SELECT count(*) AS lives FROM beadsmith.runners WHERE id = ? AND seen_at > ${silentSince(silentMs)}`,
      runner,
    );
    return Living.parse(row).lives > 0;
  }
}
