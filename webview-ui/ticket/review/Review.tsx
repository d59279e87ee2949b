import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { Review as ReviewFacts, TestRow } from '../../../src/protocol/pages/ticket.ts';
import { Button, Icon } from '../../base/elements.tsx';
import { duration } from '../../base/format.ts';
import { Heading } from '../../base/headings.tsx';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import { Loading, LongText, type TicketProps, type Tools, useLoaded } from '../shared/parts.tsx';
import { BeadReviews } from './BeadReviews.tsx';
import { Evidence } from './Evidence.tsx';
import { Threads } from './Threads.tsx';

export function Review({ state, page, canAct }: TicketProps) {
  const { beads, beadActions, hasReview, stamp } = state;
  const work = (
    <>
      <BeadReviews beads={beads} actions={beadActions} stamp={stamp} page={page} canAct={canAct} />
      <Evidence beads={beads} page={page} stamp={stamp} canAct={canAct} />
    </>
  );
  return hasReview ? (
    <Delivery page={page} stamp={stamp} canAct={canAct}>
      {work}
    </Delivery>
  ) : (
    work
  );
}

interface DeliveryProps {
  readonly page: Tools;
  readonly canAct: boolean;
  readonly stamp: string;
  /** Stands above the pull request. */
  readonly children: ComponentChildren;
}

function Delivery({ page, stamp, canAct, children }: DeliveryProps) {
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
      <p class="quiet wrap">
        <span class="code">{l10n.t('{0} into {1}', value.branch, value.base)}</span>
      </p>
      {children}
      <Threads rows={value.threads} left={value.threadsLeft} page={page} canAct={canAct} />
      <Tests title={l10n.t('Final test')} tests={value.tests} />
      {value.regression.length > 0 && (
        <Tests title={l10n.t('Full test suite (informational)')} tests={value.regression} />
      )}
      {value.leftOut.length > 0 && (
        <section>
          <Heading>{l10n.t('Excluded files')}</Heading>
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
      <PullRequest review={value} page={page} />
    </>
  );
}

function PullRequest({ review, page }: { readonly review: ReviewFacts; readonly page: Tools }) {
  const showing = useRequest(page, 'open');
  return (
    <section>
      <Heading>{l10n.t('Pull request')}</Heading>
      {/* A file of the state folder has a button of its own. */}
      {/^https?:/.test(review.location) && <p class="quiet wrap">{review.location}</p>}
      <details>
        <summary class="wrap">{review.title}</summary>
        <div class="card plain pull-request">{review.body}</div>
      </details>
      <Button
        secondary
        icon="open-preview"
        onClick={() => void showing.send({ command: 'showArtifact', artifact: 'pull_request_report' })}
      >
        {l10n.t('Open Preview')}
      </Button>
      <Failure of={showing} />
    </section>
  );
}

function Tests({ title, tests }: { readonly title: string; readonly tests: readonly TestRow[] }) {
  return (
    <section>
      <Heading>{title}</Heading>
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
