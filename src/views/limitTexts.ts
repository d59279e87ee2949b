import { l10n } from 'vscode';
import { isTime, type LimitName, writtenLimit } from '../domain/limits.ts';

/** What people call a limit, and what it means. */
export function limitText(name: LimitName): { readonly label: string; readonly detail: string } {
  return texts()[name];
}

/** A limit's value with its unit. */
export function limitValueText(name: LimitName, value: number): string {
  const written = writtenLimit(name, value).toLocaleString();
  if (value === 0 && isTime(name)) return l10n.t('one hour');
  if (value === 0 && name === 'tokenCap') return l10n.t('no cap');
  return isTime(name) ? l10n.t('{0} s', written) : written;
}

function texts(): Readonly<Record<LimitName, { readonly label: string; readonly detail: string }>> {
  return {
    maxIterations: {
      label: l10n.t('Iterations'),
      detail: l10n.t('How often a bead, the preparation or the final test is tried again after its first failure. 0: once in all.'),
    },
    perIterationTimeout: {
      label: l10n.t('Time of one iteration'),
      detail: l10n.t('Seconds one iteration of a bead, or one try of the final test, may take. 0: one hour.'),
    },
    maxContinuations: {
      label: l10n.t('Keep-working prompts'),
      detail: l10n.t('How often an agent that stops too early is asked to go on, in one iteration.'),
    },
    commandTimeout: {
      label: l10n.t('Time of one command'),
      detail: l10n.t('Seconds one of Beadsmith’s own commands may take, such as a bead’s test. 0: one hour.'),
    },
    executionSetupTimeout: {
      label: l10n.t('Time of the preparation'),
      detail: l10n.t('Seconds the preparation of the environment may take. 0: one hour.'),
    },
    councilResponseTimeout: {
      label: l10n.t('Time of one answer'),
      detail: l10n.t('Seconds one answer may take while it is planned and delivered. 0: one hour.'),
    },
    opencodeRetryLimit: {
      label: l10n.t('Tries of a provider'),
      detail: l10n.t('How often a provider that is busy is tried again before the ticket blocks.'),
    },
    opencodeRetryDelay: {
      label: l10n.t('Time of trying a provider'),
      detail: l10n.t('Seconds of such trying without progress before the ticket blocks. 0: one hour.'),
    },
    tokenCap: {
      label: l10n.t('Tokens of the ticket'),
      detail: l10n.t('How many tokens the ticket may use in all; it blocks before the next call. 0: no cap. Holds at once.'),
    },
    tokenBudget: {
      label: l10n.t('Tokens of one prompt'),
      detail: l10n.t('How long one prompt may be. What exceeds that is shortened.'),
    },
  };
}
