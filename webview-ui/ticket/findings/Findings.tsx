import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import * as z from 'zod';
import type { FindingReview, FindingRow, TicketFindings } from '../../../src/protocol/pages/reviews.ts';
import { Button, PlainItems } from '../../base/elements.tsx';
import { count, whenWritten } from '../../base/format.ts';
import { Heading } from '../../base/headings.tsx';
import { useViewState } from '../../base/keptState.tsx';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import { type Acting, Empty, Heads, Loading, Table, type Tools, useLoaded } from '../shared/parts.tsx';
import { Finding } from './Finding.tsx';

const Filter = z.enum(['all', 'open', 'settled']);
type Filter = z.infer<typeof Filter>;

interface FindingsProps extends Acting {
  /** Changes whenever findings may have. */
  readonly stamp: string;
}

export function Findings({ page, stamp, canAct }: FindingsProps) {
  const [filter, choose] = useViewState<Filter>(page.viewState, 'findings', Filter, 'all');
  const [sent, setSent] = useState(0);
  const { value, failure } = useLoaded(page, 'findings', {}, `${stamp} ${String(sent)}`);
  if (!value) return <Loading failure={failure} />;
  const all = value.beads.flatMap(({ reviews }) => reviews.flatMap(({ findings }) => findings));
  const shown = value.beads.filter(
    ({ reviews }) =>
      filter === 'all' || reviews.some(({ findings }) => findings.some((one) => fits(one, filter))),
  );
  return (
    <>
      <FilterChoice filter={filter} choose={choose} all={all} />
      {value.beads.length === 0 && <Empty text={l10n.t('No beads have been reviewed yet.')} />}
      {value.beads.length > 0 && shown.length === 0 && (
        <Empty text={l10n.t('No finding matches the filter.')} />
      )}
      {shown.map((bead) => (
        <BeadFindings
          key={bead.bead}
          bead={bead}
          filter={filter}
          page={page}
          canAct={canAct}
          onSent={() => setSent((before) => before + 1)}
        />
      ))}
      <Reviewers reviewers={value.reviewers} />
      <Dismissals page={page} />
    </>
  );
}

/** Something is left to decide or to do. */
function isOpen({ state, decision }: FindingRow): boolean {
  return state === 'open' || (decision === null && (state === 'noted' || state === 'unfounded'));
}

function fits(finding: FindingRow, filter: Filter): boolean {
  return filter === 'all' || isOpen(finding) === (filter === 'open');
}

interface FilterChoiceProps {
  readonly filter: Filter;
  readonly choose: (filter: Filter) => void;
  readonly all: readonly FindingRow[];
}

function FilterChoice({ filter, choose, all }: FilterChoiceProps) {
  const titles: Readonly<Record<Filter, string>> = {
    all: l10n.t('All'),
    open: l10n.t('Open'),
    settled: l10n.t('Settled'),
  };
  return (
    <div class="row finding-filter" role="group" aria-label={l10n.t('Show findings')}>
      {Filter.options.map((one) => (
        <button
          key={one}
          type="button"
          class="toggle"
          aria-pressed={one === filter}
          onClick={() => choose(one)}
        >
          {l10n.t('{0} ({1})', titles[one], count(all.filter((finding) => fits(finding, one)).length))}
        </button>
      ))}
    </div>
  );
}

interface BeadFindingsProps extends Acting {
  readonly bead: TicketFindings['beads'][number];
  readonly filter: Filter;
  readonly onSent: () => void;
}

function BeadFindings({ bead: { title, reviews }, filter, page, canAct, onSent }: BeadFindingsProps) {
  return (
    <section aria-label={title}>
      <Heading>{title}</Heading>
      {reviews.map((review) => {
        const own = review.findings.filter((one) => fits(one, filter));
        if (own.length === 0 && filter !== 'all') return null;
        return (
          <article key={`${review.iteration} ${review.round}`} class="finding-review">
            <ReviewHead review={review} />
            <ul class="rows">
              {own.map((finding) => (
                <Finding key={finding.id} finding={finding} page={page} canAct={canAct} onSent={onSent} />
              ))}
            </ul>
          </article>
        );
      })}
    </section>
  );
}

function ReviewHead({
  review: { iteration, round, reviewer, at, checked, party, findings },
}: {
  readonly review: FindingReview;
}) {
  return (
    <>
      <Heading below={1}>
        {l10n.t('Iteration {0}, review {1}', iteration, round)}{' '}
        <span class="quiet">
          {l10n.t('by {0}', reviewer)}
          {` · ${whenWritten(at)}`}
          {findings.length === 0 && ` · ${l10n.t('nothing found')}`}
        </span>
      </Heading>
      {party && <PartyLine party={party} />}
      {checked.length > 0 && (
        <details class="finding-checked">
          <summary>{l10n.t('What was checked ({0})', count(checked.length))}</summary>
          <ul>
            <PlainItems of={checked} />
          </ul>
        </details>
      )}
    </>
  );
}

function PartyLine({
  party: { mode, participants, missing },
}: {
  readonly party: NonNullable<FindingReview['party']>;
}) {
  const names = participants.map(({ name, title }) => `${name} (${title})`).join(', ');
  const lacking = missing.map(({ id, reason }) => `${id}: ${reason}`).join('; ');
  return (
    <p class="quiet">
      {mode === 'solo' ? l10n.t('One session for all: {0}', names) : l10n.t('Party: {0}', names)}
      {lacking !== '' && ` · ${l10n.t('No answer from {0}', lacking)}`}
    </p>
  );
}

function Dismissals({ page }: { readonly page: Tools }) {
  const showing = useRequest(page, 'open');
  return (
    <div class="row">
      <Button secondary icon="circle-slash" onClick={() => void showing.send({ command: 'showDismissals' })}>
        {l10n.t('Show Dismissed Findings…')}
      </Button>
      <Failure of={showing} />
    </div>
  );
}

function Reviewers({ reviewers }: Pick<TicketFindings, 'reviewers'>) {
  if (reviewers.length === 0) return null;
  const title = l10n.t('Reviewers in this repository');
  return (
    <section aria-labelledby="reviewers">
      <Heading id="reviewers">{title}</Heading>
      <Table label={title}>
        <Heads
          texts={[l10n.t('Reviewer')]}
          numbers={[
            l10n.t('Reviews'),
            l10n.t('Raised'),
            l10n.t('Well-founded'),
            l10n.t('Confirmed'),
            l10n.t('Fixed'),
            l10n.t('Dismissed'),
          ]}
        />
        <tbody>
          {reviewers.map(({ reviewer, reviews, raised, founded, confirmed, fixed, dismissed }) => (
            <tr key={reviewer}>
              <th scope="row" class="code">
                {reviewer}
              </th>
              {[reviews, raised, founded, confirmed, fixed, dismissed].map((number, index) => (
                <td key={index} class="number">
                  {count(number)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
