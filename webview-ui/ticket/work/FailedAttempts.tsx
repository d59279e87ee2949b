import * as l10n from '@vscode/l10n';
import type { ShownAttempt } from '../../../src/protocol/shownAttempt.ts';
import { Icon } from '../../base/elements.tsx';
import { Heading } from '../../base/headings.tsx';
import { DiffButton, FailedTests, Loading, LongText, type Tools, useLoaded } from '../shared/parts.tsx';

interface FailedAttemptsProps {
  readonly page: Tools;
  readonly stamp: string;
}

/** The references that keep what they left are among the details. */
export function FailedAttempts({ page, stamp }: FailedAttemptsProps) {
  const { value, failure } = useLoaded(page, 'failures', {}, stamp);
  return (
    <section aria-labelledby="failures">
      <Heading id="failures">{l10n.t('Failed attempts')}</Heading>
      {!value && <Loading failure={failure} />}
      <ul class="rows">
        {value?.map((attempt, index) => (
          // Numbers start again with each retry.
          <Attempt key={value.length - index} attempt={attempt} page={page} />
        ))}
      </ul>
    </section>
  );
}

export function attemptName({ of, bead, iteration }: ShownAttempt): string {
  if (bead !== null) return l10n.t('{0}, iteration {1}', bead, iteration);
  return of === 'setup'
    ? l10n.t('Setup, attempt {0}', iteration)
    : l10n.t('Final test, attempt {0}', iteration);
}

function Attempt({ attempt, page }: { readonly attempt: ShownAttempt; readonly page: Tools }) {
  const { bead, iteration, interrupted, advice, tests, output, note, ref } = attempt;
  const name = attemptName(attempt);
  const reason = attempt.reason || (interrupted ? l10n.t('interrupted') : l10n.t('failed'));
  return (
    <li class="attempt">
      <Icon name="warning" />
      <details class="grow">
        <summary>
          <span class="quiet">{name}:</span> <span class="wrap">{reason}</span>
        </summary>
        {advice !== '' && <p>{advice}</p>}
        <FailedTests tests={tests} />
        {output !== '' && <LongText label={l10n.t('Details of {0}', name)} text={output} />}
        {note !== '' && (
          <>
            <Heading below={1}>{l10n.t('Note for the next attempt')}</Heading>
            <LongText label={l10n.t('Note of {0}', name)} text={note} />
          </>
        )}
      </details>
      {bead !== null && ref !== '' && <DiffButton bead={bead} iteration={iteration} page={page} />}
    </li>
  );
}
