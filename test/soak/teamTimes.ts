import type { TeamBench } from '../support/team/teamBench.ts';

type Bench = Pick<TeamBench, 'query'>;

/** A runner that was killed. Both are milliseconds since 1970 by the server's clock. */
export interface Killed {
  readonly runner: string;
  readonly silentAt: number;
  readonly tickets: readonly string[];
}

/**
 * Milliseconds. `starts`: from a claim to its first journal entry. `moves`: the same where another runner had
 * the ticket before, so that commits, worktree and dependencies come first. `recovered`: from a runner's
 * silence until others had all its tickets, for each kill.
 */
export interface TeamTimes {
  readonly starts: readonly number[];
  readonly moves: readonly number[];
  readonly recovered: readonly number[];
}

/** Keeps each claim from now on: the table of claims only has the newest of each ticket. */
export async function recordClaims(bench: Bench): Promise<void> {
  await bench.query(`
    CREATE SCHEMA soak;
    CREATE TABLE soak.claims AS SELECT ticket, runner, epoch, claimed_at FROM beadsmith_1.claims WITH NO DATA;
    CREATE FUNCTION soak.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO soak.claims VALUES (NEW.ticket, NEW.runner, NEW.epoch, NEW.claimed_at); RETURN NEW;
    END $$;
    CREATE TRIGGER soak_claims AFTER INSERT OR UPDATE ON beadsmith_1.claims
      FOR EACH ROW WHEN (NEW.runner <> '') EXECUTE FUNCTION soak.note();`);
}

/** The tickets that a runner has, and the moment from which it counts as gone. Ask once it is killed. */
export async function killedRunner(bench: Bench, runner: string, silentMs: number): Promise<Killed> {
  const [row] = await bench.query<{ seen: string }>(
    `SELECT seen_at AS seen FROM beadsmith.runners WHERE id = '${runner}'`,
  );
  const claims = await bench.query<{ ticket: string }>(
    `SELECT ticket FROM beadsmith_1.claims WHERE runner = '${runner}'`,
  );
  return {
    runner,
    silentAt: Number(row?.seen ?? Date.now()) + silentMs,
    tickets: claims.map(({ ticket }) => ticket),
  };
}

export async function teamTimes(bench: Bench, killed: readonly Killed[]): Promise<TeamTimes> {
  // A claim without an entry of its own ended before it did anything.
  const begun = await bench.query<{ ms: number; moved: boolean }>(`
    SELECT CAST(min(journal.at) - claims.claimed_at AS FLOAT8) AS ms, claims.before <> claims.runner AS moved
      FROM (SELECT *, lag(runner, 1, runner) OVER (PARTITION BY ticket ORDER BY epoch) AS before
        FROM soak.claims) AS claims
      JOIN beadsmith_1.journal ON journal.ticket = claims.ticket AND journal.epoch = claims.epoch
      GROUP BY claims.ticket, claims.epoch, claims.claimed_at, claims.before, claims.runner`);
  const of = (isMoved: boolean): readonly number[] =>
    begun.filter(({ moved }) => moved === isMoved).map(({ ms }) => ms);
  const recovered: number[] = [];
  for (const { runner, silentAt, tickets } of killed) {
    if (tickets.length === 0) continue;
    const [next] = await bench.query<{ at: string }>(`
      SELECT max(taken.at) AS at FROM (
        SELECT min(after.claimed_at) AS at FROM soak.claims AS before
          JOIN soak.claims AS after ON after.ticket = before.ticket AND after.epoch > before.epoch
          WHERE before.runner = '${runner}' AND before.ticket = ANY('{${tickets.join(',')}}')
            AND before.epoch = (SELECT max(epoch) FROM soak.claims AS last
              WHERE last.ticket = before.ticket AND last.runner = before.runner)
          GROUP BY before.ticket) AS taken`);
    recovered.push(Math.max(0, Number(next?.at ?? Infinity) - silentAt));
  }
  return { starts: of(false), moves: of(true), recovered };
}
