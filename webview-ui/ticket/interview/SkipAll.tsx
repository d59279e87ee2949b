import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import * as z from 'zod';
import { filed } from '../../../src/protocol/pages/frame.ts';
import { Button, TextArea } from '../../base/elements.tsx';
import { useDraft, useViewState } from '../../base/keptState.tsx';
import { Failure, Filed, useRequest } from '../../base/useRequest.tsx';
import type { Tools } from '../shared/parts.tsx';

/** It can't be taken back, so it is asked about. */
export function SkipAll({ page, disabled }: { readonly page: Tools; readonly disabled: boolean }) {
  const [reason, setReason] = useDraft(page.draftStore, 'skipReason', z.string(), '');
  const [isOpen, setOpen] = useViewState(page.viewState, 'skipAll', z.boolean(), reason !== '');
  const skip = useRequest(page, 'act');
  const box = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (isOpen !== wasOpen.current)
      box.current?.querySelector<HTMLElement>('vscode-textarea, vscode-button')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    setReason('');
  };
  const send = async (): Promise<void> => {
    if (await skip.tell(filed('skip', { reason: reason.trim() }), l10n.t('Your answers were sent.'))) close();
  };
  if (!isOpen)
    return (
      <div ref={box}>
        <Filed isShown={skip.isFiled} />
        <Button
          secondary
          icon="debug-continue"
          disabled={disabled || skip.isFiled}
          onClick={() => setOpen(true)}
        >
          {l10n.t('Skip Remaining…')}
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
      <p>
        {l10n.t(
          'The models decide all open questions, including those not asked yet. Answers you already sent are kept.',
        )}
      </p>
      <TextArea
        label={l10n.t('Reason, shown to the models (optional)')}
        value={reason}
        rows={2}
        maxLength={20_000}
        disabled={skip.isBusy}
        onInput={setReason}
      />
      <Failure of={skip} />
      <div class="actions">
        <Button disabled={disabled || skip.isBusy} onClick={() => void send()}>
          {l10n.t('Skip Remaining')}
        </Button>
        <Button secondary disabled={skip.isBusy} onClick={close}>
          {l10n.t('Cancel')}
        </Button>
      </div>
    </div>
  );
}
