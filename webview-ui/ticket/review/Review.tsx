import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { passed } from '../../../src/domain/core/evidence.ts';
import type { Review as ReviewFacts, TestRow } from '../../../src/protocol/pages/ticket.ts';
import { Button, Icon } from '../../base/elements.tsx';
import { duration } from '../../base/format.ts';
import { Heading } from '../../base/headings.tsx';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import { Loading, LongText, RunButton, type TicketProps, useLoaded } from '../shared/parts.tsx';
import { Facts } from '../shared/Facts.tsx';
import { BeadReviews } from './BeadReviews.tsx';
import { Evidence } from './Evidence.tsx';
import { Threads } from './Threads.tsx';

export function Review({ state, page, canAct }: TicketProps) {
  const { beads, beadActions, hasReview, stamp } = state;
  const work = {
    beads: <BeadReviews beads={beads} actions={beadActions} stamp={stamp} page={page} canAct={canAct} />,
    evidence: <Evidence beads={beads} page={page} stamp={stamp} canAct={canAct} />,
  };
  if (hasReview) return <Delivery state={state} page={page} canAct={canAct} {...work} />;
  return (
    <>
      {work.beads}
      {work.evidence}
    </>
  );
}

interface DeliveryProps extends TicketProps {
  readonly beads: ComponentChildren;
  readonly evidence: ComponentChildren;
}

function Delivery({ state, page, canAct, beads, evidence }: DeliveryProps) {
  const { value, failure } = useLoaded(page, 'review', {}, state.stamp);
  if (!value)
    return (
      <>
        <Loading failure={failure} />
        {beads}
        {evidence}
      </>
    );
  return (
    <>
      <PullRequest review={value} state={state} page={page} canAct={canAct} />
      {beads}
      <Threads rows={value.threads} left={value.threadsLeft} page={page} canAct={canAct} />
      {evidence}
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
    </>
  );
}

const publishing = new Set(['createPullRequest', 'updatePullRequest']);

function PullRequest({ review, state, page, canAct }: TicketProps & { readonly review: ReviewFacts }) {
  const showing = useRequest(page, 'open');
  // What is wrong with it stands at the top of the page.
  const facts = state.head.facts.filter(
    ({ isOfForge, name }) => isOfForge === true && name !== 'pullRequestNews',
  );
  const create = canAct ? state.actions.find(({ name }) => publishing.has(name)) : undefined;
  return (
    <section>
      <Heading>{l10n.t('Pull request')}</Heading>
      <p class="quiet wrap">
        <span class="code">{l10n.t('{0} into {1}', review.branch, review.base)}</span>
      </p>
      {facts.length > 0 && (
        <dl class="facts stacked">
          <Facts facts={facts} />
        </dl>
      )}
      <details>
        <summary class="wrap">{review.title}</summary>
        <div class="card plain pull-request">{review.body}</div>
      </details>
      <div class="row">
        <Button
          secondary
          icon="open-preview"
          onClick={() => void showing.send({ command: 'showArtifact', artifact: 'pull_request_report' })}
        >
          {l10n.t('Open Preview')}
        </Button>
        {create && (
          <RunButton command={create.name} icon={create.icon} page={page}>
            {create.label}
          </RunButton>
        )}
      </div>
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
            <Icon name={passed(test) ? 'pass' : 'error'} />
            <details class="grow">
              <summary>
                <span class="code">{test.command}</span>{' '}
                <span class={passed(test) ? 'quiet' : 'problem'}>
                  {passed(test)
                    ? l10n.t('passed')
                    : l10n.t(
                        'failed ({0})',
                        test.timedOut ? l10n.t('timed out') : (test.signal ?? test.exitCode ?? ''),
                      )}{' '}
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
