import * as z from 'zod';
import { isRecord } from '../../../base/json.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { Dismissal, type DismissedClaim } from '../../../domain/findings/dismissal.ts';
import { damageIn, parseJson } from '../sql/rows.ts';
import type { Database } from '../sql/database.ts';

const Row = z.object({
  number: z.number(),
  revision: z.number(),
  ticket: z.string(),
  finding: z.string(),
  body: z.string(),
});
const ClaimRow = z.object({ number: z.number(), finding: z.string(), body: z.string() });

/** Oldest first, without damaged ones and those of newer versions. */
export function readDismissals(database: Database): readonly Dismissal[] {
  return database.all('SELECT * FROM dismissals ORDER BY number').flatMap((row) => {
    try {
      const { body, ...columns } = Row.parse(row);
      return [Dismissal.parse({ ...(parseJson(body) as object), ...columns })];
    } catch (error) {
      if (damageIn(error) === undefined) throw error;
      return [];
    }
  });
}

export function claimsOf(database: Database, ticket: string): ReadonlyMap<string, readonly unknown[]> {
  const rows = database.rows(
    ClaimRow,
    'SELECT number, finding, body FROM dismissals WHERE ticket = ? ORDER BY number',
    ticket,
  );
  return new Map(rows.map(({ number, finding, body }) => [String(number), [finding, claimIn(body)]]));
}

/** As text: what it covers is in hash chains. A text that is no JSON is taken as it is. */
function claimIn(body: string): string {
  try {
    const parsed = parseJson(body);
    const { file = null, category = null, claim = null } = isRecord(parsed) ? parsed : {};
    return JSON.stringify([file, category, claim]);
  } catch {
    return body;
  }
}

/** Call it in a transaction. A finding dismissed again keeps its number. */
export function putDismissal(
  database: Database,
  ticket: string,
  finding: string,
  claim: DismissedClaim | null,
): void {
  if (claim === null) {
    database.run('DELETE FROM dismissals WHERE ticket = ? AND finding = ?', ticket, finding);
    return;
  }
  database.run(
    `INSERT INTO dismissals (ticket, finding, revision, body) VALUES (?1, ?2, 1, ?3)
     ON CONFLICT (ticket, finding) DO UPDATE SET revision = dismissals.revision + 1, body = ?3`,
    ticket,
    finding,
    JSON.stringify(claim),
  );
}

/** Call it in a transaction. The second of two editors gets EDIT_CONFLICT. */
export function editDismissal(
  database: Database,
  { number, revision, reason }: Pick<Dismissal, 'number' | 'revision' | 'reason'>,
): Dismissal {
  const stored = readDismissals(database).find((dismissal) => dismissal.number === number);
  if (!stored) throw new BeadsmithError('DISMISSAL_UNKNOWN', { number });
  if (stored.revision !== revision)
    throw new BeadsmithError('EDIT_CONFLICT', { artifact: `Dismissal ${number}` });
  const changed = { ...stored, reason, revision: revision + 1 };
  const { category, file, claim, at } = changed;
  const body: DismissedClaim = { category, file, claim, at, reason };
  database.run(
    'UPDATE dismissals SET revision = ?, body = ? WHERE number = ?',
    changed.revision,
    JSON.stringify(body),
    number,
  );
  return changed;
}

/** Call it in a transaction. */
export function deleteDismissal(database: Database, number: number): void {
  if (database.run('DELETE FROM dismissals WHERE number = ?', number) === 0)
    throw new BeadsmithError('DISMISSAL_UNKNOWN', { number });
}
