import * as l10n from '@vscode/l10n';
import type { RequestContent } from '../../../src/domain/agentRequest.ts';
import { Button } from '../../base/elements.tsx';
import { Failure, Filed, sentText, useRequest } from '../../base/useRequest.tsx';
import { LongText } from '../shared/LongText.tsx';
import type { Tools } from '../shared/tools.ts';

interface PermissionFormProps {
  readonly request: string;
  readonly content: Extract<RequestContent, { kind: 'permission' }>;
  readonly page: Tools;
  readonly canAct: boolean;
  readonly onAnswering: (isMine: boolean) => void;
}

/** What an agent wants to be allowed, as it is: that is what is being allowed. */
export function PermissionForm({ request, content, page, canAct, onAnswering }: PermissionFormProps) {
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
  return (
    <>
      {content.command !== '' && <LongText label={l10n.t('Command')} text={content.command} />}
      {content.patterns.length > 0 && (
        <p>
          <span class="quiet">{l10n.t('Applies to')}</span> <span class="code plain">{content.patterns.join('\n')}</span>
        </p>
      )}
      {canAct && (
        <div class="actions">
          <Button icon="check" disabled={isBusy || isFiled} onClick={() => void decide(true)}>
            {l10n.t('Allow Once')}
          </Button>
          <Button secondary icon="circle-slash" disabled={isBusy || isFiled} onClick={() => void decide(false)}>
            {l10n.t('Deny')}
          </Button>
        </div>
      )}
      <Filed isShown={isFiled} />
      <Failure failure={failure} onDismiss={dismiss} />
    </>
  );
}
