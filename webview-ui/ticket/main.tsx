import '../base/page.css';
import './ticket.css';
import './documents/documents.css';
import './documents/form/form.css';
import './documents/beads/beads.css';
import './interview/interview.css';
import './findings/findings.css';
import './lists.css';
import './tables.css';
import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import { PagePart, ticketPage, type TicketState } from '../../src/protocol/pages/ticket.ts';
import { usePrimaryKey } from '../base/elements.tsx';
import { Below, Heading } from '../base/headings.tsx';
import { useDraftSaveKey } from '../base/keptState.tsx';
import { type PageProps, startPage, useHints } from '../base/page.tsx';
import { Details } from './details/Details.tsx';
import { Findings } from './findings/Findings.tsx';
import { Now } from './now/Now.tsx';
import { Plan } from './plan/Plan.tsx';
import { type PlanFact, planText } from './plan/planText.ts';
import { QaChecklist } from './qa/QaChecklist.tsx';
import { Review } from './review/Review.tsx';
import { useEstimate } from './shared/estimate.ts';
import { Fold } from './shared/Fold.tsx';
import { type Activity, isSpeech, withHint } from './shared/lists.ts';
import { useOpenParts } from './shared/opened.ts';
import { type Contract, Empty, type TicketProps } from './shared/parts.tsx';

import { Work } from './work/Work.tsx';

/** The part that matters now is open, and the rest is a line each. */
function TicketView({ state, refusal, page }: PageProps<Contract>) {
  const [activity, setActivity] = useState<readonly Activity[]>([]);
  const [news, tell] = useNews();
  useHints<Contract>(page, (hint) => {
    setActivity((list) => withHint(list, hint));
    if (!isSpeech(hint)) tell();
    // Tools and steps would never let a screen reader finish; what moves the ticket is worth a word.
    if (hint.kind === 'bead' || hint.kind === 'status' || hint.kind === 'retry') page.announce(hint.text);
  });
  useEffect(() => page.draftStore.drop((key) => isGone(key, state)), [state]);
  useDraftSaveKey(page);
  usePrimaryKey();
  const parts = useOpenParts(page.viewState, 'parts', state.due);
  useEffect(() => {
    const listening = page.onShow((part) => {
      if (PagePart.safeParse(part).success) parts.show(part);
    });
    return () => listening.dispose();
  });
  const estimate = useEstimate(page, state.head.mood);
  const shared = { state, page, canAct: refusal === '' };
  const done = state.beads.filter(({ status }) => status === 'done').length;
  return (
    <main>
      <Now {...shared} parts={parts} estimate={estimate} />
      <Fold
        list="parts"
        part="plan"
        parts={parts}
        title={l10n.t('Plan')}
        summary={<PlanFacts facts={planText(state, estimate)} />}
      >
        {() => <Plan {...shared} />}
      </Fold>
      <Fold
        list="parts"
        part="work"
        parts={parts}
        title={l10n.t('Work')}
        summary={state.beads.length > 0 && l10n.t('{0} of {1} beads done', done, state.beads.length)}
      >
        {() => <Work {...shared} activity={activity} />}
      </Fold>
      <Fold list="parts" part="review" parts={parts} title={l10n.t('Review')} summary={reviewText(state)}>
        {() => <ReviewPart {...shared} />}
      </Fold>
      <Fold list="parts" part="details" parts={parts} title={l10n.t('Details')}>
        {() => <Details {...shared} news={news} />}
      </Fold>
    </main>
  );
}

function PlanFacts({ facts }: { readonly facts: readonly PlanFact[] }) {
  return (
    <>
      {facts.map((fact, place) => (
        <>
          {place > 0 && ', '}
          {typeof fact === 'string' ? fact : <code>{fact.command}</code>}
        </>
      ))}
    </>
  );
}

function ReviewPart({ state, page, canAct }: TicketProps) {
  const { qa, hasReview, hasFindings, beads } = state;
  const isReviewed = hasReview || beads.some(({ diff }) => diff !== null);
  return (
    <>
      {qa && <QaChecklist key={qa.round} checklist={qa} page={page} canAct={canAct} />}
      {!isReviewed && !hasFindings && !qa && (
        <Empty text={l10n.t('Nothing to review yet. Changes appear here as beads are done.')} />
      )}
      {isReviewed && <Review state={state} page={page} canAct={canAct} />}
      {hasFindings && (
        <section aria-labelledby="findings">
          <Heading id="findings">{l10n.t('Findings')}</Heading>
          <Below>
            <Findings page={page} stamp={`${state.stamp} ${findingStamp(state)}`} canAct={canAct} />
          </Below>
        </section>
      )}
    </>
  );
}

/** A draft about something that nobody asks any more. */
function isGone(key: string, { requests, qa }: TicketState): boolean {
  if (key.startsWith('request-')) return requests.every(({ id }) => key !== `request-${id}`);
  return key.startsWith('qa-') && key !== `qa-${String(qa?.round)}`;
}

/** Beads and their counts decide what findings say and offer, beside the documents. */
function findingStamp({ beads, head, actions }: TicketState): string {
  return JSON.stringify([
    head.label,
    actions.length,
    beads.map(({ status, iteration, findings }) => [status, iteration, findings]),
  ]);
}

/** The findings that wait to be fixed, else the beads that a person accepted. */
function reviewText({ beads }: TicketState): string {
  const open = beads.reduce((sum, { findings }) => sum + findings.open, 0);
  if (open > 0)
    return open === 1 ? l10n.t('1 finding to be fixed') : l10n.t('{0} findings to be fixed', open);
  const done = beads.filter(({ status }) => status === 'done');
  if (done.length === 0) return '';
  const accepted = done.filter(({ review }) => review?.verdict === 'accepted' && review.isPresent).length;
  return l10n.t('{0} of {1} beads accepted', accepted, done.length);
}

/** Work progresses many times a second; data is loaded again at most this often. */
const everyMs = 1_000;

/** A number that rises once for everything that was told within a second. */
function useNews(): readonly [news: number, tell: () => void] {
  const [news, setNews] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const tell = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setNews((before) => before + 1);
    }, everyMs);
  };
  return [news, tell];
}

startPage(ticketPage, TicketView);
