import '../base/page.css';
import './ticket.css';
import './findings/findings.css';
import './lists.css';
import './tables.css';
import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import * as z from 'zod';
import { ticketPage, type TicketState } from '../../src/protocol/pages/ticket.ts';
import { type Tab, Tabs } from '../base/elements.tsx';
import { announceDraft, useSaveKey, useViewState } from '../base/keptState.tsx';
import { type PageProps, startPage, useHints } from '../base/page.tsx';
import { Calls } from './calls/Calls.tsx';
import { Tokens } from './calls/Tokens.tsx';
import { Findings } from './findings/Findings.tsx';
import { Header } from './header/Header.tsx';
import { Councils } from './history/Councils.tsx';
import { Timeline } from './history/Timeline.tsx';
import { Matrix } from './links/Matrix.tsx';
import { Logs } from './logs/Logs.tsx';
import { Overview } from './overview/Overview.tsx';
import { Requests } from './requests/Requests.tsx';
import { Review } from './review/Review.tsx';
import { type Activity, isSpeech, withHint } from './shared/lists.ts';
import type { Contract } from './shared/parts.tsx';

const TabName = z.enum([
  'overview',
  'review',
  'findings',
  'timeline',
  'council',
  'links',
  'logs',
  'calls',
  'tokens',
]);
type TabName = z.infer<typeof TabName>;

function TicketView({ state, refusal, page }: PageProps<Contract>) {
  const [chosen, choose] = useViewState<TabName>(page.viewState, 'tab', TabName, 'overview');
  const [activity, setActivity] = useState<readonly Activity[]>([]);
  const [news, tell] = useNews();
  useHints<Contract>(page, (hint) => {
    setActivity((list) => withHint(list, hint));
    if (!isSpeech(hint)) tell();
    // Tools and steps would never let a screen reader finish; what moves the ticket is worth a word.
    if (hint.kind === 'bead' || hint.kind === 'status' || hint.kind === 'retry') page.announce(hint.text);
  });
  useEffect(() => page.draftStore.drop((key) => isGone(key, state)), [state]);
  useSaveKey(() => void announceDraft(page));
  const tabs = tabsOf(state);
  const shown = tabs.some(({ key }) => key === chosen) ? chosen : 'overview';
  return (
    <main>
      <Header state={state} page={page} canAct={refusal === ''} />
      <Requests requests={state.requests} page={page} canAct={refusal === ''} />
      <Tabs label={l10n.t('Ticket sections')} tabs={tabs} chosen={shown} onChoose={choose}>
        {shown === 'overview' && (
          <Overview state={state} page={page} canAct={refusal === ''} activity={activity} />
        )}
        {shown === 'review' && <Review state={state} page={page} canAct={refusal === ''} />}
        {shown === 'findings' && (
          <Findings page={page} stamp={`${state.stamp} ${findingStamp(state)}`} canAct={refusal === ''} />
        )}
        {shown === 'timeline' && (
          <Timeline bands={state.bands} page={page} hasPasses={state.hasPasses} stamp={state.stamp} />
        )}
        {shown === 'council' && <Councils page={page} stamp={state.stamp} />}
        {shown === 'links' && <Matrix page={page} stamp={state.stamp} />}
        {shown === 'logs' && <Logs page={page} models={state.head.models} news={news} />}
        {shown === 'calls' && (
          <Calls page={page} canSteer={refusal === '' && state.canSteer} stamp={state.stamp} news={news} />
        )}
        {shown === 'tokens' && <Tokens page={page} news={`${state.stamp} ${news}`} />}
      </Tabs>
    </main>
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

function tabsOf({ hasReview, hasFindings, beads, councils }: TicketState): readonly Tab<TabName>[] {
  return [
    { key: 'overview', title: l10n.t('Overview') },
    ...(hasReview || beads.some(({ diff }) => diff !== null)
      ? [{ key: 'review', title: l10n.t('Review') } as const]
      : []),
    ...(hasFindings ? [{ key: 'findings', title: findingsTitle(beads) } as const] : []),
    { key: 'timeline', title: l10n.t('Timeline') },
    ...(councils.length > 0 ? [{ key: 'council', title: l10n.t('Council') } as const] : []),
    ...(councils.length + beads.length > 0 ? [{ key: 'links', title: l10n.t('Traceability') } as const] : []),
    { key: 'logs', title: l10n.t('Logs') },
    { key: 'calls', title: l10n.t('Model Calls') },
    { key: 'tokens', title: l10n.t('Tokens') },
  ];
}

/** With the number of findings that wait to be fixed. */
function findingsTitle(beads: TicketState['beads']): string {
  const open = beads.reduce((sum, { findings }) => sum + findings.open, 0);
  return open === 0 ? l10n.t('Findings') : l10n.t('Findings ({0})', open);
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
