import { useEffect, useRef } from 'preact/hooks';
import * as z from 'zod';
import type { InterviewPage, InterviewTexts } from '../../src/protocol/pages/interview.ts';
import { Button, TextArea } from '../base/elements.tsx';
import { useKept } from '../base/kept.ts';
import type { PageTools } from '../base/page.tsx';
import { Failure, Filed, useRequest } from '../base/useRequest.tsx';

const Asked = z.object({ isOpen: z.boolean(), reason: z.string() });

/** Leaves the rest of the interview to the models, after a question: it can't be taken back. */
export function SkipAll({ page, disabled }: { readonly page: PageTools<InterviewPage, keyof InterviewTexts>; readonly disabled: boolean }) {
  const { texts } = page;
  const [{ isOpen, reason }, setAsked] = useKept(page.kept, 'skipAll', Asked, { isOpen: false, reason: '' });
  const skip = useRequest(page, 'skipAll');
  const box = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (isOpen !== wasOpen.current) box.current?.querySelector<HTMLElement>('vscode-textarea, vscode-button')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const close = (): void => setAsked({ isOpen: false, reason: '' });
  const send = async (): Promise<void> => {
    const outcome = await skip.send({ reason: reason.trim() });
    if (!outcome.ok) return;
    page.announce(outcome.value.state === 'pending' ? texts.pending : texts.sent);
    close();
  };
  if (!isOpen)
    return (
      <div ref={box}>
        <Filed isShown={skip.isFiled} text={texts.pending} />
        <Button secondary icon="debug-continue" disabled={disabled || skip.isFiled} onClick={() => setAsked({ isOpen: true, reason })}>
          {texts.skipAll}
        </Button>
      </div>
    );
  return (
    <div
      class="card"
      ref={box}
      onKeyDown={(event) => {
        // The page's own keys would send answers instead.
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.stopPropagation();
        if (event.key === 'Escape') close();
      }}
    >
      <p>{texts.skipAllAsk}</p>
      <TextArea
        label={texts.skipAllReason}
        value={reason}
        rows={2}
        maxLength={20_000}
        disabled={skip.isBusy}
        onInput={(text) => setAsked({ isOpen, reason: text })}
      />
      <Failure failure={skip.failure} base={page.base} onDismiss={skip.dismiss} />
      <div class="actions">
        <Button disabled={disabled || skip.isBusy} onClick={() => void send()}>
          {texts.skipAllConfirm}
        </Button>
        <Button secondary disabled={skip.isBusy} onClick={close}>
          {texts.cancel}
        </Button>
      </div>
    </div>
  );
}
