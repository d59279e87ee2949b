import { l10n } from 'vscode';
import type { Client } from '../../protocol/api.ts';
import { type FailedAttempt as StoredAttempt, readFailures } from '../../protocol/failures.ts';
import type { FailedAttempt } from '../../protocol/pages/ticket.ts';
import { failureWords } from '../shared/errorText.ts';

/** More of them make a page slow, and the newest are those that people look for. */
const mostAttempts = 50;

/** What failed, the newest first, as the page shows it. */
export async function failedAttempts(client: Client, ticket: string): Promise<FailedAttempt[]> {
  return (await readFailures(client, ticket)).slice(-mostAttempts).toReversed().map(shown);
}

function shown({ of, bead, iteration, interrupted, failure, note, ref }: StoredAttempt): FailedAttempt {
  const { reason, advice } = failure
    ? failureWords(failure)
    : { reason: interrupted ? l10n.t('interrupted') : l10n.t('failed'), advice: '' };
  return {
    name: nameOf(of, bead, iteration),
    bead,
    iteration,
    reason,
    advice,
    tests: failure?.tests ?? [],
    output: failure?.output ?? '',
    note,
    ref,
  };
}

function nameOf(of: StoredAttempt['of'], bead: string | null, number: number): string {
  if (bead !== null) return l10n.t('{0}, iteration {1}', bead, number);
  return of === 'setup' ? l10n.t('Setup, attempt {0}', number) : l10n.t('Final test, attempt {0}', number);
}
