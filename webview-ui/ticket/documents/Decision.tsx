import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import * as z from 'zod';
import { errorTexts } from '../../../src/domain/core/errorTexts.ts';
import { actions } from '../../../src/domain/workflow/actions.ts';
import { filed } from '../../../src/protocol/pages/frame.ts';
import type { ApprovalState, ShownDocument } from '../../../src/protocol/pages/approval.ts';
import { Button, Icon, Panel, ProgressRing, TextArea } from '../../base/elements.tsx';
import { useDraft } from '../../base/keptState.tsx';
import { Failure, sentText, useRequest } from '../../base/useRequest.tsx';
import type { Tools } from '../shared/parts.tsx';

interface Props {
  readonly page: Tools;
  readonly state: ApprovalState;
  /** As the person sees them; several are decided together. */
  readonly documents: readonly ShownDocument[];
  readonly isDirty: boolean;
  readonly disabled: boolean;
  readonly onReport: (text: string) => void;
}

type Asking = 'nothing' | 'unsaved' | 'uncheckable' | 'gaps' | 'regenerate';

/** The approval carries the hash of the documents that are shown. */
export function Decision({ page, state, documents, isDirty, disabled, onReport }: Props) {
  const artifact = state.gate ?? documents[0]?.artifact ?? 'beads';
  const sha256 = state.sha256 ?? '';
  const gaps = documents.flatMap((document) => document.gaps);
  const [asking, setAsking] = useState<Asking>('nothing');
  const [reason, setReason] = useDraft(page.draftStore, `reason.${artifact}`, z.string(), '');
  const [note, setNote] = useDraft(page.draftStore, `note.${artifact}`, z.string(), '');
  const [isReasonMissing, setReasonMissing] = useState(false);
  const approve = useRequest(page, 'act');
  const fixGaps = useRequest(page, 'act');
  const checkAgain = useRequest(page, 'act');
  const regenerate = useRequest(page, 'act');
  const planInFull = useRequest(page, 'run');
  const requests = [approve, fixGaps, checkAgain, regenerate, planInFull];
  const isBusy = requests.some((request) => request.isBusy);
  const cannot = disabled || isBusy || state.working || state.held;

  const leave = (): void => setAsking('nothing');
  // Once that is saved, it isn't announced again on its own.
  useEffect(() => {
    if (!isDirty && (asking === 'unsaved' || asking === 'uncheckable')) leave();
  }, [isDirty]);
  const send = async (
    request: typeof approve,
    action: Parameters<typeof approve.send>[0],
    done: string,
  ): Promise<boolean> => {
    const outcome = await request.send(action);
    if (!outcome.ok || outcome.value.state === 'left') return false;
    onReport(sentText(outcome.value.state, done));
    return true;
  };
  const sendApproval = async (why: string): Promise<void> => {
    const done = l10n.t('Approved. The ticket continues.');
    if (!(await send(approve, filed('approve', { sha256, reason: why }), done))) return;
    leave();
    setReason('');
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
  const sendFix = (): Promise<boolean> => {
    const done = l10n.t('The model is revising the document. You will be asked again.');
    return send(fixGaps, filed('fix_gaps', {}), done);
  };
  const sendCheck = async (): Promise<void> => {
    const done = l10n.t('The model is checking the document. You will be asked again.');
    if (isDirty) setAsking('uncheckable');
    else await send(checkAgain, filed('check_again', {}), done);
  };
  const sendRegenerate = async (): Promise<void> => {
    if (!(await send(regenerate, filed('regenerate', { note: note.trim() }), l10n.t('Sent.')))) return;
    leave();
    setNote('');
  };

  return (
    <section class="decision" aria-label={l10n.t('Decision')}>
      {state.working && (
        <p class="quiet">
          <ProgressRing /> {l10n.t('A model is working on this document. You can decide when it is done.')}
        </p>
      )}
      {state.held && (
        <p class="quiet">
          <Icon name="debug-pause" /> {l10n.t('The ticket is on hold. Resume it to continue.')}
        </p>
      )}
      {requests.map((request, place) => (
        <Failure key={place} of={request} />
      ))}
      {(asking === 'unsaved' || asking === 'uncheckable') && isDirty && (
        <p key={asking} class="decision-question" role="alert">
          <Icon name="warning" />{' '}
          {asking === 'unsaved'
            ? l10n.t(
                'You have unsaved changes. Save or discard them first, so that you approve what you see.',
              )
            : l10n.t(
                'You have unsaved changes. Save or discard them first, so that what you see is checked.',
              )}
        </p>
      )}
      {asking === 'gaps' && (
        <Panel name="gaps" class="card" onLeave={leave}>
          <TextArea
            label={l10n.t('{0} (required)', l10n.t(actions.approve.form.fields.reason.label))}
            value={reason}
            onInput={setReason}
            maxLength={actions.approve.form.fields.reason.most}
            rows={2}
          />
          {isReasonMissing && reason.trim() === '' && (
            <p class="problem" role="alert">
              {l10n.t(errorTexts.REASON_MISSING[0])}
            </p>
          )}
          <div class="actions">
            <Button disabled={cannot} onClick={approveWithGaps}>
              {l10n.t('Approve with These Gaps')}
            </Button>
            <Button secondary onClick={leave}>
              {l10n.t('Cancel')}
            </Button>
          </div>
        </Panel>
      )}
      {asking === 'regenerate' && (
        <Panel name="regenerate" class="card" onLeave={leave}>
          <p>{state.regenerates}</p>
          <TextArea
            label={l10n.t('What should change? (optional)')}
            value={note}
            onInput={setNote}
            maxLength={20_000}
            rows={2}
          />
          <div class="actions">
            <Button disabled={cannot} onClick={() => void sendRegenerate()}>
              {l10n.t('Regenerate')}
            </Button>
            <Button secondary onClick={leave}>
              {l10n.t('Cancel')}
            </Button>
          </div>
        </Panel>
      )}
      <div class="actions">
        {state.can.approve && asking !== 'gaps' && (
          <Button
            secondary={state.held || isDirty}
            icon="check"
            opens="gaps"
            disabled={cannot}
            onClick={onApprove}
          >
            {gaps.length > 0 ? l10n.t('Approve with Gaps…') : l10n.t('Approve')}
          </Button>
        )}
        {state.can.fixGaps && (
          <Button secondary icon="wand" disabled={cannot} onClick={() => void sendFix()}>
            {l10n.t('Fix Open Gaps')}
          </Button>
        )}
        {state.can.checkAgain && (
          <Button secondary icon="search" disabled={cannot} onClick={() => void sendCheck()}>
            {l10n.t('Check Again')}
          </Button>
        )}
        {state.can.regenerate && asking !== 'regenerate' && (
          <Button
            secondary
            icon="refresh"
            opens="regenerate"
            disabled={cannot}
            onClick={() => setAsking('regenerate')}
          >
            {l10n.t('Regenerate…')}
          </Button>
        )}
        {state.can.planInFull && (
          <Button
            secondary
            icon="organization"
            disabled={cannot}
            onClick={() => void planInFull.send({ command: 'planInFull' })}
          >
            {l10n.t('Plan in Full…')}
          </Button>
        )}
      </div>
    </section>
  );
}
