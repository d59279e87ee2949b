import * as l10n from '@vscode/l10n';
import type { TicketState } from '../../../src/protocol/pages/ticket.ts';
import { Icon } from '../../base/elements.tsx';
import { Actions } from './Actions.tsx';
import { Blocked } from './Blocked.tsx';
import { when } from '../../base/format.ts';
import type { Tools } from '../shared/tools.ts';

const icons: Readonly<Record<TicketState['head']['mood'], string>> = {
  draft: 'circle-outline',
  working: 'loading',
  waiting: 'bell',
  blocked: 'error',
  done: 'pass',
  canceled: 'circle-slash',
};

export function Header({
  state,
  page,
  canAct,
}: {
  readonly state: TicketState;
  readonly page: Tools;
  readonly canAct: boolean;
}) {
  const { head, error, actions } = state;
  return (
    <header class="head">
      <h1>
        <span class="quiet">{head.id}</span> {head.title}
      </h1>
      <p class={`status status-${head.mood}`}>
        <Icon name={icons[head.mood]} spin={head.mood === 'working' && !head.hold} /> {head.label}
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
      <dl class="facts">
        <Fact name={l10n.t('Priority')} value={String(head.priority)} />
        <Fact
          name={l10n.t('Branch')}
          value={head.branch === null ? null : l10n.t('{0}, from {1}', head.branch, head.baseBranch ?? '?')}
          code
        />
        <Fact name={l10n.t('Worktree')} value={head.worktree} code />
        <Fact name={l10n.t('Models')} value={head.models.length === 0 ? null : head.models.join(', ')} code />
        <Fact name={l10n.t('Started')} value={head.startedAt === null ? null : when(head.startedAt)} />
      </dl>
      {head.unboxed !== '' && (
        <p class="unboxed">
          <Icon name="shield" /> <span>{head.unboxed}</span>
        </p>
      )}
      {[...head.nearCaps, ...head.cacheMisses].map((text) => (
        <p class="unboxed" key={text}>
          <Icon name="warning" /> <span>{text}</span>
        </p>
      ))}
      {error && <Blocked error={error} offers={actions} page={page} canAct={canAct} />}
      {canAct && !error && <Actions offers={actions} page={page} />}
    </header>
  );
}

/** Nothing is shown of what isn't known yet. */
function Fact({
  name,
  value,
  code = false,
}: {
  readonly name: string;
  readonly value: string | null;
  readonly code?: boolean;
}) {
  if (value === null) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd class={code ? 'code wrap' : 'wrap'}>{value}</dd>
    </div>
  );
}
