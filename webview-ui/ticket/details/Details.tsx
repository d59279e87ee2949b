import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { TicketState } from '../../../src/protocol/pages/ticket.ts';
import { type Tab, Tabs } from '../../base/elements.tsx';
import { useViewState } from '../../base/keptState.tsx';
import { Calls } from '../calls/Calls.tsx';
import { Tokens } from '../calls/Tokens.tsx';
import { Councils } from '../history/Councils.tsx';
import { Timeline } from '../history/Timeline.tsx';
import { Matrix } from '../links/Matrix.tsx';
import { Logs } from '../logs/Logs.tsx';
import type { TicketProps } from '../shared/parts.tsx';
import { About } from './About.tsx';

const TabName = z.enum(['about', 'timeline', 'council', 'links', 'logs', 'calls', 'tokens']);
type TabName = z.infer<typeof TabName>;

interface DetailsProps extends TicketProps {
  /** Rises when something happened. */
  readonly news: number;
}

export function Details({ state, page, canAct, news }: DetailsProps) {
  const [chosen, choose] = useViewState<TabName>(page.viewState, 'tab', TabName, 'about');
  const tabs = tabsOf(state);
  const shown = tabs.some(({ key }) => key === chosen) ? chosen : 'about';
  return (
    <Tabs label={l10n.t('Details')} tabs={tabs} chosen={shown} onChoose={choose}>
      {shown === 'about' && <About state={state} page={page} />}
      {shown === 'timeline' && (
        <Timeline bands={state.bands} page={page} hasPasses={state.hasPasses} stamp={state.stamp} />
      )}
      {shown === 'council' && <Councils page={page} stamp={state.stamp} />}
      {shown === 'links' && <Matrix page={page} stamp={state.stamp} />}
      {shown === 'logs' && <Logs page={page} models={state.head.models} news={news} />}
      {shown === 'calls' && (
        <Calls page={page} canSteer={canAct && state.canSteer} stamp={state.stamp} news={news} />
      )}
      {shown === 'tokens' && <Tokens page={page} news={`${state.stamp} ${String(news)}`} />}
    </Tabs>
  );
}

function tabsOf({ beads, councils }: TicketState): readonly Tab<TabName>[] {
  return [
    { key: 'about', title: l10n.t('About') },
    { key: 'timeline', title: l10n.t('Timeline') },
    ...(councils.length > 0 ? [{ key: 'council', title: l10n.t('Council') } as const] : []),
    ...(councils.length + beads.length > 0 ? [{ key: 'links', title: l10n.t('Traceability') } as const] : []),
    { key: 'logs', title: l10n.t('Logs') },
    { key: 'calls', title: l10n.t('Model Calls') },
    { key: 'tokens', title: l10n.t('Tokens') },
  ];
}
