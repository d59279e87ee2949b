import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { Button, TextArea } from '../../base/elements.tsx';
import { useDraft } from '../../base/useDraft.ts';
import { Failure, type RequestState, sentText } from '../../base/useRequest.tsx';
import type { Contract, Tools } from '../shared/tools.ts';

interface RejectionProps {
  readonly bead: string;
  /** The diff that is rejected. */
  readonly sha256: string;
  readonly page: Tools;
  readonly rejecting: RequestState<Contract, 'rejectBead'>;
  readonly onEnd: () => void;
}

/** Asks why a bead is rejected. What is typed is kept until it is sent. */
export function Rejection({ bead, sha256, page, rejecting, onEnd }: RejectionProps) {
  const [reason, setReason] = useDraft(page.draftStore, `rejects-${bead}`, z.string().max(20_000), '');
  const { send, isBusy, failure, dismiss } = rejecting;
  const reject = async (): Promise<void> => {
    const settled = await send({ bead, sha256, reason: reason.trim() });
    if (!settled.ok) return;
    page.announce(sentText(settled.value.state, l10n.t('Sent.')));
    setReason('');
    onEnd();
  };
  return (
    <div>
      <TextArea
        label={l10n.t('What is wrong? Beadsmith adds a fix bead; existing commits are kept.')}
        value={reason}
        rows={3}
        maxLength={20_000}
        disabled={isBusy}
        onInput={setReason}
      />
      <div class="row">
        <Button disabled={isBusy || reason.trim() === ''} onClick={() => void reject()}>
          {l10n.t('Reject')}
        </Button>
        <Button secondary disabled={isBusy} onClick={onEnd}>
          {l10n.t('Cancel')}
        </Button>
      </div>
      <Failure failure={failure} onDismiss={dismiss} />
    </div>
  );
}
