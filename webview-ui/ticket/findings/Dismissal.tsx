import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { FindingRow } from '../../../src/protocol/pages/reviews.ts';
import { Button, TextArea } from '../../base/elements.tsx';
import { useDraft } from '../../base/useDraft.ts';
import { type RequestState, sentText } from '../../base/useRequest.tsx';
import type { Contract, Tools } from '../shared/tools.ts';

interface DismissalProps {
  readonly finding: FindingRow;
  readonly page: Tools;
  readonly deciding: RequestState<Contract, 'decideFinding'>;
  readonly onEnd: () => void;
  readonly onSent: () => void;
}

/** Asks why a finding is dismissed. What is typed is kept until it is sent. */
export function Dismissal({ finding: { id, sha256 }, page, deciding, onEnd, onSent }: DismissalProps) {
  const [reason, setReason] = useDraft(page.draftStore, `dismisses-${id}`, z.string().max(4_000), '');
  const dismiss = async (): Promise<void> => {
    const settled = await deciding.send({ finding: id, verdict: 'dismiss', reason: reason.trim(), sha256 });
    onSent();
    if (!settled.ok) return;
    page.announce(sentText(settled.value.state, l10n.t('Dismissed.')));
    setReason('');
    onEnd();
  };
  return (
    <div>
      <TextArea
        label={l10n.t('Why isn’t it fixed? Later reviews are told.')}
        value={reason}
        rows={2}
        maxLength={4_000}
        disabled={deciding.isBusy}
        onInput={setReason}
      />
      <div class="row">
        <Button disabled={deciding.isBusy || reason.trim() === ''} onClick={() => void dismiss()}>
          {l10n.t('Dismiss')}
        </Button>
        <Button secondary disabled={deciding.isBusy} onClick={onEnd}>
          {l10n.t('Cancel')}
        </Button>
      </div>
    </div>
  );
}
