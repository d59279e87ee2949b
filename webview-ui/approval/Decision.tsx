import { useEffect, useState } from 'preact/hooks';
import { Button, Icon, ProgressRing, TextArea } from '../base/elements.tsx';
import { fill } from '../base/fill.ts';
import { useKept } from '../base/kept.ts';
import type { PageTools } from '../base/page.tsx';
import { Panel } from '../base/Panel.tsx';
import { Failure, useRequest } from '../base/useRequest.tsx';
import * as z from 'zod';
import type { approvalPage, ApprovalState, ShownDocument } from '../../src/protocol/pages/approval.ts';
import type { ApprovalText } from '../../src/protocol/pages/approvalTexts.ts';

interface Props {
  readonly page: PageTools<typeof approvalPage, ApprovalText>;
  readonly state: ApprovalState;
  /** What waits for approval, and is what the person sees. */
  readonly document: ShownDocument;
  readonly isDirty: boolean;
  readonly disabled: boolean;
  readonly onApproved: () => void;
  readonly onNotice: (text: string) => void;
}

type Asking = 'nothing' | 'unsaved' | 'gaps' | 'regenerate';

/** What a person decides about the document that is shown. The approval carries its hash. */
export function Decision({ page, state, document, isDirty, disabled, onApproved, onNotice }: Props) {
  const { texts } = page;
  const { artifact, sha256, gaps } = document;
  const [asking, setAsking] = useState<Asking>('nothing');
  const [reason, setReason] = useKept(page.kept, `reason.${artifact}`, z.string(), '');
  const [note, setNote] = useKept(page.kept, `note.${artifact}`, z.string(), '');
  const [isReasonMissing, setReasonMissing] = useState(false);
  const approve = useRequest(page, 'approve');
  const fixGaps = useRequest(page, 'fixGaps');
  const regenerate = useRequest(page, 'regenerate');
  const isBusy = approve.isBusy || fixGaps.isBusy || regenerate.isBusy;
  const cannot = disabled || isBusy || state.working || state.ticket.held;

  const leave = (): void => setAsking('nothing');
  // Once that is saved, it isn't said again before somebody asks.
  useEffect(() => {
    if (!isDirty && asking === 'unsaved') leave();
  }, [isDirty]);
  const sendApproval = async (why: string): Promise<void> => {
    const outcome = await approve.send({ artifact, sha256, reason: why });
    if (!outcome.ok || outcome.value.state === 'left') return;
    leave();
    setReason('');
    onNotice(outcome.value.state === 'pending' ? texts.pending : texts.approved);
    onApproved();
  };
  const onApprove = (): void => {
    if (isDirty) setAsking('unsaved');
    else if (gaps.length > 0) setAsking('gaps');
    else void sendApproval('');
  };
  const approveWithGaps = (): void => {
    setReasonMissing(reason.trim() === '');
    if (isDirty) setAsking('unsaved');
    else if (reason.trim() !== '') void sendApproval(reason.trim());
  };
  const sendFix = async (): Promise<void> => {
    const outcome = await fixGaps.send({});
    if (outcome.ok) onNotice(outcome.value.state === 'pending' ? texts.pending : texts.fixing);
  };
  const sendRegenerate = async (): Promise<void> => {
    const outcome = await regenerate.send({ note: note.trim() });
    if (!outcome.ok) return;
    leave();
    setNote('');
    onNotice(outcome.value.state === 'pending' ? texts.pending : texts.sent);
  };

  return (
    <section class="decision" aria-label={texts.decision}>
      {state.working && (
        <p class="quiet">
          <ProgressRing /> {texts.working}
        </p>
      )}
      {state.ticket.held && (
        <p class="quiet">
          <Icon name="debug-pause" /> {texts.held}
        </p>
      )}
      <Failure failure={approve.failure} onDismiss={() => approve.dismiss()} />
      <Failure failure={fixGaps.failure} onDismiss={() => fixGaps.dismiss()} />
      <Failure failure={regenerate.failure} onDismiss={() => regenerate.dismiss()} />
      {asking === 'unsaved' && isDirty && (
        <p class="question" role="alert">
          <Icon name="warning" /> {texts.unsavedFirst}
        </p>
      )}
      {asking === 'gaps' && (
        <Panel name="gaps" class="card" onLeave={leave}>
          <TextArea label={texts.reason} value={reason} onInput={setReason} maxLength={20_000} rows={2} />
          {isReasonMissing && reason.trim() === '' && (
            <p class="problem" role="alert">
              {texts.reasonMissing}
            </p>
          )}
          <div class="actions">
            <Button disabled={cannot} onClick={approveWithGaps}>
              {texts.approveAnyway}
            </Button>
            <Button secondary onClick={leave}>
              {texts.cancel}
            </Button>
          </div>
        </Panel>
      )}
      {asking === 'regenerate' && (
        <Panel name="regenerate" class="card" onLeave={leave}>
          <p>{texts.regenerateWarning}</p>
          <TextArea label={texts.regenerateNote} value={note} onInput={setNote} maxLength={20_000} rows={2} />
          <div class="actions">
            <Button disabled={cannot} onClick={() => void sendRegenerate()}>
              {texts.regenerateNow}
            </Button>
            <Button secondary onClick={leave}>
              {texts.cancel}
            </Button>
          </div>
        </Panel>
      )}
      <div class="actions">
        {state.can.approve && asking !== 'gaps' && (
          <Button icon="check" opens="gaps" disabled={cannot} onClick={onApprove}>
            {gaps.length > 0 ? texts.approveWithGaps : texts.approve}
          </Button>
        )}
        {state.can.fixGaps && (
          <Button secondary icon="wand" disabled={cannot} onClick={() => void sendFix()}>
            {texts.fixGaps}
          </Button>
        )}
        {state.can.regenerate && asking !== 'regenerate' && (
          <Button secondary icon="refresh" opens="regenerate" disabled={cannot} onClick={() => setAsking('regenerate')}>
            {texts.regenerate}
          </Button>
        )}
      </div>
      <p class="quiet hash">{fill(texts.shownHash, sha256.slice(0, 12))}</p>
    </section>
  );
}
