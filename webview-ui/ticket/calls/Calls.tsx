import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import * as z from 'zod';
import type { CallParts, CallRow } from '../../../src/protocol/pages/ticket.ts';
import { Button, Icon, Tabs } from '../../base/elements.tsx';
import { count, duration, when } from '../../base/format.ts';
import { Heading } from '../../base/headings.tsx';
import { useViewState } from '../../base/keptState.tsx';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import { Empty, Loading, LongText, RunButton, type Tools, useLoaded } from '../shared/parts.tsx';
import { PromptParts } from './PromptParts.tsx';

const icons: Readonly<Record<CallRow['outcome'], string>> = {
  accepted: 'pass',
  rejected: 'close',
  failed: 'error',
};

interface CallsProps {
  readonly page: Tools;
  readonly canSteer: boolean;
  /** Changes whenever the ticket does. */
  readonly stamp: string;
  readonly news: number;
}

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
                  {one.label} <span class="quiet">· {one.prompt}</span>
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

type Part = keyof CallParts;
const parts: readonly Part[] = ['plan', 'input', 'output'];

interface CallDetailProps {
  readonly call: CallRow;
  readonly page: Tools;
  readonly canSteer: boolean;
  readonly stamp: string;
  readonly onBack: () => void;
}

function CallDetail({ call, page, canSteer, stamp, onBack }: CallDetailProps) {
  const [part, setPart] = useState<Part>('plan');
  const { value, failure } = useLoaded(page, 'call', { id: call.id }, call.id);
  const copy = useRequest(page, 'copyCall');
  const [copied, setCopied] = useState<Part>();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const copyPart = async (): Promise<void> => {
    const { ok } = await copy.send({ id: call.id, part });
    if (!ok) return;
    setCopied(part);
    page.announce(l10n.t('Copied.'));
  };
  return (
    <section
      onKeyDown={(event) => {
        if (event.key === 'Escape') onBack();
      }}
    >
      <div class="actions">
        <Button secondary icon="arrow-left" onClick={onBack}>
          {l10n.t('All Calls')}
        </Button>
        <Button
          secondary
          icon={copied === part ? 'check' : 'copy'}
          disabled={copy.isBusy}
          onClick={() => void copyPart()}
        >
          {copied === part ? l10n.t('Copied.') : l10n.t('Copy')}
        </Button>
      </div>
      <Heading tabIndex={-1} ref={heading}>
        {call.label}: {call.prompt}
      </Heading>
      <p class="quiet wrap">
        <span class="code">{call.member}</span> · {callOutcome(call.outcome)} · {when(call.startedAt)} ·{' '}
        {duration(call.endedAt - call.startedAt)} · <span class="code">{call.step}</span>
      </p>
      {call.error !== '' && call.outcome !== 'accepted' && <p class="problem">{call.error}</p>}
      {call.error !== '' && call.outcome === 'accepted' && (
        <LongText label={l10n.t('Repairs')} text={call.error} />
      )}
      <Failure of={copy} />
      <Tabs
        label={l10n.t('Parts of the call')}
        tabs={parts.map((key) => ({ key, title: partName(key) }))}
        chosen={part}
        onChoose={setPart}
      >
        {part === 'plan' ? (
          <PromptParts id={call.id} page={page} canSteer={canSteer} stamp={stamp} />
        ) : value ? (
          <PartText part={value[part]} label={partName(part)} />
        ) : (
          <Loading failure={failure} />
        )}
      </Tabs>
    </section>
  );
}

function PartText({
  part: { text, isCut },
  label,
}: {
  readonly part: CallParts[Part];
  readonly label: string;
}) {
  if (text === '') return <p class="quiet">{l10n.t('Empty.')}</p>;
  return (
    <>
      {isCut && <p class="quiet">{l10n.t('Only the beginning is shown. Copy includes everything.')}</p>}
      <LongText label={label} text={text} />
    </>
  );
}

function partName(part: Part): string {
  const texts: Readonly<Record<Part, string>> = {
    input: l10n.t('Input'),
    output: l10n.t('Output'),
    plan: l10n.t('Parts'),
  };
  return texts[part];
}

function callOutcome(outcome: CallRow['outcome']): string {
  const texts: Readonly<Record<CallRow['outcome'], string>> = {
    accepted: l10n.t('accepted'),
    rejected: l10n.t('rejected'),
    failed: l10n.t('failed'),
  };
  return texts[outcome];
}
