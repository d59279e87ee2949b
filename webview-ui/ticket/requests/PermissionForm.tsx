import * as l10n from '@vscode/l10n';
import { countHidden, hiddenSentence, visible } from '../../../src/base/visible.ts';
import type { RequestContent } from '../../../src/domain/ticket/agentRequest.ts';
import { Button } from '../../base/elements.tsx';
import { Failure, Filed, sentText, useRequest } from '../../base/useRequest.tsx';
import { LongText } from '../shared/LongText.tsx';
import type { Tools } from '../shared/tools.ts';

interface PermissionFormProps {
  readonly request: string;
  readonly content: Extract<RequestContent, { kind: 'permission' }>;
  /** The reason why it can't be allowed; otherwise empty. */
  readonly refusal: string;
  readonly page: Tools;
  readonly canAct: boolean;
  readonly onAnswering: (isMine: boolean) => void;
}

/** Shows the permission that an agent asks for exactly as it is: that is what is being allowed. */
export function PermissionForm({
  request,
  content,
  refusal,
  page,
  canAct,
  onAnswering,
}: PermissionFormProps) {
  const { send, isBusy, isFiled, failure, dismiss } = useRequest(page, 'permit');
  const decide = async (allow: boolean): Promise<void> => {
    // The request may be gone before the answer comes that it was taken.
    onAnswering(true);
    const settled = await send({ request, allow });
    if (!settled.ok) {
      onAnswering(false);
      return;
    }
    page.announce(sentText(settled.value.state, l10n.t('Sent.')));
  };
  const hidden = countHidden([content.command, ...content.patterns].join('\n'));
  return (
    <>
      {refusal !== '' && <p class="warning">{refusal}</p>}
      {hidden > 0 && <p class="warning">{l10n.t(hiddenSentence, hidden)}</p>}
      {content.command !== '' && <LongText label={l10n.t('Command')} text={content.command} />}
      {content.patterns.length > 0 && (
        <p>
          <span class="quiet">{l10n.t('Applies to')}</span>{' '}
          <span class="code plain">{visible(content.patterns.join('\n'))}</span>
        </p>
      )}
      {canAct && (
        <div class="actions">
          {refusal === '' && (
            <Button icon="check" disabled={isBusy || isFiled} onClick={() => void decide(true)}>
              {l10n.t('Allow Once')}
            </Button>
          )}
          <Button
            secondary
            icon="circle-slash"
            disabled={isBusy || isFiled}
            onClick={() => void decide(false)}
          >
            {l10n.t('Deny')}
          </Button>
        </div>
      )}
      <Filed isShown={isFiled} />
      <Failure failure={failure} onDismiss={dismiss} />
    </>
  );
}
