import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { QaChecklist as Checklist } from '../../../src/domain/documents/qaChecklist.ts';
import { filed } from '../../../src/protocol/pages/frame.ts';
import { Button, TextArea } from '../../base/elements.tsx';
import { useDraft } from '../../base/keptState.tsx';
import { progressText, QaItems } from '../../base/QaItems.tsx';
import { qaProgress, QaResult } from '../../base/qaResults.ts';
import { Failure, Filed, useRequest } from '../../base/useRequest.tsx';
import type { Acting } from '../shared/parts.tsx';

const Results = z.record(z.string(), QaResult);

interface QaChecklistProps extends Acting {
  readonly checklist: Checklist;
}

/** Ticks and texts are kept until they are sent. */
export function QaChecklist({ checklist, page, canAct }: QaChecklistProps) {
  const [results, setResults] = useDraft(page.draftStore, `qa-${checklist.round}`, Results, {});
  const sending = useRequest(page, 'act');
  const progress = qaProgress(checklist, results);
  const submit = async (): Promise<void> => {
    if (await sending.tell(filed('qa', progress.body), l10n.t('Sent.'))) setResults({});
  };
  return (
    <section class="qa" aria-labelledby="qa">
      <QaItems
        checklist={checklist}
        results={results}
        disabled={!canAct || sending.isBusy || sending.isFiled}
        field={TextArea}
        itemClass="qa-item"
        onChange={(id, result) => setResults((now) => ({ ...now, [id]: result }))}
      />
      {canAct && !sending.isFiled && (
        <div class="row">
          <Button disabled={!progress.canSend || sending.isBusy} onClick={() => void submit()}>
            {l10n.t('Send Results')}
          </Button>
          <span class="quiet">{progressText(progress, checklist)}</span>
        </div>
      )}
      <Filed isShown={sending.isFiled} />
      <Failure of={sending} />
    </section>
  );
}
