import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallParts, CallRow } from '../../../src/protocol/pages/ticket.ts';
import { Button } from '../../base/elements.tsx';
import { Tabs } from '../../base/Tabs.tsx';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import { duration, when } from '../../base/format.ts';
import { PromptParts } from './PromptParts.tsx';
import { Loading } from '../shared/Loading.tsx';
import { LongText } from '../shared/LongText.tsx';
import type { Tools } from '../shared/tools.ts';
import { useLoaded } from '../shared/useLoaded.ts';

type Part = keyof CallParts;
const parts: readonly Part[] = ['plan', 'input', 'output'];

interface CallDetailProps {
  readonly call: CallRow;
  readonly page: Tools;
  /** True if a person can choose what later prompts hold. */
  readonly canSteer: boolean;
  /** Changes whenever the ticket does. */
  readonly stamp: string;
  readonly onBack: () => void;
}

/** One call: what was sent, what came back, and what the prompt was made of. */
export function CallDetail({ call, page, canSteer, stamp, onBack }: CallDetailProps) {
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
      <h2 tabIndex={-1} ref={heading}>
        {call.label}: {call.prompt}
      </h2>
      <p class="quiet wrap">
        <span class="code">{call.member}</span> · {callOutcome(call.outcome)} · {when(call.startedAt)} ·{' '}
        {duration(call.endedAt - call.startedAt)} · <span class="code">{call.step}</span>
      </p>
      {call.error !== '' && call.outcome !== 'accepted' && <p class="problem">{call.error}</p>}
      {call.error !== '' && call.outcome === 'accepted' && (
        <LongText label={l10n.t('Repairs')} text={call.error} />
      )}
      <Failure failure={copy.failure} onDismiss={copy.dismiss} />
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
  switch (part) {
    case 'input':
      return l10n.t('Input');
    case 'output':
      return l10n.t('Output');
    case 'plan':
      return l10n.t('Parts');
  }
}

export function callOutcome(outcome: CallRow['outcome']): string {
  switch (outcome) {
    case 'accepted':
      return l10n.t('accepted');
    case 'rejected':
      return l10n.t('rejected');
    case 'failed':
      return l10n.t('failed');
  }
}
