import { BeadsmithError } from '../../domain/core/errors.ts';
import type { AlteredRow, Store } from '../ports/storePort.ts';

const mostNamed = 5;

/**
 * Throws ROWS_ALTERED or JOURNAL_BROKEN if rows or journal were changed
 * (docs/decisions/166-the-chain-covers-rows.md).
 */
export async function refuseAltered(store: Pick<Store, 'altered'>, ticket: string): Promise<void> {
  const altered = await store.altered(ticket);
  const broken = altered.find((one) => 'brokenAt' in one);
  if (broken) throw new BeadsmithError('JOURNAL_BROKEN', { ticket, seq: broken.brokenAt });
  if (altered.length > 0) throw new BeadsmithError('ROWS_ALTERED', { ticket, rows: namesOf(altered) });
}

/** The altered rows of a ticket, for people. */
export async function alteredRows(store: Pick<Store, 'altered'>, ticket: string): Promise<string> {
  return namesOf(await store.altered(ticket));
}

function namesOf(altered: readonly AlteredRow[]): string {
  const names = altered.map((one) => ('row' in one ? one.row : `journal: entry ${String(one.brokenAt)}`));
  const more = names.length > mostNamed ? [`${String(names.length - mostNamed)} more`] : [];
  return [...names.slice(0, mostNamed), ...more].join(', ');
}
