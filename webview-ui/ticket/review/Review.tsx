import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { Review as ReviewFacts, TestRow, TicketState } from '../../../src/protocol/pages/ticket.ts';
import { Button, Icon } from '../../base/elements.tsx';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import { BeadReviews } from './BeadReviews.tsx';
import { ChangedFiles } from './ChangedFiles.tsx';
import { Evidence } from './Evidence.tsx';
import { duration } from '../../base/format.ts';
import { Loading } from '../shared/Loading.tsx';
import { LongText } from '../shared/LongText.tsx';
import type { Tools } from '../shared/tools.ts';
import { useLoaded } from '../shared/useLoaded.ts';

interface ReviewProps {
  readonly state: TicketState;
  readonly page: Tools;
  readonly canAct: boolean;
}

/**
 * Shows what a reviewer needs. Beads are reviewed as soon as they are done; the rest comes with the pull
 * request.
 */
export function Review({ state, page, canAct }: ReviewProps) {
  const { beads, beadActions, hasReview, stamp } = state;
  const work = (
    <>
      <BeadReviews beads={beads} actions={beadActions} page={page} canAct={canAct} />
      <Evidence page={page} stamp={stamp} canAct={canAct} />
      <ChangedFiles page={page} stamp={stamp} />
    </>
  );
  return hasReview ? (
    <Delivery page={page} stamp={stamp}>
      {work}
    </Delivery>
  ) : (
    work
  );
}

interface DeliveryProps {
  readonly page: Tools;
  readonly stamp: string;
  /** Stands below what the pull request says. */
  readonly children: ComponentChildren;
}

/** Shows what the pull request says, how it was tested, and what isn't in it. */
function Delivery({ page, stamp, children }: DeliveryProps) {
  const { value, failure } = useLoaded(page, 'review', {}, stamp);
  if (!value)
    return (
      <>
        <Loading failure={failure} />
        {children}
      </>
    );
  return (
    <>
      <PullRequest review={value} page={page} />
      {children}
      <Tests title={l10n.t('Final test')} tests={value.tests} />
      {value.regression.length > 0 && (
        <Tests title={l10n.t('Full test suite (informational)')} tests={value.regression} />
      )}
      {value.leftOut.length > 0 && (
        <section>
          <h2>{l10n.t('Excluded files')}</h2>
          <p class="quiet">
            {l10n.t(
              'These files appeared during coding and look generated, so they are excluded from the commits.',
            )}
          </p>
          <ul>
            {value.leftOut.map(({ bead, path }) => (
              <li key={`${bead} ${path}`} class="wrap">
                <span class="code">{path}</span> <span class="quiet">{bead}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function PullRequest({ review, page }: { readonly review: ReviewFacts; readonly page: Tools }) {
  const { send, failure, dismiss } = useRequest(page, 'showArtifact');
  return (
    <section>
      <h2>{review.title}</h2>
      <p class="quiet wrap">
        <span class="code">{l10n.t('{0} into {1}', review.branch, review.base)}</span>
        {review.location !== '' && ` · ${review.location}`}
      </p>
      <div class="card plain">{review.body}</div>
      <Button secondary icon="go-to-file" onClick={() => void send({ artifact: 'pull_request_report' })}>
        {l10n.t('Open Document')}
      </Button>
      <Failure failure={failure} onDismiss={dismiss} />
    </section>
  );
}

function Tests({ title, tests }: { readonly title: string; readonly tests: readonly TestRow[] }) {
  return (
    <section>
      <h2>{title}</h2>
      {tests.length === 0 && <p class="quiet">{l10n.t('No final test yet.')}</p>}
      <ul class="rows">
        {tests.map((test, index) => (
          <li key={index}>
            <Icon name={test.passed ? 'pass' : 'error'} />
            <details class="grow">
              <summary>
                <span class="code">{test.command}</span>{' '}
                <span class={test.passed ? 'quiet' : 'problem'}>
                  {test.passed
                    ? l10n.t('passed')
                    : l10n.t('failed ({0})', test.timedOut ? l10n.t('timed out') : test.result)}{' '}
                  · {duration(test.durationMs)}
                </span>
              </summary>
              <LongText label={test.command} text={test.output === '' ? l10n.t('Empty.') : test.output} />
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
