import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { useEffect, useRef } from 'preact/hooks';
import type { CallRow } from '../../../src/protocol/pages/ticket.ts';
import { Icon } from '../../base/elements.tsx';
import { useViewState } from '../../base/viewState.ts';
import { CallDetail, callOutcome } from './CallDetail.tsx';
import { Empty } from '../shared/Empty.tsx';
import { count, duration, when } from '../../base/format.ts';
import { Loading } from '../shared/Loading.tsx';
import { RunButton } from '../shared/RunButton.tsx';
import type { Tools } from '../shared/tools.ts';
import { useLoaded } from '../shared/useLoaded.ts';

const icons: Readonly<Record<CallRow['outcome'], string>> = {
  accepted: 'pass',
  rejected: 'close',
  failed: 'error',
};

interface CallsProps {
  readonly page: Tools;
  /** True if a person can choose what later prompts hold. */
  readonly canSteer: boolean;
  /** Changes whenever the ticket does. */
  readonly stamp: string;
  readonly news: number;
}

/** Every model call, the newest first; one of them whole on demand. */
export function Calls({ page, canSteer, stamp, news }: CallsProps) {
  const [chosen, choose] = useViewState(page.viewState, 'call', z.string().max(400).nullable(), null);
  const { value, failure } = useLoaded(page, 'calls', {}, `${stamp} ${String(news)}`);
  const before = useRef<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  // A person who comes back from a call continues in the list where they left it.
  useEffect(() => {
    if (chosen === null && before.current !== null) {
      const rows = list.current?.querySelectorAll<HTMLButtonElement>('button') ?? [];
      [...rows].find(({ dataset }) => dataset['call'] === before.current)?.focus();
    }
    before.current = chosen;
  }, [chosen]);
  if (!value) return <Loading failure={failure} />;
  const call = value.calls.find(({ id }) => id === chosen);
  if (call)
    return (
      <CallDetail
        key={call.id}
        call={call}
        page={page}
        canSteer={canSteer}
        stamp={stamp}
        onBack={() => choose(null)}
      />
    );
  if (value.calls.length === 0)
    return (
      <Empty
        text={l10n.t('No model calls yet. This tab shows what each model is sent and what it answers.')}
      />
    );
  return (
    <>
      {canSteer && value.isPreviewDue && (
        <p class="quiet">
          <Icon name="eye" /> {l10n.t('The next prompt waits for you before it’s sent.')}
        </p>
      )}
      {canSteer && !value.isPreviewDue && (
        <div class="actions">
          <RunButton command="previewNextPrompt" icon="eye" page={page}>
            {l10n.t('Preview Next Prompt')}
          </RunButton>
        </div>
      )}
      {value.total > value.calls.length && (
        <p class="quiet">
          {l10n.t('The newest {0} of {1} calls.', count(value.calls.length), count(value.total))}
        </p>
      )}
      <ul class="rows" ref={list} aria-label={l10n.t('Model Calls')}>
        {value.calls.map((one) => (
          <li key={one.id}>
            <button type="button" class="call" data-call={one.id} onClick={() => choose(one.id)}>
              <Icon name={icons[one.outcome]} />
              <span class="grow">
                <span>
                  {one.label} <span class="quiet">{one.prompt}</span>
                </span>
                <span class="quiet">
                  <span class="code">{one.member}</span> · {callOutcome(one.outcome)} · {when(one.startedAt)}{' '}
                  · {duration(one.endedAt - one.startedAt)} ·{' '}
                  {l10n.t('about {0} tokens sent', count(one.estimatedTokens))}
                </span>
                {one.error !== '' && <span class="problem">{one.error}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
