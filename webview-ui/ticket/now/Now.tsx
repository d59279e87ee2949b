import * as l10n from '@vscode/l10n';
import { joined } from '../../../src/base/joined.ts';
import type { TicketState } from '../../../src/protocol/pages/ticket.ts';
import { Icon } from '../../base/elements.tsx';
import { cost, costRange, count, countRange, when } from '../../base/format.ts';
import { Requests } from '../requests/Requests.tsx';
import type { OpenParts } from '../shared/opened.ts';
import { type TicketProps, useLoaded } from '../shared/parts.tsx';
import type { Estimate } from '../shared/estimate.ts';
import { Actions } from './Actions.tsx';
import { Blocked } from './Blocked.tsx';
import { nowText } from './nowText.ts';

const icons: Readonly<Record<TicketState['head']['mood'], string>> = {
  draft: 'circle-outline',
  working: 'loading',
  waiting: 'bell',
  blocked: 'error',
  done: 'pass',
  canceled: 'circle-slash',
};

interface NowProps extends TicketProps {
  readonly parts: OpenParts;
  readonly estimate: Estimate | undefined;
}

/** Says what happens or what is needed, with the button that leads on. It is always there. */
export function Now({ state, page, canAct, parts, estimate }: NowProps) {
  const { head, error, actions } = state;
  return (
    <header class="now">
      <h1>
        <span class="quiet">{head.id}</span> {head.title}
      </h1>
      <p class={`status status-${head.mood}`}>
        <Icon name={icons[head.mood]} spin={head.mood === 'working' && !head.hold} /> {nowText(state)}
        {head.hold && (
          <span class="hold">
            <Icon name={head.hold.until === null ? 'debug-pause' : 'watch'} />{' '}
            {l10n.t('{0} since {1}.', head.hold.name, when(head.hold.since))}{' '}
            {head.hold.until !== null && l10n.t('Continues at {0}.', when(head.hold.until))}{' '}
            {/* What an agent asks stands below, whole. */}
            {state.requests.length === 0 && !error?.isPaused && head.hold.detail}
          </span>
        )}
      </p>
      {head.isLoop && (
        <p class="quiet">
          <Icon name="sync" /> {l10n.t('Loop: its description is the prompt, and no model plans it.')}
        </p>
      )}
      <Costs state={state} page={page} estimate={estimate} />
      {head.forgeNews.map((text) => (
        <p class="caution" key={text}>
          <Icon name="github" /> <span>{text}</span>
        </p>
      ))}
      {[head.unsandboxed, ...head.nearCaps, ...head.cacheMisses]
        .filter((text) => text !== '')
        .map((text) => (
          <p class="caution" key={text}>
            <Icon name={text === head.unsandboxed ? 'shield' : 'warning'} /> <span>{text}</span>
          </p>
        ))}
      {error && <Blocked error={error} offers={actions} page={page} canAct={canAct} parts={parts} />}
      {canAct && !error && <Actions offers={actions} page={page} parts={parts} />}
      <Requests requests={state.requests} page={page} canAct={canAct} />
    </header>
  );
}

/** Nothing is shown of what isn't known. */
function Costs({ state: { head, stamp }, page, estimate }: Pick<NowProps, 'state' | 'page' | 'estimate'>) {
  const { value: spent } = useLoaded(page, 'effort', {}, stamp);
  if (!spent) return null;
  const soFar =
    spent.calls === 0
      ? ''
      : l10n.t(
          'So far: {0}',
          joined(
            [
              spent.calls === 1 ? l10n.t('1 call') : l10n.t('{0} calls', count(spent.calls)),
              spent.money === null ? '' : cost(spent.money),
            ],
            ', ',
          ),
        );
  const isOver = head.mood === 'done' || head.mood === 'canceled';
  const expected =
    estimate && !isOver
      ? l10n.t(
          'Estimate: {0}',
          joined(
            [
              l10n.t('{0} calls', countRange(estimate.calls)),
              estimate.money === null ? '' : costRange(estimate.money),
            ],
            ', ',
          ),
        )
      : '';
  const text = joined([soFar, expected]);
  return text === '' ? null : <p class="quiet costs">{text}</p>;
}
