import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallParts, CallRow } from '../../src/protocol/pages/ticket.ts';
import { Button } from '../base/elements.tsx';
import { Tabs } from '../base/Tabs.tsx';
import { Failure, useRequest } from '../base/useRequest.tsx';
import { duration, when } from '../base/format.ts';
import { Loading } from './Loading.tsx';
import { LongText } from './LongText.tsx';
import type { Tools } from './tools.ts';
import { useLoaded } from './useLoaded.ts';

type Part = keyof CallParts;
const parts: readonly Part[] = ['input', 'output', 'plan'];

interface CallDetailProps {
  readonly call: CallRow;
  readonly page: Tools;
  readonly onBack: () => void;
}

/** One call: what was sent, what came back, and what the prompt was made of. */
export function CallDetail({ call, page, onBack }: CallDetailProps) {
  const { texts } = page;
  const [part, setPart] = useState<Part>('input');
  const { value, failure } = useLoaded(page, 'call', { id: call.id }, call.id);
  const copy = useRequest(page, 'copyCall');
  const [copied, setCopied] = useState<Part>();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const copyPart = async (): Promise<void> => {
    const { ok } = await copy.send({ id: call.id, part });
    if (!ok) return;
    setCopied(part);
    page.announce(texts.copied);
  };
  return (
    <section
      onKeyDown={(event) => {
        if (event.key === 'Escape') onBack();
      }}
    >
      <div class="actions">
        <Button secondary icon="arrow-left" onClick={onBack}>
          {texts.allCalls}
        </Button>
        <Button secondary icon={copied === part ? 'check' : 'copy'} disabled={copy.isBusy} onClick={() => void copyPart()}>
          {copied === part ? texts.copied : texts.copy}
        </Button>
      </div>
      <h2 tabIndex={-1} ref={heading}>
        {call.label}: {call.prompt}
      </h2>
      <p class="quiet wrap">
        <span class="code">{call.member}</span> · {texts[`call_${call.outcome}`]} · {when(call.startedAt)} ·{' '}
        {duration(call.endedAt - call.startedAt)} · <span class="code">{call.step}</span>
      </p>
      {call.error !== '' && <p class="problem">{call.error}</p>}
      <Failure failure={copy.failure} onDismiss={copy.dismiss} />
      <Tabs label={texts.callParts} tabs={parts.map((key) => ({ key, title: texts[`part_${key}`] }))} chosen={part} onChoose={setPart}>
        {value ? <PartText part={value[part]} label={texts[`part_${part}`]} page={page} /> : <Loading failure={failure} />}
      </Tabs>
    </section>
  );
}

function PartText({
  part: { text, isCut },
  label,
  page,
}: {
  readonly part: CallParts[Part];
  readonly label: string;
  readonly page: Tools;
}) {
  if (text === '') return <p class="quiet">{page.texts.nothing}</p>;
  return (
    <>
      {isCut && <p class="quiet">{page.texts.cut}</p>}
      <LongText label={label} text={text} />
    </>
  );
}
